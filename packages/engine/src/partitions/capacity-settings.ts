import type {
  IndexDefinition,
  OnDemandLimits,
  TableDefinition,
  Throughput,
  WarmThroughput,
} from '../definitions/table-definition.ts'
import type { CapacitySettings } from './partition-model.ts'

/** The settings of a table, for the model of its partitions. */
export function capacitySettings(definition: TableDefinition): CapacitySettings {
  const { billing, keySchema, localIndexes } = definition
  return settingsOf(billing.mode, billing, keySchema.range.length > 0 && localIndexes.length === 0)
}

export function indexCapacitySettings(definition: TableDefinition, index: IndexDefinition): CapacitySettings {
  return settingsOf(definition.billing.mode, index, index.keySchema.range.length > 0)
}

interface Given {
  readonly throughput?: Throughput
  readonly warmThroughput?: WarmThroughput
  readonly onDemandLimits?: OnDemandLimits
}

function settingsOf(mode: CapacitySettings['mode'], given: Given, divisible: boolean): CapacitySettings {
  const { throughput, warmThroughput, onDemandLimits } = given
  const onDemand = mode === 'PAY_PER_REQUEST'
  return {
    mode,
    read: throughput?.readUnits ?? 0,
    write: throughput?.writeUnits ?? 0,
    warmRead: warmThroughput?.readUnitsPerSecond ?? (onDemand ? 12_000 : 0),
    warmWrite: warmThroughput?.writeUnitsPerSecond ?? (onDemand ? 4_000 : 0),
    maximumRead: onDemandLimits?.maxReadUnits,
    maximumWrite: onDemandLimits?.maxWriteUnits,
    divisible,
  }
}
