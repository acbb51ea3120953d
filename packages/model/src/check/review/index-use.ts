import type { Finding } from '../finding.ts'
import { formatCount } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

const globalIndexLimit = 20
const localIndexLimit = 5
/** A write counts as amplified from this many index units per unit of the table. */
const amplificationLimit = 4

/** What indexes cost, and whether anybody uses them. */
export function reviewIndexUse(context: ReviewContext): Finding[] {
  return [...unusedIndexes(context), ...tooManyIndexes(context), ...writeAmplification(context)]
}

function unusedIndexes(context: ReviewContext): Finding[] {
  const used = new Set(context.model.model.patterns.map(({ index }) => index))
  return context.model.places().flatMap((place): Finding[] => {
    if (place.index === undefined || used.has(place.name)) return []
    return [
      {
        code: 'unused-index',
        severity: 'warning',
        where: context.at(place),
        reason: `No pattern reads the index ${place.name}, but you pay for it with every write of an item that it contains, and for its storage.`,
        remedy: `Remove the index, or add the pattern that needs it.`,
      },
    ]
  })
}

function tooManyIndexes(context: ReviewContext): Finding[] {
  return context.model.model.tables.flatMap((table): Finding[] =>
    (['global', 'local'] as const).flatMap((kind) => {
      const count = table.indexes.filter((index) => index.kind === kind).length
      const limit = kind === 'global' ? globalIndexLimit : localIndexLimit
      if (count <= limit) return []
      return [
        {
          code: 'too-many-indexes' as const,
          severity: 'error' as const,
          where: context.at({ name: table.id, table }),
          reason: `The table ${table.name} has ${count} ${kind} indexes; DynamoDB allows ${limit}.`,
          remedy: `Let several entities share an index, each with its own key templates, or use index items (.indexItem()) to look up single items.`,
        },
      ]
    }),
  )
}

function writeAmplification(context: ReviewContext): Finding[] {
  return context.model.model.patterns.flatMap((pattern): Finding[] => {
    const measured = context.measured(pattern)
    if (measured === undefined || measured.writeUnits === 0) return []
    // A transaction may write several tables.
    const indexes = new Set(context.model.places().flatMap(({ index }) => index?.name ?? []))
    const own = measured.places.reduce(
      (sum, { place, writeUnits }) => sum + (indexes.has(place) ? 0 : writeUnits),
      0,
    )
    const inIndexes = measured.places.filter(({ place, writeUnits }) => indexes.has(place) && writeUnits > 0)
    const total = inIndexes.reduce((sum, { writeUnits }) => sum + writeUnits, 0)
    // A transaction doubles the cost of the table, but not that of its indexes.
    const single = measured.operations.includes('TransactWriteItems') ? own / 2 : own
    if (single === 0 || total <= single * amplificationLimit) return []
    return [
      {
        code: 'write-amplification',
        severity: 'warning',
        where: context.atPattern(pattern),
        reason: `Each call costs ${formatCount(own)} write units in the table and ${formatCount(total)} in ${inIndexes.length} indexes, ${formatCount(total / single)} times as many.`,
        remedy: `Let several patterns share an index, make indexes sparse with when, project fewer attributes, and do not use attributes that change often in index keys.`,
      },
    ]
  })
}
