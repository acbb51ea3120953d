import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { SampleItem } from './sample-data.ts'
import type { Json } from '../yaml.ts'

/** An item in DynamoDB's JSON: bytes as base64, all else as the SDK has it. */
export function dynamoDbJson(item: Readonly<Record<string, AttributeValue>>): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueJson(value)]))
}

/** Items as BatchWriteItem takes them, by table: the `RequestItems` of one request are at most 25 of them. */
export function putRequests(samples: readonly SampleItem[]): { readonly [table: string]: readonly Json[] } {
  // A table may be called "constructor".
  const byTable = new Map<string, Json[]>()
  for (const { tableName, item } of samples) {
    const requests = byTable.get(tableName) ?? []
    requests.push({ PutRequest: { Item: dynamoDbJson(item) } })
    byTable.set(tableName, requests)
  }
  return Object.fromEntries(byTable)
}

function valueJson(value: AttributeValue): Json {
  if (value.B !== undefined) return { B: base64(value.B) }
  if (value.BS !== undefined) return { BS: value.BS.map(base64) }
  if (value.L !== undefined) return { L: value.L.map(valueJson) }
  if (value.M !== undefined) return { M: dynamoDbJson(value.M) }
  return { ...value }
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
