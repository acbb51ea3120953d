import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { rounds } from '../support/rounds.ts'
import type { ServerProcess } from './server-process.ts'
import { threeServers } from './three-servers.ts'

const servers = threeServers()

const TableName = 'orders'
const oldItems = rounds(2_000, 8_000)

test(
  'an index whose builder is killed is filled by another server, and misses no write of any',
  { timeout: 120_000 },
  async () => {
    const [builder, one, other] = servers()
    await one.call('CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    })
    for (let n = 0; n < oldItems; n += 1_000) {
      await Promise.all(
        Array.from({ length: 40 }, (_, batch) => putBatch(n % 2_000 === 0 ? one : other, n + batch * 25)),
      )
    }
    const state = { isOver: false }
    const writing = [one, other].flatMap((server, index) =>
      Array.from({ length: 4 }, (_, writer) => writeOn(server, `${index}-${writer}`, state)),
    )

    await builder.call('UpdateTable', {
      TableName,
      AttributeDefinitions: [{ AttributeName: 'product', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'by-product',
            KeySchema: [{ AttributeName: 'product', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        },
      ],
    })
    await builder.kill()
    await expect.poll(() => indexStatus(other), { timeout: 60_000, interval: 250 }).toBe('ACTIVE')
    state.isOver = true
    await Promise.all(writing)

    const inTable = await keysOf(one)
    const inIndex = await keysOf(other, 'by-product')
    expect(inIndex).toEqual(inTable)
    expect(inTable.length).toBeGreaterThan(oldItems)
    const { Table } = await other.call<{ Table: { ItemCount: number; GlobalSecondaryIndexes: unknown } }>(
      'DescribeTable',
      { TableName },
    )
    expect(Table).toMatchObject({
      ItemCount: inTable.length,
      GlobalSecondaryIndexes: [{ ItemCount: inTable.length }],
    })
  },
)

async function putBatch(server: ServerProcess, from: number): Promise<void> {
  const requests = Array.from({ length: 25 }, (_, n) => ({
    PutRequest: { Item: { pk: { S: `old ${from + n}` }, product: { S: `p${(from + n) % 7}` } } },
  }))
  await server.call('BatchWriteItem', { RequestItems: { [TableName]: requests } })
}

/** New items, and old ones whose product changes, or that go. */
async function writeOn(server: ServerProcess, writer: string, state: { readonly isOver: boolean }): Promise<void> {
  for (let n = 0; !state.isOver; n++) {
    const old = { pk: { S: `old ${(n * 37) % oldItems}` } }
    if (n % 3 === 0) {
      await server.call('PutItem', {
        TableName,
        Item: { pk: { S: `${writer} ${n}` }, product: { S: `p${n % 7}` } },
      })
    } else if (n % 3 === 1) {
      await server.call('PutItem', { TableName, Item: { ...old, product: { S: `p${n % 5}` } } })
    } else {
      await server.call('DeleteItem', { TableName, Key: { pk: { S: `${writer} ${n - 8}` } } })
    }
    // What they write must be in the way of who fills the index, and need not keep the processors from it.
    await pause(10)
  }
}

async function indexStatus(server: ServerProcess): Promise<string | undefined> {
  const { Table } = await server.call<{ Table: { GlobalSecondaryIndexes?: readonly { IndexStatus: string }[] } }>(
    'DescribeTable',
    { TableName },
  )
  return Table.GlobalSecondaryIndexes?.[0]?.IndexStatus
}

interface Page {
  readonly Items: readonly { readonly pk: { readonly S: string }; readonly product?: { readonly S: string } }[]
  readonly LastEvaluatedKey?: object
}

/** With the product, which an index entry must not be behind with. */
async function keysOf(server: ServerProcess, IndexName?: string): Promise<readonly string[]> {
  const keys: string[] = []
  let start: object | undefined
  do {
    const page: Page = await server.call<Page>('Scan', {
      TableName,
      ...(IndexName !== undefined && { IndexName }),
      ...(start !== undefined && { ExclusiveStartKey: start }),
    })
    for (const { pk, product } of page.Items) keys.push(`${pk.S} ${product?.S}`)
    start = page.LastEvaluatedKey
  } while (start !== undefined)
  return keys.toSorted()
}
