import { limits, validationException, type Item } from '@hashrange/core'
import { readUnits, tableUnits } from '../capacity/units.ts'
import type { Table } from '../catalog/table.ts'
import type { ItemWriting } from '../items/change-item.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import type { Key, Value } from '../store/store.ts'
import { assertTransactable } from '../strong/strong-replicas.ts'
import { assertApart } from './assert-apart.ts'
import { forAllOrCancel } from './cancellation.ts'
import { UnitsByTable } from './units-by-table.ts'

export interface ItemsRead {
  /** In the order of the keys. */
  readonly values: readonly (Value | undefined)[]
  readonly units: UnitsByTable
}

/** Reads items as a transaction does: all as of one moment, and at twice the price. The keys have been checked. */
export async function readTogether(
  engine: ItemWriting,
  gets: readonly { readonly table: Table; readonly tableName: string; readonly key: Item }[],
): Promise<ItemsRead> {
  for (const { table } of gets) assertTransactable(table)
  const keys = gets.map(({ table, key }) => keyInTable(table, key))
  assertApart(keys)
  forAllOrCancel(gets, ({ table, key }, position) => {
    engine.capacity.assertTakes(table, 'read', keyAt(keys, position), key)
  })
  const held = gets.map(({ table }, position) => ({ table, key: keyAt(keys, position) }))
  const admission = engine.capacity.admitTogether('read', held, 2)
  const values = await engine.store.view((snapshot) => snapshot.getMany(keys))
  const units = new UnitsByTable()
  let bytes = 0
  gets.forEach(({ table, tableName, key }, position) => {
    const value = values[position]
    const sizeBytes = value === undefined ? 0 : storedSizeBytes(value)
    bytes += sizeBytes
    const itemUnits = 2 * readUnits(sizeBytes, true)
    engine.capacity.didRead(table, undefined, keyAt(keys, position), itemUnits, key)
    units.add(table.name, tableUnits(itemUnits), tableName)
  })
  admission?.release()
  if (bytes > limits.transactionBytes) {
    throw validationException('Collection of items exceeds the maximum size of a transaction: 4 MB')
  }
  return { values, units }
}

function keyAt(keys: readonly Key[], position: number): Key {
  const key = keys[position]
  if (key === undefined) throw new Error('every item has its key')
  return key
}
