import { BareRefusal, itemSizeBytes, limits, readItemIn, type Item } from '@hashrange/core'
import type { RawItem } from '../api/raw-item.ts'
import type { Table } from '../catalog/table.ts'
import { checkSizeWithEntries, putTooLarge } from './check-item-size.ts'
import { checkItem } from './check-schema.ts'
import { StoredItem } from './stored-item.ts'
import { checkVectors } from './vector-entry.ts'

/** Reads an item that a batch or a transaction stores unchanged. */
export function readNewItem(raw: RawItem): StoredItem {
  const item = readItemIn('older', raw)
  return StoredItem.of(item, checkedSizeBytes(item))
}

/** Checks an item that will be stored unchanged against its table. */
export function checkNewItem(table: Table, stored: StoredItem): void {
  checkItem(table, stored.item)
  checkVectors(table, stored.item, 'put')
  checkSizeWithEntries(table, stored, putTooLarge)
}

export function checkedSizeBytes(item: Item): number {
  const sizeBytes = itemSizeBytes(item)
  if (sizeBytes > limits.itemSizeBytes) throw new BareRefusal(putTooLarge)
  return sizeBytes
}
