import { readItem, validationException, type Condition, type Item } from '@hashrange/core'
import type { PutItemInput, ReturnValues } from '../api/item-inputs.ts'
import { consumedCapacity, type ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { writeUnits } from '../capacity/units.ts'
import type { EngineParts } from './engine-parts.ts'
import { readWriteCondition, refuseMixedWrite } from '../expressions/read-write-expressions.ts'
import { assertCondition } from '../items/assert-condition.ts'
import { changeItem, type Verdict } from '../items/change-item.ts'
import { itemCollectionMetrics, type ItemCollectionMetrics } from '../items/item-collection-metrics.ts'
import { checkedSizeBytes, checkNewItem } from '../items/new-item.ts'
import { StoredItem } from '../items/stored-item.ts'
import type { Scope } from '../scope.ts'
import type { RawJson } from '../wire/raw-json.ts'

export interface PutItemOutput {
  readonly Attributes?: RawJson | undefined
  readonly ConsumedCapacity?: ConsumedCapacity | undefined
  readonly ItemCollectionMetrics?: ItemCollectionMetrics | undefined
}

export interface PutItemRequest {
  readonly input: PutItemInput
  readonly item: Item
  readonly sizeBytes: number
  readonly condition: Condition | undefined
}

/** Everything that can be rejected without the table. */
export function readPutItem(input: PutItemInput): PutItemRequest {
  refuseMixedWrite(input)
  const item = readItem(input.Item)
  assertReturnsAtMostOld(input.ReturnValues)
  const sizeBytes = checkedSizeBytes(item)
  return { input, item, sizeBytes, condition: readWriteCondition(input) }
}

export async function putItem(
  engine: EngineParts,
  scope: Scope,
  { input, item, sizeBytes, condition }: PutItemRequest,
): Promise<PutItemOutput> {
  const table = engine.requireTable(scope, input.TableName)
  const next = StoredItem.of(item, sizeBytes)
  checkNewItem(table, next)
  const decide = (previous: StoredItem | undefined): Verdict<PutItemOutput> => {
    assertCondition(condition, previous, input.ReturnValuesOnConditionCheckFailure, engine.dialect)
    return {
      next,
      answer: ({ units, collectionBytes }) => ({
        Attributes: input.ReturnValues === 'ALL_OLD' ? previous?.json : undefined,
        ConsumedCapacity: consumedCapacity(input.ReturnConsumedCapacity, input.TableName, units),
        ItemCollectionMetrics: itemCollectionMetrics(
          input.ReturnItemCollectionMetrics,
          table,
          item,
          collectionBytes,
        ),
      }),
    }
  }
  return changeItem(engine, table, item, decide, writeUnits(sizeBytes))
}

/** PutItem and DeleteItem have no new attributes to return. */
export function assertReturnsAtMostOld(returnValues: ReturnValues | undefined): void {
  if (returnValues === undefined || returnValues === 'ALL_OLD' || returnValues === 'NONE') return
  throw validationException('ReturnValues can only be ALL_OLD or NONE')
}
