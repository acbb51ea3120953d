import { applyUpdate, itemSizeBytes, limits, validationException, type Item, type Update } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { checkUpdatedItem } from './check-schema.ts'
import { StoredItem } from './stored-item.ts'

/** What an update makes of an item. Without an update, an item that was missing comes to be with its key alone; an
 *  update that only takes away leaves it missing. */
export function updatedItem(
  table: Table,
  update: Update | undefined,
  key: Item,
  previous: StoredItem | undefined,
): StoredItem | undefined {
  if (update === undefined) return previous ?? StoredItem.of(key)
  const { item } = applyUpdate(update, previous?.item, key)
  if (item === undefined) return undefined
  const sizeBytes = itemSizeBytes(item)
  if (sizeBytes > limits.itemSizeBytes) {
    throw validationException('Item size to update has exceeded the maximum allowed size')
  }
  checkUpdatedItem(table, item)
  return StoredItem.of(item, sizeBytes)
}
