/** Dollars a month. */
export interface ModelCost {
  readonly model: string
  readonly region: string
  /** Another region, if those of this one are not recorded. */
  readonly pricesOf: string
  readonly pricesFrom: string
  readonly patterns: readonly PatternCost[]
  readonly storage: readonly StorageCost[]
  /** Replicas of global tables, and what was asked for besides: backups, exports, reads of streams. */
  readonly others: readonly OtherCost[]
  readonly onDemand: ModelCharges
  readonly provisioned: ModelCharges & {
    /** Units that must be provisioned for the declared peak at the target utilisation. */
    readonly readUnits: number
    readonly writeUnits: number
  }
  /** If provisioned capacity was reserved: the terms that save something, shortest first. */
  readonly reserved: readonly ReservedCost[]
  readonly breakEven: BreakEven
  /** What the figures leave out, because the model does not say it. */
  readonly unknown: {
    readonly patternsWithoutRate: readonly string[]
    /** Those that were rejected or could not be tried; the checker says why. */
    readonly patternsNotRun: readonly string[]
    readonly entitiesWithoutVolume: readonly string[]
  }
}

export interface Charges {
  readonly reads: number
  readonly writes: number
  readonly storage: number
  readonly total: number
}

export interface ModelCharges extends Charges {
  /** The sum of `others`. */
  readonly others: number
}

export interface PatternCost {
  readonly pattern: string
  /** Calls a second; undefined if the model does not say. */
  readonly rate: number | undefined
  readonly peakRate: number | undefined
  /** Of one call, indexes included. */
  readonly readUnits: number
  readonly writeUnits: number
  /** The part of the write units that indexes take. */
  readonly indexWriteUnits: number
  readonly onDemand: number
  readonly provisioned: number
  /** Whether it was run; the figures of one that was not are not zero but unknown. */
  readonly isKnown: boolean
}

export interface StorageCost {
  readonly place: string
  readonly kind: 'table' | 'index' | 'backup'
  readonly bytes: number
  readonly dollars: number
}

export interface OtherCost {
  readonly name: string
  readonly onDemand: number
  readonly provisioned: number
}

export interface ReservedCost {
  readonly years: 1 | 3
  /** How many units are reserved; what is needed beyond them is paid for by the hour. */
  readonly readUnits: number
  readonly writeUnits: number
  /** Paid once, for the whole term. */
  readonly upfront: number
  /** Everything, with the month's share of what was paid at once. */
  readonly perMonth: number
}

/** When which way of paying is the cheaper one. */
export interface BreakEven {
  /** Provisioned capacity that is used above this share, on average, costs less than on-demand. */
  readonly readUtilisation: number
  readonly writeUtilisation: number
  /** It does so while the peak is below this many times the average. */
  readonly peakToAverage: number
  readonly cheaper: 'on-demand' | 'provisioned'
}
