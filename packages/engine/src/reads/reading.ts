import type { Capacity } from '../capacity/capacity.ts'
import type { MaybePromise, Snapshot, Store } from '../store/store.ts'

/** What is needed to read items. */
export interface Reading {
  readonly store: Store
  readonly capacity: Capacity
  /** Reads items from one snapshot, perhaps of a replica if the read need not be consistent. */
  view<T>(consistent: boolean, read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T>
  /** What a read of items sees of a snapshot: all of it if the read is strongly consistent, and perhaps less
   *  otherwise. */
  seen(snapshot: Snapshot, consistent: boolean): Snapshot
}
