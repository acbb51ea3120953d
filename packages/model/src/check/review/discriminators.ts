import type { Finding } from '../finding.ts'
import { listOf } from './format-figures.ts'
import { shapeOf } from './key-shapes.ts'
import type { ReviewContext } from './review-context.ts'

/** If several entities share a table or index, each item must say which one it is. */
export function reviewDiscriminators(context: ReviewContext): Finding[] {
  return context.model.places().flatMap((place): Finding[] => {
    const { table, index } = place
    const kinds = context.model.kindsIn(place)
    if (index === undefined) {
      // Keys of different forms tell.
      const forms = new Set(kinds.map(({ partition, sort }) => shapeOf([...partition, ...sort])))
      if (table.discriminator !== '' || kinds.length < 2 || forms.size === kinds.length) return []
      return [
        {
          code: 'missing-discriminator',
          severity: 'error',
          where: context.at(place),
          reason: `${listOf(kinds.map(({ kind }) => kind))} share the table ${table.name}, no attribute says which entity an item is, and their keys look alike.`,
          remedy: `Name the attribute that holds the entity's name: table: { discriminator: 'entity' }.`,
        },
      ]
    }
    const isCopied =
      index.projection.type === 'ALL' ||
      (index.projection.type === 'INCLUDE' && index.projection.attributes.includes(table.discriminator))
    const shapes = new Set(
      kinds.map(({ entity: { key } }) =>
        shapeOf(key.sort === undefined ? [key.partition] : [key.partition, key.sort]),
      ),
    )
    if ((isCopied && table.discriminator !== '') || shapes.size === kinds.length) return []
    return [
      {
        code: 'missing-discriminator',
        severity: 'error',
        where: context.at(place),
        reason: `The index ${index.name} contains ${listOf(kinds.map(({ kind }) => kind))}, but does not project the attribute that says which entity an item is, and their keys look alike.`,
        remedy:
          table.discriminator === ''
            ? `Name the attribute that holds the entity's name: table: { discriminator: 'entity' }.`
            : `Add '${table.discriminator}' to the projection of ${index.name}.`,
      },
    ]
  })
}
