import { validationException, type Item } from '@hashrange/core'
import { readParameters } from '@hashrange/core/partiql'
import type { ExecuteStatementInput } from '../api/statement-inputs.ts'
import { consumedCapacity, type ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import type { EngineParts } from './engine-parts.ts'
import type { ShownItem } from '../items/projection.ts'
import { nextToken, readNextToken } from '../partiql/next-token.ts'
import { planSelect } from '../partiql/plan-select.ts'
import { prepareStatement, type PreparedSelect, type PreparedWrite } from '../partiql/prepared-statement.ts'
import { runSelect } from '../partiql/run-select.ts'
import { checkWrittenKey, runStatementWrite, statementWrite } from '../partiql/statement-write.ts'
import type { Scope } from '../scope.ts'

export interface ExecuteStatementOutput {
  readonly Items: readonly ShownItem[]
  readonly NextToken?: string
  readonly LastEvaluatedKey?: Item
  readonly ConsumedCapacity?: ConsumedCapacity | undefined
}

export async function executeStatement(
  engine: EngineParts,
  scope: Scope,
  input: ExecuteStatementInput,
): Promise<ExecuteStatementOutput> {
  const parameters = readParameters(input.Parameters)
  const statement = prepareStatement(input.Statement, parameters)
  return statement.kind === 'select'
    ? select(engine, scope, statement, input)
    : write(engine, scope, statement, input)
}

async function select(
  engine: EngineParts,
  scope: Scope,
  statement: PreparedSelect,
  input: ExecuteStatementInput,
): Promise<ExecuteStatementOutput> {
  const table = engine.requireTable(scope, statement.tableName)
  const plan = planSelect(table, statement, input.ConsistentRead === true)
  const start =
    input.NextToken === undefined ? { read: 0, after: undefined } : readNextToken(input.NextToken, input, plan)
  const { items, units, next } = await runSelect(engine, plan, start, input.Limit)
  return {
    Items: items,
    ...(next !== undefined && { NextToken: nextToken(input, next) }),
    ...(next?.after !== undefined && { LastEvaluatedKey: next.after }),
    ConsumedCapacity: consumedCapacity(input.ReturnConsumedCapacity, statement.tableName, units),
  }
}

async function write(
  engine: EngineParts,
  scope: Scope,
  statement: PreparedWrite,
  input: ExecuteStatementInput,
): Promise<ExecuteStatementOutput> {
  if (statement.kind === 'exists') throw existsOutsideOfTransaction()
  const table = engine.requireTable(scope, statement.tableName)
  const change = statementWrite(table, statement, input.ReturnValuesOnConditionCheckFailure)
  checkWrittenKey(table, statement, change.item)
  change.check()
  const { item, units } = await runStatementWrite(engine, change)
  return {
    Items: item === undefined ? [] : [item],
    ConsumedCapacity: consumedCapacity(input.ReturnConsumedCapacity, statement.tableName, units),
  }
}

export function existsOutsideOfTransaction(): Error {
  return validationException('EXISTS can only be used in ExecuteTransaction write requests.')
}
