import type { Key, Write } from '../store/store.ts'
import type { StoredItem } from './stored-item.ts'

/** What a write to the store means: which item it belongs to, where it is seen, and what stood there before. It goes along
 *  with the write for whoever watches writes go by; a store has no use for it. */
export class KeyChange {
  readonly itemKey: Key
  /** The table's identifier, also for its local indexes, which change with it; a global index's own. */
  readonly placeId: number
  readonly previous: StoredItem | undefined

  constructor(itemKey: Key, placeId: number, previous: StoredItem | undefined) {
    this.itemKey = itemKey
    this.placeId = placeId
    this.previous = previous
  }
}

/** A write that tells what it changes. */
export type KeyWrite = Write & { readonly change: KeyChange }

/** What a write changes of an item; nothing if it is of another kind. */
export function changeOf(write: Write): KeyChange | undefined {
  return 'change' in write && write.change instanceof KeyChange ? write.change : undefined
}
