import type { AttributeValue } from '@hashrange/core'

// What the server answers about heat.

export const rangeNames = ['5m', '1h', '24h', '7d', '30d'] as const
export type RangeName = (typeof rangeNames)[number]

export type Side = 'read' | 'write'

export interface HeatOverview {
  readonly atMs: number
  readonly tables: readonly TableOverview[]
  /** How many tables were left out, because there are too many. */
  readonly leftOut: number
  /** Requests of the last minute or so that were rejected as invalid. */
  readonly userErrors: number
}

export interface TableOverview {
  readonly tableName: string
  readonly status: string
  readonly billingMode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly places: readonly PlaceOverview[]
  readonly operations: readonly OperationNow[]
}

export interface PlaceOverview extends PlaceNow {
  /** The share of its capacity that the busiest partition uses, now and in each of the last 60 minutes. */
  readonly readShare: number
  readonly writeShare: number
  readonly readMinutes: readonly number[]
  readonly writeMinutes: readonly number[]
  /** The key that was used most in the last minute or two, and its share of all use. */
  readonly hottestRead?: HottestKey
  readonly hottestWrite?: HottestKey
}

export interface HottestKey {
  readonly text: string
  readonly share: number
}

export interface OperationNow {
  readonly operation: string
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maximumMs: number
  readonly throttled: number
  readonly systemErrors: number
}

/** A table or a global index, as it is now. */
export interface PlaceNow {
  readonly indexName?: string
  readonly status: string
  readonly items: number
  readonly bytes: number
  readonly provisioned?: { readonly readUnits: number; readonly writeUnits: number }
  readonly readCapacity: number
  readonly writeCapacity: number
  readonly readUnitsPerSecond: number
  readonly writeUnitsPerSecond: number
  readonly readThrottles: number
  readonly writeThrottles: number
  readonly readWouldThrottles: number
  readonly writeWouldThrottles: number
  readonly partitionCount: number
}

/** Keys are hashes in hexadecimal; an empty `toKey` is the end of all keys. */
export interface PartitionNow {
  readonly fromKey: string
  readonly toKey: string
  readonly readUnitsPerSecond: number
  readonly writeUnitsPerSecond: number
  readonly readCapacity: number
  readonly writeCapacity: number
  readonly readThrottles: number
  readonly writeThrottles: number
  readonly readHistory: readonly number[]
  readonly writeHistory: readonly number[]
}

/** How far back the page shows, and how finely. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
  readonly periodMs: number
}

/** Everything that the page of a table shows. */
export interface TableHeat {
  /** Why keys are not shown, to those who may not see them. */
  readonly keysDenied?: string
  readonly atMs: number
  readonly range: TimeRange
  readonly table: Omit<TableOverview, 'places'>
  readonly places: readonly PlaceHeat[]
  readonly operations: readonly OperationHistory[]
  readonly errors: readonly ErrorHistory[]
}

export interface PlaceHeat {
  /** What it does now. */
  readonly report: PlaceNow & { readonly partitions: readonly PartitionNow[] }
  readonly history: PlaceHistory
  readonly keyRanges: KeyRangeHistory
  readonly keys: TopKeys
}

/** Partition keys, by what they are ranked for. */
export interface TopKeys extends Readonly<
  Record<'reads' | 'writes' | 'throttledReads' | 'throttledWrites', readonly TopKey[]>
> {
  /** All units in the same time, of these keys, of all others, and of reads without a key. */
  readonly readUnits: number
  readonly writeUnits: number
  readonly seconds: number
}

/** What the ranges of keys used in each period with any use, also before they were split. There are no seconds: the
 *  finest is a minute. */
export interface KeyRangeHistory {
  readonly periodMs: number
  readonly periods: readonly KeyRangePeriod[]
}

export interface KeyRangePeriod {
  readonly atMs: number
  readonly ranges: readonly KeyRangeUse[]
  readonly leftOut: number
}

export interface KeyRangeUse {
  readonly fromKey: string
  readonly toKey: string
  readonly readUnits: number
  readonly writeUnits: number
  readonly readThrottles: number
  readonly writeThrottles: number
}

/** The use of a table or an index over a time. Lists have an entry for each period, by its start. */
export interface PlaceHistory {
  readonly timesMs: readonly number[]
  /** Units a second, on average over the period. */
  readonly read: readonly number[]
  readonly write: readonly number[]
  /** What was provisioned; null where it was on demand. */
  readonly provisionedRead: readonly (number | null)[]
  readonly provisionedWrite: readonly (number | null)[]
  /** Requests. */
  readonly readThrottles: readonly number[]
  readonly writeThrottles: readonly number[]
  readonly readWouldThrottles: readonly number[]
  readonly writeWouldThrottles: readonly number[]
  /** Why requests were throttled, or would have been: the metric's name and how many. */
  readonly reasons: readonly { readonly name: string; readonly count: number }[]
}

export interface TopKey {
  readonly values: readonly AttributeValue[]
  readonly text: string
  readonly amount: number
  readonly overestimate: number
}

/** The use of one operation on a table, period by period: null where there was no request. */
export interface OperationHistory {
  readonly operation: string
  readonly timesMs: readonly number[]
  readonly p50Ms: readonly (number | null)[]
  readonly p99Ms: readonly (number | null)[]
  readonly requests: readonly number[]
  /** In the whole time. */
  readonly throttled: number
  readonly systemErrors: number
}

export interface ErrorHistory {
  readonly name: string
  readonly timesMs: readonly number[]
  readonly counts: readonly number[]
}
