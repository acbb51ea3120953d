import type { AttributeValue } from '@hashrange/core'
import type { Scope } from '../scope.ts'
import type { Metric } from './metric-names.ts'

/** Reads what the meters have counted: for CloudWatch's API, /metrics, auto scaling, Contributor Insights, `top`,
 *  `cost` and the workbench. Available as `engine.metrics`. Times are those of the engine's clock. */
export interface Metrics {
  /** The accounts and regions in which anything was counted. */
  scopes(): Promise<readonly Scope[]>
  /** The series that have datapoints in the last two weeks, or that always have a value (such as what is
   *  provisioned). */
  list(scope: Scope): Promise<readonly Metric[]>
  /** The datapoints of one series from `fromMs` up to `toMs`, in order of time, without empty ones. `periodMs` is a
   *  multiple of a minute, or below that a multiple of a second, which is only available for the last five minutes
   *  and only for the units and throttles of tables and indexes. Datapoints are aligned to the period. */
  series(
    scope: Scope,
    metric: Metric,
    fromMs: number,
    toMs: number,
    periodMs: number,
  ): Promise<readonly Datapoint[]>
  /** Everything that was counted since this process started: numbers that only increase, as Prometheus expects. */
  totals(): Iterable<Total>
  /** How hot the tables and indexes of a scope are, or one table and its indexes; only those with recent traffic. */
  heat(scope: Scope, tableName?: string): readonly Heat[]
  /** The keys that were used, or throttled, most between two moments, most first; at most `limit` of them. */
  topKeys(request: TopKeysRequest): Promise<readonly HotKey[]>
  /** What each range of keys used in each period from `fromMs` up to `toMs`, in order of time, without empty ones. */
  keyRanges(request: KeyRangesRequest): Promise<readonly KeyRangePeriod[]>
  /** Units consumed in each second (of the last five minutes), or in each minute or more (of the past days), without
   *  empty ones. */
  consumption(
    scope: Scope,
    tableName: string,
    indexName: string | undefined,
    fromMs: number,
    toMs: number,
    resolution: ConsumptionResolution,
  ): Promise<readonly Consumption[]>
  /** Whether single items (partition and sort key) are ranked as well as partition keys, as Contributor Insights
   *  shows them. Costs a little more. */
  rankItems(scope: Scope, tableName: string, indexName: string | undefined, on: boolean): void
}

export interface Datapoint {
  /** The start of its period. */
  readonly atMs: number
  readonly sampleCount: number
  readonly sum: number
  readonly minimum: number
  readonly maximum: number
  /** For latencies: the value below which the fraction `p`, from 0 to 1, of the samples lies; for other metrics an estimate
   *  between minimum and maximum. */
  quantile(p: number): number
}

export interface Total extends Metric {
  readonly scope: Scope
  readonly sampleCount: number
  readonly sum: number
  /** For latencies: how many samples were at most `atMost` (milliseconds), for increasing bounds; the last is the
   *  rest. */
  readonly buckets?: readonly { readonly atMost: number; readonly count: number }[]
}

export interface Consumption {
  readonly atMs: number
  readonly readUnits: number
  readonly writeUnits: number
  readonly readThrottles: number
  readonly writeThrottles: number
  /** Requests that enforcement would have throttled. */
  readonly readWouldThrottles: number
  readonly writeWouldThrottles: number
}

export type ConsumptionResolution = 'second' | 'minute' | 'fiveMinutes' | 'hour'

/** Units a second, on the average of the last ten seconds; requests of the last minute. */
export interface HeatTotals {
  readonly readUnitsPerSecond: number
  readonly writeUnitsPerSecond: number
  readonly readThrottles: number
  readonly writeThrottles: number
  /** Requests that enforcement would have throttled. */
  readonly readWouldThrottles: number
  readonly writeWouldThrottles: number
}

/** A table or global index, its partitions and its hottest keys. Local indexes count towards their table. */
export interface Heat extends HeatTotals {
  readonly tableName: string
  readonly indexName: string | undefined
  /** Its total capacity according to the model of the service, and what was set, if anything. */
  readonly readCapacity: number
  readonly writeCapacity: number
  readonly partitions: readonly PartitionHeat[]
  /** For the last minute or two, by units. */
  readonly hottestReads: readonly HotKey[]
  readonly hottestWrites: readonly HotKey[]
  /** Throttled or would have been, by requests. */
  readonly mostThrottledReads: readonly HotKey[]
  readonly mostThrottledWrites: readonly HotKey[]
}

/** A range of keys, by the hash of the partition key: from `fromKey` up to `toKey`, in hexadecimal. */
export interface PartitionHeat {
  readonly fromKey: string
  /** Empty for the end of all keys. */
  readonly toKey: string
  readonly readUnitsPerSecond: number
  readonly writeUnitsPerSecond: number
  /** Its capacity: the partition's maximum. */
  readonly readCapacity: number
  readonly writeCapacity: number
  /** Counts of the last minute, throttled or would have been. */
  readonly readThrottles: number
  readonly writeThrottles: number
  /** Units of each of the last 60 minutes, the oldest first, the current one last. */
  readonly readHistory: readonly number[]
  readonly writeHistory: readonly number[]
}

export interface KeyRangesRequest {
  readonly scope: Scope
  readonly tableName: string
  readonly indexName?: string | undefined
  readonly fromMs: number
  readonly toMs: number
  /** A multiple of a minute. */
  readonly periodMs: number
  /** The maximum number of ranges per period; the busiest are kept. */
  readonly limit: number
}

/** The ranges that were used in a period, in key order. They do not overlap: what a range used before it was split
 *  within the period is divided among its parts by how many hashes they contain. */
export interface KeyRangePeriod {
  /** The start of the period. */
  readonly atMs: number
  readonly ranges: readonly KeyRangeUse[]
  /** How many others were used. */
  readonly leftOut: number
}

/** What a range of keys, by the hash of the partition key in hexadecimal, used in a period. */
export interface KeyRangeUse {
  readonly fromKey: string
  /** Empty for the end of all keys. */
  readonly toKey: string
  readonly readUnits: number
  readonly writeUnits: number
  /** Requests, throttled or would have been. */
  readonly readThrottles: number
  readonly writeThrottles: number
}

/** A partition key, or a whole key, and how much it was used. */
export interface HotKey {
  /** The values of the key's attributes in the order of its schema: the partition key's, then the sort key's if whole
   *  keys are ranked. */
  readonly values: readonly AttributeValue[]
  /** As people read it: `USER#1`, `USER#1 | ORDER#7`. */
  readonly text: string
  /** Units, or requests for throttles. At most `overestimate` too high: the memory for counting many keys is limited,
   *  and so is the precision. */
  readonly amount: number
  readonly overestimate: number
}

export interface TopKeysRequest {
  readonly scope: Scope
  readonly tableName: string
  readonly indexName?: string | undefined
  readonly fromMs: number
  readonly toMs: number
  readonly ranking: KeyRanking
  /** The resolution to read, one minute by default. A coarser one is faster over a long time, and less exact. */
  readonly periodMs?: number | undefined
  /** Whole keys instead of partition keys; available once `rankItems` was called. */
  readonly items?: boolean | undefined
  readonly limit: number
}

export type KeyRanking = 'reads' | 'writes' | 'throttledReads' | 'throttledWrites'
