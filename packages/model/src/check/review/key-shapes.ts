import type { KeyTemplateDescription } from '../../description.ts'

/** The templates without the names in their holes: keys of one shape can be the same key. */
export function shapeOf(templates: readonly KeyTemplateDescription[]): string {
  return templates
    .map(({ parts }) => parts.map((part) => (part.kind === 'literal' ? part.text : '{}')).join(''))
    .join('+')
}

/** The text with which all keys of a template begin. */
export function headOf(template: KeyTemplateDescription | undefined): string {
  const [first] = template?.parts ?? []
  return first?.kind === 'literal' ? first.text : ''
}
