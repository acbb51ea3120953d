import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Request } from '../../client/request-types.ts'
import { dynamoDbJson } from '../sample/dynamodb-json.ts'
import type { Json } from '../yaml.ts'
import type { ExampleRequest } from './example-request.ts'

/** Members that say what the answer should contain. */
const aboutAnswers = new Set(['ReturnConsumedCapacity', 'ReturnValues', 'ReturnValuesOnConditionCheckFailure'])

/** A request as it stands in a document: in DynamoDB's JSON, without what only a program needs. */
export function requestJson({ operation, input }: Request): ExampleRequest {
  return { operation, input: json(input) as ExampleRequest['input'] }
}

function json(value: unknown): Json {
  if (Array.isArray(value)) return value.map(json)
  if (typeof value !== 'object' || value === null) return value as Json
  const members = Object.entries(value).filter(([name, member]) => member !== undefined && !aboutAnswers.has(name))
  return Object.fromEntries(
    members.map(([name, member]) => [name, isItem(name) ? dynamoDbJson(member as Item) : json(member)]),
  )
}

type Item = Record<string, AttributeValue>

function isItem(name: string): boolean {
  return ['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey'].includes(name)
}
