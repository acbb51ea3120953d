import type { Item } from '@hashrange/core'

/** The global tables of an account, and what is wrong with regions on purpose. */
export interface RegionsAnswer {
  /** Every region that has a replica, or with which something is wrong. */
  readonly regions: readonly RegionState[]
  readonly tables: readonly GlobalTable[]
  /** The servers of other regions, if this one is linked to any and the user may know. */
  readonly servers?: readonly LinkedServer[]
}

export interface LinkedServer {
  readonly region: string
  readonly url: string
  /** In words. */
  readonly state: string
  readonly isDown: boolean
  /** Why it is down. */
  readonly error?: string
  /** How far the clock there is ahead of the server’s. */
  readonly clockAheadMs: number
}

export interface RegionState {
  readonly name: string
  readonly isIsolated: boolean
  readonly isDown: boolean
  readonly lagMs: number
}

export interface GlobalTable {
  readonly tableName: string
  readonly replicas: readonly { readonly region: string; readonly status: string }[]
  readonly links: readonly ReplicationLink[]
}

/** What one replica must still send to another. */
export interface ReplicationLink {
  readonly from: string
  readonly to: string
  readonly isCut: boolean
  /** Counting ends at 10,000. */
  readonly pending: number
  readonly lagMs: number
}

/** Two writes of an item, of which neither had seen the other. */
export interface ReplicationConflict {
  readonly tableName: string
  readonly key: Item
  readonly winner: ConflictingWrite
  readonly loser: ConflictingWrite
}

export interface ConflictingWrite {
  readonly region: string
  readonly atMs: number
  readonly microsecond: number
  readonly isDeletion: boolean
  /** What the loser had written; null if it deleted the item, or the item is too large to be kept. */
  readonly item: Item | null
}

export interface ConflictsAnswer {
  /** The newest first. */
  readonly conflicts: readonly ReplicationConflict[]
  readonly total: number
}
