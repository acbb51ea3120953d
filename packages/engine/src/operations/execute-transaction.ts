import { ServiceError, validationException } from '@hashrange/core'
import { readParameters } from '@hashrange/core/partiql'
import type { ExecuteTransactionInput } from '../api/statement-inputs.ts'
import type { ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { resourceNotFound } from '../catalog/catalog-errors.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineParts } from './engine-parts.ts'
import { checkKey, keyDoesNotMatch } from '../items/check-schema.ts'
import type { ShownItem } from '../items/projection.ts'
import { prepareStatement, type PreparedSelect, type PreparedWrite } from '../partiql/prepared-statement.ts'
import { shownItem } from '../partiql/run-select.ts'
import { selectOne, type SelectedItem } from '../partiql/select-one.ts'
import { checkStatementKey, statementWrite, type StatementWrite } from '../partiql/statement-write.ts'
import type { Scope } from '../scope.ts'
import { forAllOrCancel } from '../transactions/cancellation.ts'
import { clientTokenOf } from '../transactions/client-token.ts'
import { readTogether } from '../transactions/read-together.ts'
import { runWriteActions } from '../transactions/run-write-actions.ts'

export interface ExecuteTransactionOutput {
  readonly Responses: readonly { readonly Item?: ShownItem }[]
  readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined
}

/** Every problem of a statement rejects the request, except that a missing table or an invalid key is a cancellation
 *  reason of the transaction; rejections come first. */
export async function executeTransaction(
  engine: EngineParts,
  scope: Scope,
  input: ExecuteTransactionInput,
): Promise<ExecuteTransactionOutput> {
  const parameters = input.TransactStatements.map((statement) => readParameters(statement.Parameters))
  const prepared = input.TransactStatements.map(({ Statement }, position) =>
    inStatement(position, () => prepareStatement(Statement, parameters[position] ?? [])),
  )
  const reads = prepared.filter((statement) => statement.kind === 'select')
  const writes = prepared.filter((statement) => statement.kind !== 'select')
  if (reads.length > 0 && writes.length > 0) {
    throw validationException(
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    )
  }
  return writes.length === 0 ? readAll(engine, scope, reads, input) : writeAll(engine, scope, writes, input)
}

async function readAll(
  engine: EngineParts,
  scope: Scope,
  statements: readonly PreparedSelect[],
  input: ExecuteTransactionInput,
): Promise<ExecuteTransactionOutput> {
  const found = statements.map((statement, position) => {
    const table = findTable(engine, scope, statement.tableName)
    return table && inStatement(position, () => selectInTransaction(table, statement))
  })
  const gets = forAllOrCancel(
    found,
    (get) => {
      if (get === undefined) throw resourceNotFound()
      checkKey(get.table, get.key)
      return get
    },
    reasonCodes,
  )
  const { values, units } = await readTogether(engine, gets)
  return {
    Responses: gets.map(({ columns }, position) => {
      const value = values[position]
      return value === undefined ? {} : { Item: shownItem(value, columns) }
    }),
    ConsumedCapacity: units.consumed(input.ReturnConsumedCapacity, 'read'),
  }
}

async function writeAll(
  engine: EngineParts,
  scope: Scope,
  statements: readonly PreparedWrite[],
  input: ExecuteTransactionInput,
): Promise<ExecuteTransactionOutput> {
  const found = statements.map((statement, position) => {
    const table = findTable(engine, scope, statement.tableName)
    const onFailure = input.TransactStatements[position]?.ReturnValuesOnConditionCheckFailure
    return table && inStatement(position, () => writeInTransaction(table, statement, onFailure))
  })
  const actions = forAllOrCancel(
    found,
    (action) => {
      if (action === undefined) throw resourceNotFound()
      if (action === 'keyless') throw keyDoesNotMatch()
      action.check()
      return action
    },
    reasonCodes,
  )
  const token =
    input.ClientRequestToken === undefined
      ? undefined
      : clientTokenOf(scope, input.ClientRequestToken, input.TransactStatements)
  const { ConsumedCapacity } = await runWriteActions(engine, actions, token, input)
  return { Responses: [], ConsumedCapacity }
}

const reasonCodes = { ResourceNotFoundException: 'ResourceNotFound' }

function selectInTransaction(table: Table, statement: PreparedSelect): SelectedItem {
  if (statement.indexName !== undefined) {
    throw validationException('Reads on indices are not supported within transactions.')
  }
  return selectOne(table, statement, 'ExecuteTransaction')
}

type Failure = ExecuteTransactionInput['TransactStatements'][number]['ReturnValuesOnConditionCheckFailure']

/** A write whose WHERE clause does not name one item of the table is not rejected, but cancels the transaction. */
function writeInTransaction(
  table: Table,
  statement: PreparedWrite,
  onFailure: Failure,
): StatementWrite | 'keyless' {
  if ((statement.kind === 'update' || statement.kind === 'delete') && statement.returning !== undefined) {
    throw validationException('RETURNING clause is not supported in ExecuteTransaction.')
  }
  if (statement.kind === 'insert' || statement.kind === 'exists') return statementWrite(table, statement, onFailure)
  try {
    const write = statementWrite(table, statement, onFailure)
    checkStatementKey(table, write.item)
    return write
  } catch (error) {
    if (error instanceof ServiceError) return 'keyless'
    throw error
  }
}

function findTable(engine: EngineParts, scope: Scope, tableName: string): Table | undefined {
  try {
    return engine.requireTable(scope, tableName)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'ResourceNotFoundException') return undefined
    throw error
  }
}

/** Adds to an error which statement it is about. */
function inStatement<T>(position: number, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'ValidationException') throw error
    throw validationException(`Validation failed in TransactStatements[${position}]: ${error.message}`)
  }
}
