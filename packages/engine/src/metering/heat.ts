import type { Partition } from '../partitions/partition.ts'
import { partitionLimits } from '../partitions/partition-limits.ts'
import { hotKeyOf } from './hot-key.ts'
import { mergeKeys } from './ranked-keys.ts'
import type { Heat, HotKey, KeyRanking, PartitionHeat } from './metrics.ts'
import type { ResourceMeter } from './resource-meter.ts'
import { secondFields } from './seconds-ring.ts'

const keysShown = 10
const minutesShown = 60

/** How hot a table or index is now; undefined if there are no partitions. */
export function heatOf(meter: ResourceMeter, nowMs: number): Heat | undefined {
  const { model, name, seconds } = meter
  if (model === undefined || name.tableName === undefined) return undefined
  const now = Math.floor(nowMs / 1000)
  const perSecond = (field: number): number => seconds.sum(field, now - 9, now + 1) / 10
  const lastMinute = (field: number): number => seconds.sum(field, now - 59, now + 1)
  return {
    tableName: name.tableName,
    indexName: name.indexName,
    readUnitsPerSecond: perSecond(secondFields.readUnits),
    writeUnitsPerSecond: perSecond(secondFields.writeUnits),
    readThrottles: lastMinute(secondFields.readThrottles),
    writeThrottles: lastMinute(secondFields.writeThrottles),
    readWouldThrottles: lastMinute(secondFields.readWouldThrottles),
    writeWouldThrottles: lastMinute(secondFields.writeWouldThrottles),
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
  if (!partition.isUsed) return { ...range, ...unused }
  const { use } = partition
  const minute = Math.floor(nowMs / 60_000)
  const history = (field: 'read' | 'write'): readonly number[] =>
    Array.from({ length: minutesShown }, (_, position) => use.inMinute(minute - minutesShown + 1 + position, field))
  return {
    ...range,
    readUnitsPerSecond: use.unitsPerSecond('read', nowMs),
    writeUnitsPerSecond: use.unitsPerSecond('write', nowMs),
    readThrottles: use.inMinute(minute, 'readThrottles'),
    writeThrottles: use.inMinute(minute, 'writeThrottles'),
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
  return mergeKeys(current, previous, keysShown)
    .toSorted((a, b) => b.amount - a.amount)
    .map(hotKeyOf)
}
