import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { OperationName } from '../workload/operations.ts'

/** The client's method for an operation. The inputs are made from JSON, so that their types end here. */
export function sdkCall(client: DynamoDB, operation: OperationName): (input: object) => Promise<object> {
  switch (operation) {
    case 'GetItem':
      return (input) => client.getItem(input as Parameters<DynamoDB['getItem']>[0])
    case 'Query':
      return (input) => client.query(input as Parameters<DynamoDB['query']>[0])
    case 'PutItem':
      return (input) => client.putItem(input as Parameters<DynamoDB['putItem']>[0])
    case 'UpdateItem':
      return (input) => client.updateItem(input as Parameters<DynamoDB['updateItem']>[0])
    case 'BatchWriteItem':
      return (input) => client.batchWriteItem(input as Parameters<DynamoDB['batchWriteItem']>[0])
    case 'TransactWriteItems':
      return (input) => client.transactWriteItems(input as Parameters<DynamoDB['transactWriteItems']>[0])
    default:
      throw new Error(`There is no call for ${String(operation satisfies never)}.`)
  }
}
