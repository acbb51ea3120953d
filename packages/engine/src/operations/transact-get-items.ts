import { readItemIn, type Projection } from '@hashrange/core'
import type { TransactGetItemsInput } from '../api/transaction-inputs.ts'
import type { ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import type { EngineParts } from './engine-parts.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { readProjection } from '../expressions/read-query-expressions.ts'
import { checkKey } from '../items/check-schema.ts'
import { showItem, type ShownItem } from '../items/projection.ts'
import type { Scope } from '../scope.ts'
import type { Value } from '../store/store.ts'
import { forAllOrCancel } from '../transactions/cancellation.ts'
import { readTogether } from '../transactions/read-together.ts'

export interface TransactGetItemsOutput {
  readonly Responses: readonly { readonly Item?: ShownItem }[]
  readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined
}

export async function transactGetItems(
  engine: EngineParts,
  scope: Scope,
  input: TransactGetItemsInput,
): Promise<TransactGetItemsOutput> {
  const gets = input.TransactItems.map(({ Get }) => ({
    key: readItemIn('older', Get.Key),
    projection: readProjection(Get),
    tableName: Get.TableName,
  })).map((get) => ({ ...get, table: engine.requireTable(scope, get.tableName) }))
  forAllOrCancel(gets, ({ table, key, projection }) => {
    checkKey(table, key)
    if (projection !== undefined) checkKeyPaths(table, projection.paths)
  })
  const { values, units } = await readTogether(engine, gets)
  return {
    Responses: gets.map(({ projection }, position) => responseOf(values[position], projection)),
    ConsumedCapacity: units.consumed(input.ReturnConsumedCapacity, 'read'),
  }
}

/** Observed on AWS: an item of which the projection finds nothing is left out, as if it did not exist. GetItem and
 *  BatchGetItem answer with an empty one. */
function responseOf(value: Value | undefined, projection: Projection | undefined): { readonly Item?: ShownItem } {
  if (value === undefined) return {}
  const Item = showItem(value, projection)
  const isEmpty = projection !== undefined && Object.keys(Item).length === 0
  return isEmpty ? {} : { Item }
}
