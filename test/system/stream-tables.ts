import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import type { StreamClients } from './stream-consumer.ts'

/** A table for the consumers' leases and one with a stream, whose ARN is the answer. */
export async function createTables({ database }: StreamClients): Promise<string> {
  const key = (name: string) => ({
    AttributeDefinitions: [{ AttributeName: name, AttributeType: 'S' as const }],
    KeySchema: [{ AttributeName: name, KeyType: 'HASH' as const }],
    BillingMode: 'PAY_PER_REQUEST' as const,
  })
  await database.createTable({ TableName: 'leases', ...key('shardId') })
  const { TableDescription: table } = await database.createTable({
    TableName: 'changes',
    ...key('pk'),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  })
  if (table?.LatestStreamArn === undefined) throw new Error('the table has no stream')
  return table.LatestStreamArn
}

/** Nothing is tried again by itself: a test decides what may fail. */
export function clientsOf(endpoint: string): StreamClients {
  const config = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    maxAttempts: 1,
  }
  return { database: new DynamoDB(config), streams: new DynamoDBStreams(config) }
}

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}
