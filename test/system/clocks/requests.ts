import { setTimeout as pause } from 'node:timers/promises'
import type { ShiftedServer } from './shifted-server.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

export const createTable = (server: ShiftedServer, TableName: string, more: object = {}): Promise<unknown> =>
  server.call('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ...more,
  })

/** Adds one to a count, once for each token. */
export const addOnce = (server: ShiftedServer, TableName: string, token: string): Promise<unknown> =>
  server.call('TransactWriteItems', {
    ClientRequestToken: token,
    TransactItems: [
      {
        Update: {
          TableName,
          Key: { pk: { S: token } },
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      },
    ],
  })

export interface ScannedItem {
  readonly pk: { readonly S: string }
  readonly n?: { readonly N: string }
}

export async function itemsOf(server: ShiftedServer, TableName: string): Promise<readonly ScannedItem[]> {
  const { Items } = await server.call<{ Items: readonly ScannedItem[] }>('Scan', {
    TableName,
    ConsistentRead: true,
  })
  return Items.toSorted((a, b) => (a.pk.S < b.pk.S ? -1 : 1))
}

/** Restores a table to a moment under another name, and gives what it holds. */
export async function restoredItems(
  server: ShiftedServer,
  SourceTableName: string,
  TargetTableName: string,
  atMs: number,
): Promise<readonly ScannedItem[]> {
  await server.call('RestoreTableToPointInTime', {
    SourceTableName,
    TargetTableName,
    RestoreDateTime: atMs / 1000,
  })
  for (;;) {
    const { Table } = await server.call<{ Table: { TableStatus: string } }>('DescribeTable', {
      TableName: TargetTableName,
    })
    if (Table.TableStatus === 'ACTIVE') return itemsOf(server, TargetTableName)
    await pause(50)
  }
}

interface Described {
  readonly StreamDescription: { readonly Shards: readonly { readonly ShardId: string }[] }
}

/** The keys of all changes that a stream shows. */
export async function streamedKeys(server: ShiftedServer, StreamArn: string): Promise<readonly string[]> {
  const { StreamDescription } = await server.call<Described>('DescribeStream', { StreamArn })
  const keys: string[] = []
  for (const { ShardId } of StreamDescription.Shards) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
    let { ShardIterator } = await server.call<{ ShardIterator: string | undefined }>('GetShardIterator', start)
    while (ShardIterator !== undefined) {
      const page: RecordPage = await server.call<RecordPage>('GetRecords', { ShardIterator })
      keys.push(...page.Records.map(({ dynamodb }) => dynamodb.Keys.pk.S))
      ShardIterator = page.Records.length === 0 ? undefined : page.NextShardIterator
    }
  }
  return keys.toSorted()
}

interface RecordPage {
  readonly Records: readonly { readonly dynamodb: { readonly Keys: { readonly pk: { readonly S: string } } } }[]
  readonly NextShardIterator?: string
}
