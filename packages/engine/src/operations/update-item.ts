import { readItem, type Item } from '@hashrange/core'
import type { UpdateItemInput } from '../api/item-inputs.ts'
import { consumedCapacity, type ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import type { EngineParts } from './engine-parts.ts'
import {
  readUpdateAndCondition,
  refuseMixedUpdate,
  type UpdateAndCondition,
} from '../expressions/read-write-expressions.ts'
import { assertCondition } from '../items/assert-condition.ts'
import { changeItem } from '../items/change-item.ts'
import { checkKey } from '../items/check-schema.ts'
import { checkUpdate } from '../items/check-update.ts'
import { checkUpdateSize } from '../items/check-update-size.ts'
import { itemCollectionMetrics, type ItemCollectionMetrics } from '../items/item-collection-metrics.ts'
import type { ShownItem } from '../items/projection.ts'
import { shownAttributes } from '../items/shown-attributes.ts'
import { updatedItem } from '../items/updated-item.ts'
import type { Scope } from '../scope.ts'

export interface UpdateItemOutput {
  readonly Attributes?: ShownItem | undefined
  readonly ConsumedCapacity?: ConsumedCapacity | undefined
  readonly ItemCollectionMetrics?: ItemCollectionMetrics | undefined
}

export interface UpdateItemRequest extends UpdateAndCondition {
  readonly input: UpdateItemInput
  readonly key: Item
}

/** Everything that can be rejected without the table. */
export function readUpdateItem(input: UpdateItemInput): UpdateItemRequest {
  refuseMixedUpdate(input)
  const key = readItem(input.Key)
  const { update, condition } = readUpdateAndCondition(input)
  return { input, key, update, condition }
}

export async function updateItem(
  engine: EngineParts,
  scope: Scope,
  { input, key, update, condition }: UpdateItemRequest,
): Promise<UpdateItemOutput> {
  const table = engine.requireTable(scope, input.TableName)
  checkKey(table, key)
  if (update !== undefined) checkUpdate(table, update)
  return changeItem(engine, table, key, (previous) => {
    assertCondition(condition, previous, input.ReturnValuesOnConditionCheckFailure, engine.dialect)
    const next = updatedItem(table, update, key, previous)
    if (update !== undefined && next !== undefined) checkUpdateSize(update, next)
    return {
      next,
      answer: ({ units, collectionBytes }) => ({
        Attributes: shownAttributes(input.ReturnValues, update, previous, next),
        ConsumedCapacity: consumedCapacity(input.ReturnConsumedCapacity, input.TableName, units),
        ItemCollectionMetrics: itemCollectionMetrics(
          input.ReturnItemCollectionMetrics,
          table,
          key,
          collectionBytes,
        ),
      }),
    }
  })
}
