import type { Capacity } from '../capacity/capacity.ts'
import type { Snapshot, Store } from '../store/store.ts'

/** What it takes to read items. */
export interface Reading {
  readonly store: Store
  readonly capacity: Capacity
  /** What a read of items sees of a snapshot: all of it if it is strongly consistent, and otherwise perhaps less. */
  seen(snapshot: Snapshot, consistent: boolean): Snapshot
}
