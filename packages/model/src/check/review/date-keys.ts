import type { AttributeDescription, DatePrecision } from '../../description.ts'
import type { Finding } from '../finding.ts'
import { attributeOf, type KindKey } from '../model-index.ts'
import { shapeOf } from './key-shapes.ts'
import type { ReviewContext } from './review-context.ts'

const dateName = /(^|_)(date|time|timestamp|day|month|created|updated)$|(At|On|Date|Time|Timestamp|Day)$/

/** Dates sort by time only in one format and one time zone. */
export function reviewDateKeys(context: ReviewContext): Finding[] {
  const findings = new Map<string, Finding>()
  for (const place of context.model.places()) {
    const kinds = context.model.kindsIn(place)
    for (const kind of kinds) {
      for (const { attribute, text } of sortHoles(kind)) {
        if (attribute.type !== 'string' || attribute.isValidated === true || !dateName.test(attribute.name))
          continue
        findings.set(`${kind.entity.name} ${attribute.name}`, {
          code: 'date-does-not-sort',
          severity: 'warning',
          where: context.atEntity(kind.entity),
          reason: `${attribute.name} in '${text}' can be any string. Dates in different formats or time zones ('2026-6-1', '01.06.2026', '…+02:00') do not sort by time.`,
          remedy: `Use s.iso(), which stores dates in UTC with a fixed precision.`,
        })
      }
    }
    for (const finding of mixedPrecisions(context, kinds))
      findings.set(`${place.name} ${finding.where.name}`, finding)
  }
  return [...findings.values()]
}

function sortHoles({ entity, sort }: KindKey): readonly {
  attribute: AttributeDescription
  text: string
  prefix: string
  precision?: DatePrecision
}[] {
  return sort.flatMap(({ parts, text }) =>
    parts.flatMap((part, i) => {
      const attribute = part.kind === 'hole' ? attributeOf(entity, part.attribute) : undefined
      if (attribute === undefined || part.kind !== 'hole') return []
      const precision = part.format.kind === 'date' ? part.format.precision : attribute.precision
      const prefix = parts
        .slice(0, i)
        .map((each) => (each.kind === 'literal' ? each.text : '{}'))
        .join('')
      return [
        { attribute, text, prefix, ...(attribute.type === 'iso' && { precision: precision ?? 'millisecond' }) },
      ]
    }),
  )
}

/** `…00Z` and `…00.000Z` are the same second, but the first sorts behind all others of it. */
function mixedPrecisions(context: ReviewContext, kinds: readonly KindKey[]): Finding[] {
  const seen = new Map<string, { precision: DatePrecision; kind: KindKey; name: string }>()
  const findings: Finding[] = []
  for (const kind of kinds) {
    for (const { attribute, prefix, precision } of sortHoles(kind)) {
      if (precision === undefined) continue
      const key = `${shapeOf(kind.partition)} ${prefix}`
      const known = seen.get(key)
      if (known === undefined) seen.set(key, { precision, kind, name: attribute.name })
      else if (known.precision !== precision && isTimeOfDay(known.precision) && isTimeOfDay(precision)) {
        findings.push({
          code: 'date-does-not-sort',
          severity: 'warning',
          where: context.atEntity(kind.entity),
          reason: `${attribute.name} of ${kind.kind} has a precision of one ${precision} and ${known.name} of ${known.kind.kind} of one ${known.precision}, in the same place of a sort key. Within one ${known.precision === 'millisecond' ? precision : known.precision}, they do not sort by time.`,
          remedy: `Give both the same precision: s.iso('${precision}') or s.iso('${known.precision}').`,
        })
      }
    }
  }
  return findings
}

function isTimeOfDay(precision: DatePrecision): boolean {
  return !['year', 'month', 'day'].includes(precision)
}
