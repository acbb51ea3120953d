import {
  applyUpdate,
  itemSizeBytes,
  limits,
  updateTooLarge,
  validationException,
  type Item,
  type Update,
} from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { checkSizeWithEntries } from './check-item-size.ts'
import { checkUpdatedItem } from './check-schema.ts'
import { StoredItem } from './stored-item.ts'
import { checkVectors } from './vector-entry.ts'

/** The result of an update. Without an update expression, a missing item is created with its key alone; an update
 *  that only removes leaves it missing. */
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
  if (sizeBytes > limits.itemSizeBytes) throw validationException(updateTooLarge)
  checkUpdatedItem(table, item)
  checkVectors(table, item, 'update')
  const stored = StoredItem.of(item, sizeBytes)
  checkSizeWithEntries(table, stored, updateTooLarge)
  return stored
}
