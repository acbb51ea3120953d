import type { Capacity } from '../capacity/capacity.ts'
import type { MaybePromise, Snapshot, Store } from '../store/store.ts'

/** What it takes to read items. */
export interface Reading {
  readonly store: Store
  readonly capacity: Capacity
  /** Runs a read of items against one snapshot, of a replica perhaps if it need not be consistent. */
  view<T>(consistent: boolean, read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T>
  /** What a read of items sees of a snapshot: all of it if it is strongly consistent, and otherwise perhaps less. */
  seen(snapshot: Snapshot, consistent: boolean): Snapshot
}
