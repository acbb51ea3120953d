import type { AttributeDescription, KeyPartDescription, KeyTemplateDescription } from '../description.ts'
import { parseTemplate } from '../keys/parse-template.ts'

/** An entity as far as its templates care. */
export interface TemplateOwner {
  readonly name: string
  readonly attributes: ReadonlyMap<string, AttributeDescription>
}

/** The template that fills the key attribute `attribute`. */
export function resolveTemplate(owner: TemplateOwner, text: string, attribute: string): KeyTemplateDescription {
  if (owner.attributes.get(attribute)?.isStored === true) return nativeTemplate(owner, attribute)
  return { attribute, storedAs: 'S', text, parts: parseTemplate(text), isNative: false }
}

/** A key attribute that is an attribute of the entity. */
export function nativeTemplate(owner: TemplateOwner, attribute: string): KeyTemplateDescription {
  const storedAs = owner.attributes.get(attribute)?.storedAs
  return {
    attribute,
    storedAs: storedAs === 'N' || storedAs === 'B' ? storedAs : 'S',
    text: `{${attribute}}`,
    parts: [{ kind: 'hole', attribute, format: { kind: 'plain' } }],
    isNative: true,
  }
}

/** The parts with the names taken out: two keys of one shape can be the same key. */
export function shapeOf(templates: readonly KeyTemplateDescription[]): string {
  return templates.map(({ parts }) => shapeOfParts(parts)).join('+')
}

export function shapeOfParts(parts: readonly KeyPartDescription[]): string {
  return parts.map((part) => (part.kind === 'literal' ? part.text : '{}')).join('')
}

export function holesOf(templates: readonly KeyTemplateDescription[]): readonly string[] {
  return templates.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'hole' ? [part.attribute] : [])))
}
