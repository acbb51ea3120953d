import { keyHeaderBytes } from '../layout/item-keys.ts'
import { keySpace, movedItemKey, spaceRange } from '../layout/key-space.ts'
import type { Key, Range, Value } from '../store/store.ts'

/** Says of an item that there was none. ON DISK. */
export const noItem: Value = Buffer.of(0)

export function isNoItem(value: Value): boolean {
  return value[0] === 0
}

/** Where what an item was is kept, under an identifier of its own. */
export function keptItemKey(keptId: number, itemKey: Key): Key {
  return movedItemKey(keySpace.keptItem, keptId, itemKey)
}

/** The same part of what is kept, of a table's items or of a part of them. */
export function keptRange(keptId: number, { from, to }: Range): { readonly from: Key; readonly to: Key } {
  // The last part ends where the next table begins, and so with the next identifier.
  const endsWithin = Buffer.compare(from.subarray(0, keyHeaderBytes), to.subarray(0, keyHeaderBytes)) === 0
  return {
    from: keptItemKey(keptId, from),
    to: endsWithin ? keptItemKey(keptId, to) : spaceRange(keySpace.keptItem, keptId).to,
  }
}
