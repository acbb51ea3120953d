import { limits } from '@hashrange/core'
import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'

/** A definition whose throughput is within the service's quotas. Earlier versions accepted any number, and stored
 *  values that no table can have. Such a definition is read as the maximum, and stored that way with its next change. */
export function withinQuotas(definition: TableDefinition): TableDefinition {
  const { billing, globalIndexes } = definition
  if (isWithinQuotas(billing) && globalIndexes.every(isWithinQuotas)) return definition
  return { ...definition, billing: bounded(billing), globalIndexes: globalIndexes.map(bounded) }
}

type Given = Pick<IndexDefinition, 'throughput' | 'onDemandLimits' | 'warmThroughput'>

const throughputs = ['throughput', 'onDemandLimits', 'warmThroughput'] as const satisfies readonly (keyof Given)[]

const unitNames: ReadonlySet<string> = new Set([
  'readUnits',
  'writeUnits',
  'maxReadUnits',
  'maxWriteUnits',
  'readUnitsPerSecond',
  'writeUnitsPerSecond',
])

function isWithinQuotas(given: Given): boolean {
  return throughputs.every((name) =>
    Object.entries(given[name] ?? {}).every(
      ([member, value]) => !unitNames.has(member) || boundedUnits(value) === value,
    ),
  )
}

function bounded<T extends Given>(given: T): T {
  const changed: Record<string, unknown> = {}
  for (const name of throughputs) {
    const members = given[name]
    if (members === undefined) continue
    changed[name] = Object.fromEntries(
      Object.entries(members).map(([member, value]) => [
        member,
        unitNames.has(member) ? boundedUnits(value) : value,
      ]),
    )
  }
  return { ...given, ...changed }
}

/** JSON has no infinity: infinity and NaN were stored as null. */
function boundedUnits(units: unknown): number {
  if (typeof units !== 'number') return limits.throughputPerTable
  return Math.min(Math.max(0, units), limits.throughputPerTable)
}
