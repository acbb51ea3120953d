import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'
import type { PlainClient } from './plain-client.ts'

/** lib-dynamodb, which turns values into attribute values by itself. */
export function documentClient(client: DynamoDBClient): PlainClient {
  const document = DynamoDBDocument.from(client, { marshallOptions: { removeUndefinedValues: true } })
  return {
    get: async (input) => (await document.get(input)).Item,
    put: async (input) => (await document.put(input)).Attributes,
    update: async (input) => (await document.update(input)).Attributes,
    delete: async (input) => (await document.delete(input)).Attributes,
    query: async (input) => {
      const { Items = [], LastEvaluatedKey } = await document.query(input)
      return { items: Items, next: LastEvaluatedKey }
    },
    batchGet: async (input) => (await document.batchGet(input)).Responses ?? {},
    batchWrite: async (input) => {
      await document.batchWrite(input)
    },
    transactGet: async (input) => ((await document.transactGet(input)).Responses ?? []).map(({ Item }) => Item),
    transactWrite: async (input) => {
      await document.transactWrite(input)
    },
  }
}
