import type { Item } from '@hashrange/core'
import { itemKey } from '../layout/item-keys.ts'
import type { Key } from '../store/store.ts'
import type { Table } from './table.ts'

/** Where a table stores an item, or would store it. */
export function keyInTable(table: Table, item: Item): Key {
  const { tableId, keySchema, attributeTypes } = table.definition
  return itemKey(tableId, keySchema, attributeTypes, item)
}
