import type { ConditionalOperator, LegacyOperator } from '@hashrange/core'
import type { RawAttributeValue, RawItem } from './raw-item.ts'

/** The inputs of operations on items, as `readInput` returns them. */
export interface ItemInputs {
  readonly PutItem: PutItemInput
  readonly DeleteItem: DeleteItemInput
  readonly UpdateItem: UpdateItemInput
  readonly GetItem: GetItemInput
  readonly Query: QueryInput
  readonly Scan: ScanInput
  readonly SearchVectors: SearchVectorsInput
  readonly BatchGetItem: BatchGetItemInput
  readonly BatchWriteItem: BatchWriteItemInput
}

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'
export type ReturnItemCollectionMetrics = 'SIZE' | 'NONE'
export type ReturnValues = 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW'
export type ReturnValuesOnConditionCheckFailure = 'ALL_OLD' | 'NONE'
export type Select = 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES' | 'COUNT'

export interface ExpressionPlaceholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: RawItem
}

/** The conditions from before expressions existed. */
export interface LegacyExpected {
  readonly ConditionalOperator?: ConditionalOperator
  readonly Expected?: Readonly<Record<string, ExpectedAttributeValueInput>>
}

export interface ExpectedAttributeValueInput {
  readonly AttributeValueList?: readonly RawAttributeValue[]
  readonly ComparisonOperator?: LegacyOperator
  readonly Exists?: boolean
  readonly Value?: RawAttributeValue
}

export interface ConditionInput {
  readonly AttributeValueList?: readonly RawAttributeValue[]
  readonly ComparisonOperator: LegacyOperator
}

export interface AttributeValueUpdateInput {
  readonly Action?: 'ADD' | 'PUT' | 'DELETE'
  readonly Value?: RawAttributeValue
}

/** A condition, in the old form or the new one. */
export interface ConditionMembers extends ExpressionPlaceholders, LegacyExpected {
  readonly ConditionExpression?: string
}

/** What all writes of one item have in common. */
interface SingleWrite extends ConditionMembers {
  readonly TableName: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  readonly ReturnValues?: ReturnValues
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

export interface PutItemInput extends SingleWrite {
  readonly Item: RawItem
}

export interface DeleteItemInput extends SingleWrite {
  readonly Key: RawItem
}

export interface UpdateItemInput extends SingleWrite {
  readonly Key: RawItem
  readonly AttributeUpdates?: Readonly<Record<string, AttributeValueUpdateInput>>
  readonly UpdateExpression?: string
}

/** Which attributes of an item are requested. */
export interface ProjectionMembers {
  readonly AttributesToGet?: readonly string[]
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ProjectionExpression?: string
}

export interface GetItemInput extends ProjectionMembers {
  readonly TableName: string
  readonly Key: RawItem
  readonly ConsistentRead?: boolean
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

/** What the reads of many items have in common. */
interface PagedRead extends ProjectionMembers, ExpressionPlaceholders {
  readonly TableName: string
  readonly ConditionalOperator?: ConditionalOperator
  readonly ConsistentRead?: boolean
  readonly ExclusiveStartKey?: RawItem
  readonly FilterExpression?: string
  readonly IndexName?: string
  readonly Limit?: number
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly Select?: Select
}

export interface QueryInput extends PagedRead {
  readonly KeyConditionExpression?: string
  readonly KeyConditions?: Readonly<Record<string, ConditionInput>>
  readonly QueryFilter?: Readonly<Record<string, ConditionInput>>
  readonly ScanIndexForward?: boolean
}

export interface ScanInput extends PagedRead {
  readonly ScanFilter?: Readonly<Record<string, ConditionInput>>
  readonly Segment?: number
  readonly TotalSegments?: number
}

export interface SearchVectorsInput extends ExpressionPlaceholders {
  readonly TableName: string
  readonly IndexName: string
  readonly SearchVector: readonly RawItem[string][]
  readonly TopK: number
  readonly SearchConditionExpression?: string
  readonly ProjectionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface BatchGetItemInput {
  readonly RequestItems: Readonly<Record<string, KeysAndAttributesInput>>
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export interface KeysAndAttributesInput extends ProjectionMembers {
  readonly Keys: readonly RawItem[]
  readonly ConsistentRead?: boolean
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
