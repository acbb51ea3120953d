import type { KeyTemplateDescription } from '../description.ts'

/** The templates of a key as people know them. */
export function textOfTemplates(templates: readonly KeyTemplateDescription[]): string {
  return templates.map(({ text }) => text).join(' + ')
}
