import { isExact } from '../../keys/match-key.ts'
import type { DatePrecision, EntityDescription } from '../../description.ts'
import type { Finding } from '../finding.ts'
import { attributeOf, holesOf } from '../model-index.ts'
import type { ReviewContext } from './review-context.ts'

const precisions: readonly DatePrecision[] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond']

/** A key that keeps only the beginning of a date is the same for everything in that period: the second put replaces the first. */
export function reviewOverwritingPuts(context: ReviewContext): Finding[] {
  return context.model.model.patterns.flatMap((pattern): Finding[] => {
    const put = pattern.action === 'put' ? pattern.entities : []
    const steps = (pattern.steps ?? []).flatMap(({ entity, action }) => (action === 'put' ? [entity] : []))
    return [...put, ...steps].flatMap((name): Finding[] => {
      const entity = context.model.entity(name)
      const date = entity === undefined ? undefined : truncatedDate(entity)
      if (entity === undefined || date === undefined) return []
      return [
        {
          code: 'put-overwrites',
          severity: 'warning',
          where: context.atPattern(pattern),
          reason: `The key of ${name} contains only the ${date.precision} of ${date.name}, and nothing else that tells two items of the same ${date.precision} apart. A put silently replaces the item that is there.`,
          remedy: `Use create, which refuses to replace an item; or keep all of {${date.name}} or an identifier in the sort key. If there is one item per ${date.precision}, declare it so: ${date.name}: s.iso('${date.precision}').`,
        },
      ]
    })
  })
}

function truncatedDate(entity: EntityDescription): { name: string; precision: DatePrecision } | undefined {
  const { partition, sort } = entity.key
  const parts = [...partition.parts, ...(sort?.parts ?? [])]
  for (const part of parts) {
    if (part.kind !== 'hole' || part.format.kind !== 'date') continue
    const { precision } = part.format
    const own = attributeOf(entity, part.attribute)?.precision ?? 'millisecond'
    const isWhole = parts.some(
      (other) =>
        other.kind === 'hole' &&
        other.attribute === part.attribute &&
        isExact(other, attributeOf(entity, part.attribute)),
    )
    const fixed = new Set(holesOf([partition]))
    const isToldApart = holesOf(sort === undefined ? [] : [sort]).some(
      (hole) => hole !== part.attribute && !fixed.has(hole),
    )
    const isCoarser = precisions.indexOf(precision) < precisions.indexOf(own)
    if (isCoarser && !isWhole && !isToldApart) return { name: part.attribute, precision }
  }
  return undefined
}
