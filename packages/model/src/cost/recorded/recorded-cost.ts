import type { Charges } from '../model-cost.ts'
import type { TableClass } from './recorded-traffic.ts'

/** What recorded traffic would cost if it went on like that for a month, in dollars, by each way of paying. */
export interface RecordedCost {
  readonly region: string
  /** Another region, if those of this one are not recorded. */
  readonly pricesOf: string
  readonly pricesFrom: string
  /** Set if only the provisioned rate of the region is known, and the other prices are estimates. */
  readonly isEstimated?: boolean
  readonly fromMs: number
  readonly minutes: number
  readonly targetUtilisation: number
  /** Those that were used, most expensive first. */
  readonly tables: readonly RecordedTableCost[]
  readonly total: WaysToPay
  /** The names of the tables that were not used; what they store is not in the total. */
  readonly unusedTables: readonly string[]
  readonly advice: string
}

export interface RecordedTableCost {
  readonly tableName: string
  readonly accountId: string
  readonly region: string
  readonly billingMode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly tableClass: TableClass
  /** What it would cost in the other table class, by the cheapest way; absent if those prices are not known. */
  readonly inOtherClass?: number
  readonly places: readonly RecordedPlaceCost[]
  readonly total: WaysToPay
  readonly cheapest: WayToPay
  readonly advice: string
}

export interface RecordedPlaceCost extends WaysToPay {
  readonly indexName?: string | undefined
  readonly bytes: number
  readonly reads: Demand
  readonly writes: Demand
}

/** Units a second. */
export interface Demand {
  readonly average: number
  /** Of the busiest minute. */
  readonly peak: number
  /** What auto scaling would have provisioned, on average, at least and at most. */
  readonly scaledAverage: number
  readonly scaledLeast: number
  readonly scaledMost: number
  /** The share of the units that auto scaling would have come too late for. */
  readonly scaledThrottledShare: number
}

export type WayToPay = keyof WaysToPay

export interface WaysToPay {
  readonly onDemand: Charges
  /** Provisioned for the busiest minute, and not a unit more. */
  readonly provisionedAtPeak: Charges
  /** Provisioned so that the busiest minute uses the target share of it. */
  readonly provisioned: Charges
  readonly autoScaled: Charges
}
