import type { Finding } from '../finding.ts'

/** What keeping the derived items of a model costs, and where it concentrates. */
export interface DerivedReport {
  readonly model: string
  readonly sources: readonly SourceReport[]
  readonly findings: readonly Finding[]
}

/** What a change of one entity costs in derived items: units of the handler alone. */
export interface SourceReport {
  readonly source: string
  readonly derivations: readonly string[]
  /** A new item, delivered in a batch of its own. */
  readonly insert: ChangeCost
  /** A new item, in a batch of a hundred. */
  readonly insertInBatch: ChangeCost
  readonly remove: ChangeCost
  /** Which share of the items counts for the busiest derived item; undefined if there are no counters or sums. */
  readonly busiest: BusiestItem | undefined
  /** Changes a second at the peak, as the model declares them. */
  readonly peakRate: number
}

export interface BusiestItem {
  readonly derivation: string
  readonly target: string
  readonly share: number
}

export interface ChangeCost {
  readonly readUnits: number
  readonly writeUnits: number
}
