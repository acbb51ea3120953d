import { limits } from '@hashrange/core'
import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'

/** A definition whose throughput is within the service's quotas. Earlier versions took any number, and stored what no table
 *  can have: such a definition is read as the most there is, and stored so with its next change. */
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

/** JSON has no infinity: what was one, or no number at all, was stored as null. */
function boundedUnits(units: unknown): number {
  if (typeof units !== 'number') return limits.throughputPerTable
  return Math.min(Math.max(0, units), limits.throughputPerTable)
}
