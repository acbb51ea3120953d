import type { Partition } from '../partitions/partition.ts'
import { partitionLimits } from '../partitions/partition-limits.ts'
import { hotKeyOf } from './hot-key.ts'
import { keysKept, mergeKeys } from './ranked-keys.ts'
import type { Heat, HotKey, KeyRanking, PartitionHeat } from './metrics.ts'
import type { ResourceMeter } from './resource-meter.ts'
import { secondFields } from './seconds-ring.ts'

const keysShown = 10
const minutesShown = 60

/** How hot a table or index is now, on all servers of the store; undefined if there are no partitions. */
export function heatOf(meter: ResourceMeter, nowMs: number): Heat | undefined {
  const { model, name, seconds, elsewhere } = meter
  if (model === undefined || name.tableName === undefined) return undefined
  const now = Math.floor(nowMs / 1000)
  const perSecond = (field: number): number => seconds.sum(field, now - 9, now + 1) / 10
  const lastMinute = (field: number): number => seconds.sum(field, now - 59, now + 1)
  return {
    tableName: name.tableName,
    indexName: name.indexName,
    readUnitsPerSecond: perSecond(secondFields.readUnits) + (elsewhere?.readUnitsPerSecond ?? 0),
    writeUnitsPerSecond: perSecond(secondFields.writeUnits) + (elsewhere?.writeUnitsPerSecond ?? 0),
    readThrottles: lastMinute(secondFields.readThrottles) + (elsewhere?.readThrottles ?? 0),
    writeThrottles: lastMinute(secondFields.writeThrottles) + (elsewhere?.writeThrottles ?? 0),
    readWouldThrottles: lastMinute(secondFields.readWouldThrottles) + (elsewhere?.readWouldThrottles ?? 0),
    writeWouldThrottles: lastMinute(secondFields.writeWouldThrottles) + (elsewhere?.writeWouldThrottles ?? 0),
    readCapacity: model.capacity('read', nowMs),
    writeCapacity: model.capacity('write', nowMs),
    partitions: model.partitions.map((partition) => partitionHeat(partition, nowMs)),
    hottestReads: hottest(meter, 'reads'),
    hottestWrites: hottest(meter, 'writes'),
    mostThrottledReads: hottest(meter, 'throttledReads'),
    mostThrottledWrites: hottest(meter, 'throttledWrites'),
  }
}

/** Most partitions are idle: unused ones have no history, and none is created for a report. */
function partitionHeat(partition: Partition, nowMs: number): PartitionHeat {
  const { from, to } = partition
  const range = {
    fromKey: from.hex,
    toKey: to?.hex ?? '',
    readCapacity: partitionLimits.readUnitsPerSecond,
    writeCapacity: partitionLimits.writeUnitsPerSecond,
  }
  if (!partition.isUsed && partition.elsewhere === undefined) return { ...range, ...unused }
  const minute = Math.floor(nowMs / 60_000)
  const history = (field: 'read' | 'write'): readonly number[] =>
    Array.from({ length: minutesShown }, (_, position) =>
      partition.usedInMinute(minute - minutesShown + 1 + position, field),
    )
  return {
    ...range,
    readUnitsPerSecond: partition.usedPerSecond('read', nowMs),
    writeUnitsPerSecond: partition.usedPerSecond('write', nowMs),
    readThrottles: partition.usedInMinute(minute, 'readThrottles'),
    writeThrottles: partition.usedInMinute(minute, 'writeThrottles'),
    readHistory: history('read'),
    writeHistory: history('write'),
  }
}

const idleMinutes: readonly number[] = Array.from({ length: minutesShown }, () => 0)
const unused = {
  readUnitsPerSecond: 0,
  writeUnitsPerSecond: 0,
  readThrottles: 0,
  writeThrottles: 0,
  readHistory: idleMinutes,
  writeHistory: idleMinutes,
}

function hottest(meter: ResourceMeter, ranking: KeyRanking): readonly HotKey[] {
  const { current, previous } = meter.ranked(ranking)
  const own = mergeKeys(current, previous, keysKept)
  return mergeKeys(own, meter.elsewhere?.keys[ranking] ?? [], keysShown)
    .toSorted((a, b) => b.amount - a.amount)
    .map(hotKeyOf)
}
