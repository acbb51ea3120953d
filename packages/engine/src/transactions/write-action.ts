import { itemSizeBytes, readItemIn, validationException, type Condition, type Item } from '@hashrange/core'
import type { ReturnValuesOnConditionCheckFailure } from '../api/item-inputs.ts'
import type { TransactWriteItemInput } from '../api/transaction-inputs.ts'
import type { Table } from '../catalog/table.ts'
import type { TableAccess } from '../catalog/table-access.ts'
import { readUpdateAndCondition, readWriteCondition } from '../expressions/read-write-expressions.ts'
import { checkKey } from '../items/check-schema.ts'
import { checkUpdate } from '../items/check-update.ts'
import type { StoredItem } from '../items/stored-item.ts'
import { updatedItem } from '../items/updated-item.ts'
import { checkNewItem, readNewItem } from '../items/new-item.ts'
import type { Scope } from '../scope.ts'

/** One action of a transaction, read but not yet checked against its table. */
export interface WriteAction {
  readonly table: Table
  /** The table's name or its ARN, as in the request. */
  readonly tableName: string
  /** The item to be put, or the key of the item. */
  readonly item: Item
  readonly sizeBytes: number
  readonly condition: Condition | undefined
  readonly onFailure: ReturnValuesOnConditionCheckFailure | undefined
  /** Checks that need the table; their errors are cancellation reasons. */
  readonly check: () => void
  /** The new item; a condition check leaves it unchanged. */
  readonly next: (previous: StoredItem | undefined) => StoredItem | undefined
}

type Read = Omit<WriteAction, 'table' | 'check' | 'next'> & {
  readonly check: (table: Table) => void
  readonly next: (previous: StoredItem | undefined, table: Table) => StoredItem | undefined
}

/** Reads all actions before it looks for the first table: errors in the request are reported before missing tables. */
export function readWriteActions(
  tables: TableAccess,
  scope: Scope,
  inputs: readonly TransactWriteItemInput[],
): readonly WriteAction[] {
  return inputs
    .map((input) => readAction(input))
    .map(({ tableName, item, sizeBytes, condition, onFailure, check, next }) => {
      const table = tables.requireTable(scope, tableName)
      // Written out, as below: an object made by spreading has a different hidden class each time, which V8 keeps.
      return {
        table,
        tableName,
        item,
        sizeBytes,
        condition,
        onFailure,
        check: () => check(table),
        next: (previous: StoredItem | undefined) => next(previous, table),
      }
    })
}

function readAction(input: TransactWriteItemInput): Read {
  const given = [input.ConditionCheck, input.Put, input.Delete, input.Update].filter(
    (action) => action !== undefined,
  )
  if (given.length === 0) {
    throw validationException(
      'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request',
    )
  }
  if (given.length !== 1) {
    throw validationException('TransactItems can only contain one of Check, Put, Update or Delete')
  }
  const { ConditionCheck, Put, Delete, Update } = input
  if (Put !== undefined) {
    const stored = readNewItem(Put.Item)
    return {
      tableName: Put.TableName,
      item: stored.item,
      sizeBytes: stored.sizeBytes,
      condition: readWriteCondition(Put, 'older'),
      onFailure: Put.ReturnValuesOnConditionCheckFailure,
      check: (table) => checkNewItem(table, stored),
      next: () => stored,
    }
  }
  if (Update !== undefined) {
    const key = readItemIn('older', Update.Key)
    const { update, condition } = readUpdateAndCondition(Update, 'older')
    return {
      tableName: Update.TableName,
      item: key,
      sizeBytes: itemSizeBytes(key),
      condition,
      onFailure: Update.ReturnValuesOnConditionCheckFailure,
      check: (table) => {
        checkKey(table, key)
        if (update !== undefined) checkUpdate(table, update)
      },
      next: (previous, table) => updatedItem(table, update, key, previous),
    }
  }
  const keyed = ConditionCheck ?? Delete
  if (keyed === undefined) throw new Error('one action is given')
  const condition = readWriteCondition(keyed, 'older')
  const key = readItemIn('older', keyed.Key)
  return {
    tableName: keyed.TableName,
    item: key,
    sizeBytes: itemSizeBytes(key),
    condition,
    onFailure: keyed.ReturnValuesOnConditionCheckFailure,
    check: (table) => checkKey(table, key),
    next: ConditionCheck === undefined ? () => undefined : (previous) => previous,
  }
}
