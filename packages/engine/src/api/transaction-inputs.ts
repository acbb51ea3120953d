import type {
  ExpressionPlaceholders,
  ReturnConsumedCapacity,
  ReturnItemCollectionMetrics,
  ReturnValuesOnConditionCheckFailure,
} from './item-inputs.ts'
import type { RawItem } from './raw-item.ts'

/** The inputs of transactions, as `readInput` returns them. */
export interface TransactionInputs {
  readonly TransactWriteItems: TransactWriteItemsInput
  readonly TransactGetItems: TransactGetItemsInput
}

export interface TransactWriteItemsInput {
  readonly TransactItems: readonly TransactWriteItemInput[]
  readonly ClientRequestToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}

export interface TransactWriteItemInput {
  readonly ConditionCheck?: TransactConditionCheckInput
  readonly Put?: TransactPutInput
  readonly Delete?: TransactDeleteInput
  readonly Update?: TransactUpdateInput
}

interface TransactAction extends ExpressionPlaceholders {
  readonly TableName: string
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface TransactConditionCheckInput extends TransactAction {
  readonly Key: RawItem
  readonly ConditionExpression: string
}

export interface TransactPutInput extends TransactAction {
  readonly Item: RawItem
  readonly ConditionExpression?: string
}

export interface TransactDeleteInput extends TransactAction {
  readonly Key: RawItem
  readonly ConditionExpression?: string
}

export interface TransactUpdateInput extends TransactAction {
  readonly Key: RawItem
  readonly ConditionExpression?: string
  readonly UpdateExpression: string
}

export interface TransactGetItemsInput {
  readonly TransactItems: readonly { readonly Get: TransactGetInput }[]
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface TransactGetInput {
  readonly TableName: string
  readonly Key: RawItem
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ProjectionExpression?: string
}
