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
      reason: `${part.attribute} is free text, and '${next.text}' follows it in '${template.text}': a value that contains '${next.text}' would be read back as different values. This library refuses to write it, but other programs may not.`,
      remedy: `Restrict the values with s.enum(), s.ulid(), or .check() and a validator that excludes '${next.text}'; or move the attribute to the end of the key.`,
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
    reason: `${last.attribute} is free text at the end of '${template.text}', and keys of ${longer.kind} continue from there, so a value can make one look like the other.`,
    remedy: `Restrict the values with s.enum(), s.ulid() or .check(), or give the two keys different prefixes.`,
  }
}

function isFreeText(entity: EntityDescription, name: string): boolean {
  const attribute = attributeOf(entity, name)
  return attribute?.type === 'string' && attribute.isValidated !== true && attribute.computedFrom === undefined
}
