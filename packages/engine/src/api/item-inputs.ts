import type { LegacyOperator } from '@hashrange/core'
import type { RawAttributeValue, RawItem } from './raw-item.ts'

/** What `readInput` gives the operations on items. */
export interface ItemInputs {
  readonly PutItem: PutItemInput
  readonly DeleteItem: DeleteItemInput
  readonly UpdateItem: UpdateItemInput
  readonly GetItem: GetItemInput
  readonly Query: QueryInput
  readonly Scan: ScanInput
  readonly BatchGetItem: BatchGetItemInput
  readonly BatchWriteItem: BatchWriteItemInput
}

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'
export type ReturnItemCollectionMetrics = 'SIZE' | 'NONE'
export type ReturnValues = 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW'
export type ReturnValuesOnConditionCheckFailure = 'ALL_OLD' | 'NONE'
export type Select = 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES' | 'COUNT'
export type ConditionalOperator = 'AND' | 'OR'
export type ComparisonOperator = LegacyOperator

export interface ExpressionPlaceholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: RawItem
}

/** The conditions from before there were expressions. */
export interface LegacyExpected {
  readonly ConditionalOperator?: ConditionalOperator
  readonly Expected?: Readonly<Record<string, ExpectedAttributeValueInput>>
}

export interface ExpectedAttributeValueInput {
  readonly AttributeValueList?: readonly RawAttributeValue[]
  readonly ComparisonOperator?: ComparisonOperator
  readonly Exists?: boolean
  readonly Value?: RawAttributeValue
}

export interface ConditionInput {
  readonly AttributeValueList?: readonly RawAttributeValue[]
  readonly ComparisonOperator: ComparisonOperator
}

export interface AttributeValueUpdateInput {
  readonly Action?: 'ADD' | 'PUT' | 'DELETE'
  readonly Value?: RawAttributeValue
}

export interface PutItemInput extends ExpressionPlaceholders, LegacyExpected {
  readonly TableName: string
  readonly Item: RawItem
  readonly ConditionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  readonly ReturnValues?: ReturnValues
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface DeleteItemInput extends ExpressionPlaceholders, LegacyExpected {
  readonly TableName: string
  readonly Key: RawItem
  readonly ConditionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  readonly ReturnValues?: ReturnValues
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface UpdateItemInput extends ExpressionPlaceholders, LegacyExpected {
  readonly TableName: string
  readonly Key: RawItem
  readonly AttributeUpdates?: Readonly<Record<string, AttributeValueUpdateInput>>
  readonly ConditionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  readonly ReturnValues?: ReturnValues
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
  readonly UpdateExpression?: string
}

export interface GetItemInput {
  readonly TableName: string
  readonly Key: RawItem
  readonly AttributesToGet?: readonly string[]
  readonly ConsistentRead?: boolean
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ProjectionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface QueryInput extends ExpressionPlaceholders {
  readonly TableName: string
  readonly AttributesToGet?: readonly string[]
  readonly ConditionalOperator?: ConditionalOperator
  readonly ConsistentRead?: boolean
  readonly ExclusiveStartKey?: RawItem
  readonly FilterExpression?: string
  readonly IndexName?: string
  readonly KeyConditionExpression?: string
  readonly KeyConditions?: Readonly<Record<string, ConditionInput>>
  readonly Limit?: number
  readonly ProjectionExpression?: string
  readonly QueryFilter?: Readonly<Record<string, ConditionInput>>
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ScanIndexForward?: boolean
  readonly Select?: Select
}

export interface ScanInput extends ExpressionPlaceholders {
  readonly TableName: string
  readonly AttributesToGet?: readonly string[]
  readonly ConditionalOperator?: ConditionalOperator
  readonly ConsistentRead?: boolean
  readonly ExclusiveStartKey?: RawItem
  readonly FilterExpression?: string
  readonly IndexName?: string
  readonly Limit?: number
  readonly ProjectionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ScanFilter?: Readonly<Record<string, ConditionInput>>
  readonly Segment?: number
  readonly Select?: Select
  readonly TotalSegments?: number
}

export interface BatchGetItemInput {
  readonly RequestItems: Readonly<Record<string, KeysAndAttributesInput>>
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface KeysAndAttributesInput {
  readonly Keys: readonly RawItem[]
  readonly AttributesToGet?: readonly string[]
  readonly ConsistentRead?: boolean
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ProjectionExpression?: string
}

export interface BatchWriteItemInput {
  readonly RequestItems: Readonly<Record<string, readonly WriteRequestInput[]>>
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}

export interface WriteRequestInput {
  readonly PutRequest?: { readonly Item: RawItem }
  readonly DeleteRequest?: { readonly Key: RawItem }
}
