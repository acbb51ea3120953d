import { limits, readItem, validationException } from '@hashrange/core'
import type { TransactGetItemsInput } from '../api/inputs.ts'
import type { ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { readUnits, tableUnits } from '../capacity/units.ts'
import type { Engine } from '../engine.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { readProjection } from '../expressions/read-query-expressions.ts'
import { keyInTable } from '../items/change-item.ts'
import { checkKey } from '../items/check-schema.ts'
import { showItem, type ShownItem } from '../items/projection.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import { keyText } from '../layout/key-bounds.ts'
import type { Scope } from '../scope.ts'
import { forAllOrCancel } from '../transactions/cancellation.ts'
import { UnitsByTable } from '../transactions/units-by-table.ts'
import { multipleOperationsOnOneItem } from './transact-write-items.ts'

export interface TransactGetItemsOutput {
  readonly Responses: readonly { readonly Item?: ShownItem }[]
  readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined
}

export async function transactGetItems(
  engine: Engine,
  scope: Scope,
  input: TransactGetItemsInput,
): Promise<TransactGetItemsOutput> {
  const gets = input.TransactItems.map(({ Get }) => ({
    key: readItem(Get.Key),
    projection: readProjection(Get),
    table: engine.requireTable(scope, Get.TableName),
  }))
  const keys = forAllOrCancel(gets, ({ table, key, projection }) => {
    checkKey(table, key)
    if (projection !== undefined) checkKeyPaths(table, projection.paths)
    return keyInTable(table, key)
  })
  if (new Set(keys.map((key) => keyText(key))).size < keys.length) throw multipleOperationsOnOneItem()

  const values = await engine.store.view((snapshot) => snapshot.getMany(keys))
  const units = new UnitsByTable()
  let bytes = 0
  const Responses = gets.map(({ table, projection }, position) => {
    const value = values[position]
    const sizeBytes = value === undefined ? 0 : storedSizeBytes(value)
    bytes += sizeBytes
    units.add(table.name, tableUnits(2 * readUnits(sizeBytes, true)))
    return value === undefined ? {} : { Item: showItem(value, projection) }
  })
  if (bytes > limits.transactionBytes) {
    throw validationException('Collection of items exceeds the maximum size of a transaction: 4 MB')
  }
  return { Responses, ConsumedCapacity: units.consumed(input.ReturnConsumedCapacity, 'read') }
}
