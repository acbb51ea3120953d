import { validationException, type AttributeValue, type Condition, type Update } from '@hashrange/core'
import {
  changedTable,
  insertedTable,
  parseStatement,
  targetNames,
  translateCondition,
  translateItem,
  translateUpdate,
  type Returning,
  type Select,
  type Statement,
} from '@hashrange/core/partiql'
import type { StoredItem } from '../items/stored-item.ts'
import { readNewItem } from '../items/new-item.ts'

/** A statement with its parameters filled in, as far as possible without its table. */
export type PreparedStatement = PreparedSelect | PreparedWrite

export interface PreparedSelect {
  readonly kind: 'select'
  readonly tableName: string
  readonly indexName: string | undefined
  readonly select: Select
  readonly where: Condition | undefined
}

export type PreparedWrite =
  | { readonly kind: 'insert'; readonly tableName: string; readonly stored: StoredItem }
  | {
      readonly kind: 'update'
      readonly tableName: string
      readonly update: Update
      readonly where: Condition | undefined
      readonly returning: Returning | undefined
    }
  | {
      readonly kind: 'delete'
      readonly tableName: string
      readonly where: Condition | undefined
      readonly returning: Returning | undefined
    }
  /** A mere check, in transactions. */
  | {
      readonly kind: 'exists'
      readonly tableName: string
      readonly indexName: string | undefined
      readonly where: Condition | undefined
    }

export function prepareStatement(text: string, parameters: readonly AttributeValue[]): PreparedStatement {
  const statement = parseStatement(text)
  switch (statement.kind) {
    case 'select':
      return { kind: 'select', ...prepareSelect(statement.select, parameters), select: statement.select }
    case 'exists':
      return { kind: 'exists', ...prepareSelect(statement.select, parameters) }
    case 'insert': {
      const tableName = insertedTable(statement.target)
      return { kind: 'insert', tableName, stored: readNewItem(translateItem(statement.value, parameters)) }
    }
    case 'update': {
      const tableName = changedTable(statement.target)
      const update = translateUpdate(statement.changes, parameters)
      const where = whereOf(statement, parameters)
      return { kind: 'update', tableName, update, where, returning: statement.returning }
    }
    case 'delete': {
      const tableName = changedTable(statement.target)
      const where = whereOf(statement, parameters)
      assertReturnsOld(statement.returning)
      return { kind: 'delete', tableName, where, returning: statement.returning }
    }
    case 'unsupported':
      throw validationException(`Unsupported operation: ${statement.operation}`)
  }
}

function prepareSelect(
  select: Select,
  parameters: readonly AttributeValue[],
): Pick<PreparedSelect, 'tableName' | 'indexName' | 'where'> {
  if (select.unsupportedClause !== undefined) {
    throw validationException(`Unsupported clause: ${select.unsupportedClause}`)
  }
  const names = targetNames(select.from)
  if (select.columns.some(({ aliased }) => aliased)) throw validationException('Aliasing is not supported')
  return { ...names, where: whereOf(select, parameters) }
}

function whereOf(
  { where }: Select | Extract<Statement, { kind: 'update' | 'delete' }>,
  parameters: readonly AttributeValue[],
): Condition | undefined {
  return where && translateCondition(where, parameters)
}

/** A deleted item has no new attributes. */
function assertReturnsOld(returning: Returning | undefined): void {
  if (returning === undefined || (returning.what === 'ALL' && returning.when === 'OLD')) return
  throw validationException(
    `Invalid returning clause: RETURNING ${returning.what} ${returning.when} *. ` +
      'Only RETURNING ALL OLD * is allowed in DELETE statements.',
  )
}
