import type { ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure } from './item-inputs.ts'
import type { RawAttributeValue } from './raw-item.ts'

/** The inputs of operations that run PartiQL statements, as `readInput` returns them. */
export interface StatementInputs {
  readonly ExecuteStatement: ExecuteStatementInput
  readonly BatchExecuteStatement: BatchExecuteStatementInput
  readonly ExecuteTransaction: ExecuteTransactionInput
}

export interface ExecuteStatementInput {
  readonly Statement: string
  readonly Parameters?: readonly RawAttributeValue[]
  readonly ConsistentRead?: boolean
  readonly Limit?: number
  readonly NextToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface BatchStatementRequestInput {
  readonly Statement: string
  readonly Parameters?: readonly RawAttributeValue[]
  readonly ConsistentRead?: boolean
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface BatchExecuteStatementInput {
  readonly Statements: readonly BatchStatementRequestInput[]
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface ParameterizedStatementInput {
  readonly Statement: string
  readonly Parameters?: readonly RawAttributeValue[]
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface ExecuteTransactionInput {
  readonly TransactStatements: readonly ParameterizedStatementInput[]
  readonly ClientRequestToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}
