import { isObject, objectOf, type Json, type JsonObject } from '../table-design.ts'

/** `AWS::Serverless::SimpleTable`, as SAM turns it into a table. */
export function simpleTableProperties(properties: JsonObject): JsonObject {
  const { PrimaryKey, ProvisionedThroughput, Tags, SSESpecification, PointInTimeRecoverySpecification } = properties
  const key = objectOf(PrimaryKey)
  const AttributeName = key['Name'] ?? 'id'
  const AttributeType = typeof key['Type'] === 'string' ? (types[key['Type']] ?? key['Type']) : 'S'
  return {
    AttributeDefinitions: [{ AttributeName, AttributeType }],
    KeySchema: [{ AttributeName, KeyType: 'HASH' }],
    ...(ProvisionedThroughput === undefined ? { BillingMode: 'PAY_PER_REQUEST' } : { ProvisionedThroughput }),
    ...(SSESpecification !== undefined && { SSESpecification }),
    ...(PointInTimeRecoverySpecification !== undefined && { PointInTimeRecoverySpecification }),
    ...(isObject(Tags) && { Tags: Object.entries(Tags).map(([Key, Value]): Json => ({ Key, Value })) }),
  }
}

const types: Readonly<Record<string, string>> = { String: 'S', Number: 'N', Binary: 'B' }
