import type { AttributeValue } from '../../../api-types.ts'

// The responses of packages/hashrange/src/workbench/heat; test/workbench/answers.test.ts checks that the two agree.

export const rangeNames = ['5m', '1h', '24h', '7d', '30d'] as const
export type RangeName = (typeof rangeNames)[number]

export type Side = 'read' | 'write'

export interface HeatOverview {
  readonly atMs: number
  readonly tables: readonly TableOverview[]
  readonly leftOut: number
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
  readonly readShare: number
  readonly writeShare: number
  readonly readMinutes: readonly number[]
  readonly writeMinutes: readonly number[]
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

export interface TableHeat {
  readonly atMs: number
  readonly range: { readonly fromMs: number; readonly toMs: number; readonly periodMs: number }
  readonly table: Omit<TableOverview, 'places'>
  readonly places: readonly PlaceHeat[]
  readonly operations: readonly OperationHistory[]
  readonly errors: readonly ErrorHistory[]
}

export interface PlaceHeat {
  readonly report: PlaceNow & { readonly partitions: readonly PartitionNow[] }
  readonly history: PlaceHistory
  readonly keyRanges: KeyRangeHistory
  readonly keys: TopKeys
}

export interface TopKeys extends Readonly<
  Record<'reads' | 'writes' | 'throttledReads' | 'throttledWrites', readonly TopKey[]>
> {
  /** All that was used in the same time, by whatever key. */
  readonly readUnits: number
  readonly writeUnits: number
  readonly seconds: number
}

/** Only the ranges that were used, of the periods in which there are any. */
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

export interface PlaceHistory {
  readonly timesMs: readonly number[]
  readonly read: readonly number[]
  readonly write: readonly number[]
  readonly provisionedRead: readonly (number | null)[]
  readonly provisionedWrite: readonly (number | null)[]
  readonly readThrottles: readonly number[]
  readonly writeThrottles: readonly number[]
  readonly readWouldThrottles: readonly number[]
  readonly writeWouldThrottles: readonly number[]
  readonly reasons: readonly { readonly name: string; readonly count: number }[]
}

export interface TopKey {
  readonly values: readonly AttributeValue[]
  readonly text: string
  readonly amount: number
  readonly overestimate: number
}

export interface OperationHistory {
  readonly operation: string
  readonly timesMs: readonly number[]
  readonly p50Ms: readonly (number | null)[]
  readonly p99Ms: readonly (number | null)[]
  readonly requests: readonly number[]
  readonly throttled: number
  readonly systemErrors: number
}

export interface ErrorHistory {
  readonly name: string
  readonly timesMs: readonly number[]
  readonly counts: readonly number[]
}
