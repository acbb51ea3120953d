import { keyHeaderBytes } from '../layout/item-keys.ts'
import { keySpace, movedItemKey, spaceRange } from '../layout/key-space.ts'
import type { Key, Range, Value } from '../store/store.ts'

/** Says that there was no item. ON DISK. */
export const noItem: Value = Buffer.of(0)

export function isNoItem(value: Value): boolean {
  return value[0] === 0
}

/** Where the previous state of an item is kept, under an identifier of its own. */
export function keptItemKey(keptId: number, itemKey: Key): Key {
  return movedItemKey(keySpace.keptItem, keptId, itemKey)
}

/** The corresponding part of what is kept, for all items of a table or some of them. */
export function keptRange(keptId: number, { from, to }: Range): { readonly from: Key; readonly to: Key } {
  // The last part ends where the next table, and so the next identifier, begins.
  const endsWithin = Buffer.compare(from.subarray(0, keyHeaderBytes), to.subarray(0, keyHeaderBytes)) === 0
  return {
    from: keptItemKey(keptId, from),
    to: endsWithin ? keptItemKey(keptId, to) : spaceRange(keySpace.keptItem, keptId).to,
  }
}
