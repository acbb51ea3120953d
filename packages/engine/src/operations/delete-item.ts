import { readItem, type Condition, type Item } from '@hashrange/core'
import type { DeleteItemInput } from '../api/item-inputs.ts'
import { consumedCapacity } from '../capacity/consumed-capacity.ts'
import type { EngineParts } from './engine-parts.ts'
import { readWriteCondition, refuseMixedWrite } from '../expressions/read-write-expressions.ts'
import { assertCondition } from '../items/assert-condition.ts'
import { changeItem } from '../items/change-item.ts'
import { checkKey } from '../items/check-schema.ts'
import { itemCollectionMetrics } from '../items/item-collection-metrics.ts'
import type { Scope } from '../scope.ts'
import { assertReturnsAtMostOld, type PutItemOutput } from './put-item.ts'

export type DeleteItemOutput = PutItemOutput

export interface DeleteItemRequest {
  readonly input: DeleteItemInput
  readonly key: Item
  readonly condition: Condition | undefined
}

/** Everything that can be rejected without the table. */
export function readDeleteItem(input: DeleteItemInput): DeleteItemRequest {
  refuseMixedWrite(input)
  const key = readItem(input.Key)
  assertReturnsAtMostOld(input.ReturnValues)
  return { input, key, condition: readWriteCondition(input) }
}

export async function deleteItem(
  engine: EngineParts,
  scope: Scope,
  { input, key, condition }: DeleteItemRequest,
): Promise<DeleteItemOutput> {
  const table = engine.requireTable(scope, input.TableName)
  checkKey(table, key)
  return changeItem(engine, table, key, (previous) => {
    assertCondition(condition, previous, input.ReturnValuesOnConditionCheckFailure, engine.dialect)
    return {
      next: undefined,
      answer: ({ units, collectionBytes }) => ({
        Attributes: input.ReturnValues === 'ALL_OLD' ? previous?.json : undefined,
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
