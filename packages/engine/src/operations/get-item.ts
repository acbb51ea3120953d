import { assertNotMixed, parameterFamilies, readItemIn } from '@hashrange/core'
import type { GetItemInput } from '../api/item-inputs.ts'
import { consumedCapacity, type ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { readUnits, tableUnits } from '../capacity/units.ts'
import type { EngineParts } from './engine-parts.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { readProjection } from '../expressions/read-query-expressions.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { checkKey } from '../items/check-schema.ts'
import { showItem, type ShownItem } from '../items/projection.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import { viewItems } from '../reads/view-items.ts'
import type { Scope } from '../scope.ts'
import type { MaybePromise, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'

export interface GetItemOutput {
  readonly Item?: ShownItem
  readonly ConsumedCapacity?: ConsumedCapacity | undefined
}

/** Returns synchronously if the store does. */
export function getItem(engine: EngineParts, scope: Scope, input: GetItemInput): MaybePromise<GetItemOutput> {
  // Members that contradict each other are reported before errors in any of them.
  if (input.AttributesToGet !== undefined || input.ExpressionAttributeNames !== undefined) {
    assertNotMixed(input, parameterFamilies.GetItem)
  }
  const key = readItemIn('current', input.Key)
  const projection = readProjection(input)
  const table = engine.requireTable(scope, input.TableName)
  checkKey(table, key)
  if (projection !== undefined) checkKeyPaths(table, projection.paths)
  const storeKey = keyInTable(table, key)
  const consistent = input.ConsistentRead === true
  const admission = engine.capacity.admitRead(table, undefined, storeKey, key)
  const answer = (value: Value | undefined): GetItemOutput => {
    const units = readUnits(value === undefined ? 0 : storedSizeBytes(value), consistent)
    engine.capacity.didRead(table, undefined, storeKey, units, key)
    admission?.release()
    const consumed = consumedCapacity(input.ReturnConsumedCapacity, input.TableName, tableUnits(units))
    if (value === undefined) return { ConsumedCapacity: consumed }
    return { Item: showItem(value, projection), ConsumedCapacity: consumed }
  }
  return whenThere(
    viewItems(engine, table, consistent, (snapshot) => engine.seen(snapshot, consistent).get(storeKey)),
    answer,
  )
}
