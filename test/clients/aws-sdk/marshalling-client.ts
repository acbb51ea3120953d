import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import type { BatchWriteCommandInput, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import type { PlainItem } from '../domains/plain-item.ts'
import type { PlainClient } from './plain-client.ts'

type Marshalled = Record<string, AttributeValue>

/** client-dynamodb, with util-dynamodb to turn values into attribute values. */
export function marshallingClient(client: DynamoDBClient): PlainClient {
  return {
    get: async (input) => {
      const output = await client.send(new GetItemCommand({ ...input, Key: typed(input.Key) }))
      return plain(output.Item)
    },
    put: async (input) => {
      const output = await client.send(new PutItemCommand({ ...withValues(input), Item: typed(input.Item) }))
      return plain(output.Attributes)
    },
    update: async (input) => {
      const output = await client.send(new UpdateItemCommand({ ...withValues(input), Key: typed(input.Key) }))
      return plain(output.Attributes)
    },
    delete: async (input) => {
      const output = await client.send(new DeleteItemCommand({ ...withValues(input), Key: typed(input.Key) }))
      return plain(output.Attributes)
    },
    query: async ({ ExclusiveStartKey: start, ...input }) => {
      const after = start && { ExclusiveStartKey: typed(start) }
      const output = await client.send(new QueryCommand({ ...withValues(input), ...after }))
      return { items: (output.Items ?? []).map((item) => unmarshall(item)), next: plain(output.LastEvaluatedKey) }
    },
    batchGet: async ({ RequestItems = {}, ...input }) => {
      const requests = mapValues(RequestItems, (request) => ({ ...request, Keys: request.Keys?.map(typed) }))
      const output = await client.send(new BatchGetItemCommand({ ...input, RequestItems: requests }))
      return mapValues(output.Responses ?? {}, (items) => items.map((item) => unmarshall(item)))
    },
    batchWrite: async ({ RequestItems = {}, ...input }) => {
      const requests = mapValues(RequestItems, (writes) => writes.map(typedWriteRequest))
      await client.send(new BatchWriteItemCommand({ ...input, RequestItems: requests }))
    },
    transactGet: async ({ TransactItems = [], ...input }) => {
      const gets = TransactItems.map(({ Get }) => ({ Get: Get && { ...Get, Key: typed(Get.Key) } }))
      const output = await client.send(new TransactGetItemsCommand({ ...input, TransactItems: gets }))
      return (output.Responses ?? []).map(({ Item }) => plain(Item))
    },
    transactWrite: async ({ TransactItems = [], ...input }) => {
      await client.send(new TransactWriteItemsCommand({ ...input, TransactItems: TransactItems.map(typedAction) }))
    },
  }
}

function typed(values: PlainItem | undefined): Marshalled {
  return marshall(values ?? {}, { removeUndefinedValues: true })
}

function plain(item: Marshalled | undefined): PlainItem | undefined {
  return item && unmarshall(item)
}

type Values = { ExpressionAttributeValues?: PlainItem | undefined }

/** Leaves out the parameters of old, which hold values in shapes of their own. */
function withValues<Input extends Values>({
  ExpressionAttributeValues: values,
  ...input
}: Input): Omit<Input, keyof Values | Legacy> & { ExpressionAttributeValues?: Marshalled } {
  const rest = input as Omit<Input, keyof Values | Legacy>
  return values === undefined ? rest : { ...rest, ExpressionAttributeValues: typed(values) }
}

type Legacy = 'Expected' | 'AttributeUpdates' | 'KeyConditions' | 'QueryFilter' | 'ExclusiveStartKey'

type PlainWriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number]

function typedWriteRequest({ PutRequest, DeleteRequest }: PlainWriteRequest): WriteRequest {
  if (PutRequest !== undefined) return { PutRequest: { Item: typed(PutRequest.Item) } }
  return { DeleteRequest: { Key: typed(DeleteRequest?.Key) } }
}

type PlainAction = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

function typedAction({ Put, Update, Delete, ConditionCheck }: PlainAction) {
  return {
    ...(Put && { Put: { ...withValues(Put), Item: typed(Put.Item) } }),
    ...(Update && { Update: { ...withValues(Update), Key: typed(Update.Key) } }),
    ...(Delete && { Delete: { ...withValues(Delete), Key: typed(Delete.Key) } }),
    ...(ConditionCheck && { ConditionCheck: { ...withValues(ConditionCheck), Key: typed(ConditionCheck.Key) } }),
  }
}

function mapValues<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
