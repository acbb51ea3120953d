import type { EntityDescription, KeyTemplateDescription } from '../../description.ts'
import type { Finding } from '../finding.ts'
import { attributeOf, type KindKey } from '../model-index.ts'
import { shapeOf } from './key-shapes.ts'
import type { ReviewContext } from './review-context.ts'

/** Free text inside a key can contain what separates the key's parts, and so pass for another key. */
export function reviewSeparators(context: ReviewContext): Finding[] {
  const findings = new Map<string, Finding>()
  for (const place of context.model.places()) {
    const kinds = context.model.kindsIn(place)
    for (const kind of kinds) {
      for (const template of [...kind.partition, ...kind.sort]) {
        const found = withinTemplate(context, kind.entity, template) ?? atItsEnd(context, kind, template, kinds)
        if (found !== undefined) findings.set(`${kind.entity.name} ${template.text}`, found)
      }
    }
  }
  return [...findings.values()]
}

function withinTemplate(
  context: ReviewContext,
  entity: EntityDescription,
  template: KeyTemplateDescription,
): Finding | undefined {
  for (const [i, part] of template.parts.entries()) {
    const next = template.parts[i + 1]
    if (part.kind !== 'hole' || next?.kind !== 'literal' || !isFreeText(entity, part.attribute)) continue
    return {
      code: 'separator-injection',
      severity: 'warning',
      where: context.atEntity(entity),
      reason: `${part.attribute} is free text, and '${next.text}' follows it in '${template.text}': a value that contains '${next.text}' would read back as other values, so this library refuses to write it, and other writers may not.`,
      remedy: `Say what it may contain: s.enum(), s.ulid(), or .check() with a validator that excludes '${next.text}'. Or move it to the end of the key.`,
    }
  }
  return undefined
}

/** At the end of a key free text is harmless, unless another key goes on where it ends. */
function atItsEnd(
  context: ReviewContext,
  kind: KindKey,
  template: KeyTemplateDescription,
  kinds: readonly KindKey[],
): Finding | undefined {
  const last = template.parts[template.parts.length - 1]
  if (template.isNative || last?.kind !== 'hole' || !isFreeText(kind.entity, last.attribute)) return undefined
  const shape = shapeOf([template])
  const longer = kinds.find(
    (other) =>
      other !== kind &&
      [...other.partition, ...other.sort].some(
        (each) =>
          each.attribute === template.attribute && shapeOf([each]).startsWith(shape) && shapeOf([each]) !== shape,
      ),
  )
  if (longer === undefined) return undefined
  return {
    code: 'separator-injection',
    severity: 'warning',
    where: context.atEntity(kind.entity),
    reason: `${last.attribute} is free text at the end of '${template.text}', and a key of ${longer.kind} goes on from there: a value can be chosen that makes one look like the other.`,
    remedy: `Say what it may contain with s.enum(), s.ulid() or .check(), or let the two keys begin differently.`,
  }
}

function isFreeText(entity: EntityDescription, name: string): boolean {
  const attribute = attributeOf(entity, name)
  return attribute?.type === 'string' && attribute.isValidated !== true && attribute.computedFrom === undefined
}
