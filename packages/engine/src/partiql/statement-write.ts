import {
  assertNoKeyUpdate,
  itemSizeBytes,
  ServiceError,
  updatePaths,
  validationException,
  type Condition,
  type Item,
} from '@hashrange/core'
import { itemCondition, type ItemCondition, type Returning } from '@hashrange/core/partiql'
import type { ReturnValues, ReturnValuesOnConditionCheckFailure } from '../api/item-inputs.ts'
import type { Units } from '../capacity/units.ts'
import type { Table } from '../catalog/table.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { namesOf } from '../definitions/key-names.ts'
import { assertCondition } from '../items/assert-condition.ts'
import { changeItem, type ItemWriting } from '../items/change-item.ts'
import { checkItem, checkKey } from '../items/check-schema.ts'
import { checkVectors } from '../items/vector-entry.ts'
import type { ShownItem } from '../items/projection.ts'
import { shownAttributes } from '../items/shown-attributes.ts'
import type { StoredItem } from '../items/stored-item.ts'
import { updatedItem } from '../items/updated-item.ts'
import type { WriteAction } from '../transactions/write-action.ts'
import { checkKeyType, checkKeyValue } from './check-key-value.ts'
import type { PreparedWrite } from './prepared-statement.ts'

/** A statement that changes an item, as the action that a transaction could carry out. */
export interface StatementWrite extends WriteAction {
  /** What RETURNING shows. */
  readonly shown: (previous: StoredItem | undefined, next: StoredItem | undefined) => ShownItem | undefined
}

/** Finds which item a statement changes, and how. A WHERE clause that does not name one item is rejected. */
export function statementWrite(
  table: Table,
  statement: PreparedWrite,
  onFailure: ReturnValuesOnConditionCheckFailure | undefined,
): StatementWrite {
  if (statement.kind === 'insert') {
    const { stored, tableName } = statement
    return {
      table,
      tableName,
      item: stored.item,
      sizeBytes: stored.sizeBytes,
      condition: undefined,
      onFailure,
      check: () => {
        checkItem(table, stored.item)
        checkVectors(table, stored.item, 'put')
      },
      next: (previous) => {
        if (previous !== undefined) throw duplicateItem()
        return stored
      },
      shown: () => undefined,
    }
  }
  const found = keyOf(table, statement)
  const action = {
    table,
    tableName: statement.tableName,
    item: found.key,
    sizeBytes: itemSizeBytes(found.key),
    onFailure,
  }
  switch (statement.kind) {
    case 'update': {
      const { update, returning } = statement
      return {
        ...action,
        condition: allOf(itemExists(table), found.condition),
        check: () => {
          checkKey(table, found.key)
          assertNoKeyUpdate(update, namesOf(table.keySchema))
          checkKeyPaths(table, updatePaths(update))
        },
        next: (previous) => withShortMessage(() => updatedItem(table, update, found.key, previous)),
        shown: (previous, next) => shownAttributes(returnValues(returning), update, previous, next),
      }
    }
    case 'delete':
      return {
        ...action,
        // A missing item counts as deleted, whatever the condition.
        condition: found.condition && {
          kind: 'or',
          terms: [{ kind: 'not', term: itemExists(table) }, found.condition],
        },
        check: () => checkKey(table, found.key),
        next: () => undefined,
        shown: (previous) => (statement.returning === undefined ? undefined : previous?.json),
      }
    case 'exists':
      return {
        ...action,
        condition: found.condition,
        check: () => checkKey(table, found.key),
        next: (previous) => previous,
        shown: () => undefined,
      }
  }
}

export interface WrittenItem {
  readonly item: ShownItem | undefined
  readonly units: Units
}

/** Carries out a single write. If the item that it finds does not allow it, `refused` is told that item's size. */
export function runStatementWrite(
  engine: ItemWriting,
  write: StatementWrite,
  refused?: (foundBytes: number) => void,
): Promise<WrittenItem> {
  return changeItem(engine, write.table, write.item, (previous) => {
    const next = nextOf(write, previous, refused)
    return { next, answer: ({ units }) => ({ item: write.shown(previous, next), units }) }
  })
}

function nextOf(
  { condition, onFailure, next }: StatementWrite,
  previous: StoredItem | undefined,
  refused: ((foundBytes: number) => void) | undefined,
): StoredItem | undefined {
  try {
    assertCondition(condition, previous, onFailure)
    return next(previous)
  } catch (error) {
    refused?.(previous?.sizeBytes ?? 0)
    throw error
  }
}

/** Rejects keys that do not have the table's types, with the messages of statements. */
export function checkStatementKey(table: Table, key: Item): void {
  for (const [name, value] of Object.entries(key)) checkKeyValue(table, name, value)
}

/** Does the same for the item that a statement writes. DynamoDB Local has messages of its own for the key of an INSERT, in the
 *  library that it shares with the service. Nobody has recorded what the service says. */
export function checkWrittenKey(table: Table, { kind }: PreparedWrite, item: Item): void {
  if (kind !== 'insert') return checkStatementKey(table, item)
  for (const name of namesOf(table.keySchema)) {
    const value = item[name]
    if (value === undefined) throw validationException(`Key attribute should be present in the item: Key ${name}`)
    checkKeyType(table, name, value)
  }
}

function keyOf(table: Table, statement: Exclude<PreparedWrite, { kind: 'insert' }>): ItemCondition {
  const keyNames = namesOf(table.keySchema)
  if (statement.kind !== 'exists') return itemCondition(statement.where, keyNames, 'refuse')
  if (statement.indexName !== undefined) {
    throw validationException('Operations on indices are not supported in transactions')
  }
  const incomplete = 'EXISTS() must contain a single item read with additional condition'
  try {
    const found = itemCondition(statement.where, keyNames, 'keep')
    if (found.condition !== undefined) return found
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
  throw validationException(incomplete)
}

function itemExists(table: Table): Condition {
  const [name = ''] = table.keySchema.hash
  return { kind: 'attribute_exists', path: [{ kind: 'name', name }] }
}

function allOf(first: Condition, second: Condition | undefined): Condition {
  return second === undefined ? first : { kind: 'and', terms: [first, second] }
}

function returnValues(returning: Returning | undefined): ReturnValues {
  if (returning === undefined) return 'NONE'
  if (returning.what === 'ALL') return returning.when === 'OLD' ? 'ALL_OLD' : 'ALL_NEW'
  return returning.when === 'OLD' ? 'UPDATED_OLD' : 'UPDATED_NEW'
}

function duplicateItem(): ServiceError {
  return new ServiceError('DuplicateItemException', 'Duplicate primary key exists in table')
}

const nestingMessage = 'Nesting Levels have exceeded supported limits'

/** Statements give a shorter message than other operations for an item that became too deep. */
function withShortMessage<T>(update: () => T): T {
  try {
    return update()
  } catch (error) {
    if (error instanceof ServiceError && error.message.startsWith(nestingMessage)) {
      throw validationException(nestingMessage)
    }
    throw error
  }
}
