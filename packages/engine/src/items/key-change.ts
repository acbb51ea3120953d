import type { Key, Write } from '../store/store.ts'
import type { StoredItem } from './stored-item.ts'

/** What a write to the store means: which item it belongs to, where it is visible, and what was there before. It
 *  accompanies the write for code that observes writes; a store does not use it. */
export class KeyChange {
  readonly itemKey: Key
  /** The table's identifier, also for its local indexes, which change with it, or the global index's own. */
  readonly placeId: number
  readonly previous: StoredItem | undefined

  constructor(itemKey: Key, placeId: number, previous: StoredItem | undefined) {
    this.itemKey = itemKey
    this.placeId = placeId
    this.previous = previous
  }
}

/** A write that says what it changes. */
export type KeyWrite = Write & { readonly change: KeyChange }

/** What a write changes of an item; undefined if it is a different kind of write. */
export function changeOf(write: Write): KeyChange | undefined {
  return 'change' in write && write.change instanceof KeyChange ? write.change : undefined
}
