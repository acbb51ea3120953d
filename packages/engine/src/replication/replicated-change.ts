import type { IndexKeys } from '../items/index-keys.ts'
import type { ItemStamp } from '../stamps/item-stamp.ts'
import type { Key, Value } from '../store/store.ts'

/** The state of one item after a write, as one replica passes it to another. Replicas exchange states, not operations:
 *  a state that arrives twice, or after a later one, changes nothing. */
export interface ReplicatedChange {
  /** The item's key in the store. The table in it may be any of the replicas. */
  readonly itemKey: Key
  /** With a tombstone if the write deleted the item. */
  readonly stamp: ItemStamp
  /** The stored item; undefined if it was deleted. */
  readonly item: Value | undefined
  /** Whether the stamp is in the item, and need not be put there. */
  readonly isStamped?: boolean
  /** What the region that made the change has in its change log about it, or about another change. */
  readonly record?: Value | undefined
  /** The keys that the change of the record has in the indexes of that region. */
  readonly indexKeys?: IndexKeys | undefined
}
