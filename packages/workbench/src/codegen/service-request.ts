import type { AttributeValue, Item } from '../api-types.ts'

export type ReadOperation = 'GetItem' | 'Query' | 'Scan' | 'ExecuteStatement'

/** A request of DynamoDB's API, in its JSON. */
export interface ServiceRequest {
  readonly operation: ReadOperation
  readonly input: RequestInput
}

/** The members that the query builder and the PartiQL editor make; the order is that in which they are written down. */
export interface RequestInput {
  readonly TableName?: string
  readonly IndexName?: string
  readonly Key?: Item
  readonly Statement?: string
  readonly Parameters?: readonly AttributeValue[]
  readonly KeyConditionExpression?: string
  readonly FilterExpression?: string
  readonly ProjectionExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Item
  readonly ScanIndexForward?: boolean
  readonly ConsistentRead?: boolean
  readonly Limit?: number
}

export type WriteOperation = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'BatchWriteItem' | 'TransactWriteItems'

/** A request that changes items. */
export interface WriteRequest {
  readonly operation: WriteOperation
  readonly input: WriteInput
}

/** One change of an item: of a request of its own, or of a transaction. */
export interface ItemChange {
  readonly TableName: string
  readonly Item?: Item
  readonly Key?: Item
  readonly UpdateExpression?: string
  readonly ConditionExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Item
}

export interface TransactItem {
  readonly Put?: ItemChange
  readonly Update?: ItemChange
  readonly Delete?: ItemChange
  readonly ConditionCheck?: ItemChange
}

export interface BatchEntry {
  readonly PutRequest?: { readonly Item: Item }
  readonly DeleteRequest?: { readonly Key: Item }
}

export interface WriteInput extends Partial<ItemChange> {
  readonly ReturnValues?: string
  readonly TransactItems?: readonly TransactItem[]
  readonly RequestItems?: Readonly<Record<string, readonly BatchEntry[]>>
}

export type CodeRequest = ServiceRequest | WriteRequest

export function isWrite(request: CodeRequest): request is WriteRequest {
  return writes.has(request.operation)
}

const writes: ReadonlySet<string> = new Set<WriteOperation>([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
])

/** Members that say how to ask, and not what for. */
const ownMembers: ReadonlySet<string> = new Set([
  'ReturnConsumedCapacity',
  'ExclusiveStartKey',
  'NextToken',
  'Select',
])

/** The members to write down. */
export function membersOf(input: RequestInput | WriteInput): (readonly [string, unknown])[] {
  return Object.entries(input).filter(([name, value]) => value !== undefined && !ownMembers.has(name))
}

/** Several requests that differ in one value: one for each shard of a pattern. */
export interface Spread {
  readonly placeholder: string
  readonly values: readonly AttributeValue[]
}

export function spreadOf(requests: readonly CodeRequest[]): Spread | undefined {
  const [first] = requests
  if (first === undefined || isWrite(first) || requests.length < 2) return undefined
  const valuesAt = (name: string): AttributeValue[] =>
    requests.flatMap(({ input }) => input.ExpressionAttributeValues?.[name] ?? [])
  const placeholder = Object.keys(first.input.ExpressionAttributeValues ?? {}).find(
    (name) => new Set(valuesAt(name).map((value) => JSON.stringify(value))).size === requests.length,
  )
  return placeholder === undefined ? undefined : { placeholder, values: valuesAt(placeholder) }
}
