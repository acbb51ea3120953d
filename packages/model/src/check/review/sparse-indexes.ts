import { distinctValuesOf } from '../cardinality.ts'
import type { Finding } from '../finding.ts'
import { attributeOf } from '../model-index.ts'
import { listOf } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** A sparse index is worth its name only if it leaves something out. */
export function reviewSparseIndexes(context: ReviewContext): Finding[] {
  return context.model.model.entities.flatMap((entity) =>
    entity.indexKeys.flatMap(({ index, when = [] }): Finding[] => {
      const coversAll = when.every(({ attribute: name, values }) => {
        const attribute = attributeOf(entity, name)
        const isFinite = attribute?.type === 'enum' || attribute?.type === 'boolean'
        return isFinite && !attribute.isOptional && new Set(values).size >= distinctValuesOf(attribute)
      })
      if (when.length === 0 || !coversAll) return []
      const names = listOf(when.map(({ attribute }) => attribute))
      return [
        {
          code: 'sparse-index-covers-all',
          severity: 'warning',
          where: context.atEntity(entity),
          reason: `The condition of the index ${index} lists every value of ${names}, so the index contains every ${entity.name} and is not sparse.`,
          remedy: `List only the values that its readers look for, or remove when.`,
        },
      ]
    }),
  )
}
