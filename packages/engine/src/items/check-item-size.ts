import { limits, validationException } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { indexEntryOf } from './index-entry.ts'
import type { Key } from '../store/store.ts'
import type { StoredItem } from './stored-item.ts'

export const putTooLarge = 'Item size has exceeded the maximum allowed size'

/** An item shares its size limit with its entries in local indexes. No entry is larger than its item, so only large
 *  items need to be checked. `message` is that of the operation. */
export function checkSizeWithEntries(table: Table, stored: StoredItem, message: string): void {
  const { localIndexes } = table.definition
  let bytes = stored.sizeBytes
  if (bytes * (1 + localIndexes.length) <= limits.itemSizeBytes) return
  for (const index of localIndexes) {
    bytes += indexEntryOf(table.definition, index, noKey, stored)?.stored.sizeBytes ?? 0
  }
  if (bytes > limits.itemSizeBytes) throw validationException(message)
}

/** Sizes do not depend on where an entry is stored. */
const noKey: Key = new Uint8Array()
