import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ServerProcess } from './server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-crash-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rounds = Number(process.env['HASHRANGE_CRASH_ROUNDS'] ?? 4)
const writers = 16

interface Item {
  readonly pk: { readonly S: string }
  readonly sk: { readonly N: string }
  readonly g?: { readonly S: string }
  readonly v: { readonly N: string }
  readonly balance?: { readonly N: string }
}

/** What a client knows of an item: the version it was told is stored, and the one it asked for last. After a crash the
 *  item holds one or the other. */
interface Known {
  acknowledged: number
  asked: number
}

test(
  'kill -9 in the middle of concurrent writes loses no acknowledged write, and every index agrees with its table',
  { timeout: 120_000 },
  async () => {
    let server = await ServerProcess.start(['--path', folder])
    await createTables(server)
    const known = new Map<string, Known>()
    for (let round = 0; round < rounds; round++) {
      let isDown = false
      const running = server
      const writing = Array.from({ length: writers }, (_, writer) =>
        writeUntilDown(running, `w${writer}`, known, () => isDown),
      )
      const transferring = Array.from({ length: 4 }, () => transferUntilDown(running, () => isDown))
      await new Promise((resolve) => setTimeout(resolve, 300 + 400 * Math.random()))
      isDown = true
      await running.kill()
      await Promise.all([...writing, ...transferring])
      server = await ServerProcess.start(['--path', folder])
      await check(server, known)
    }
    expect(known.size).toBeGreaterThan(writers)
    expect(await server.stop()).toBe(0)
  },
)

async function createTables(server: ServerProcess): Promise<void> {
  await server.call('CreateTable', {
    TableName: 'crash',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'N' },
      { AttributeName: 'g', AttributeType: 'S' },
      { AttributeName: 'v', AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'global',
        KeySchema: [
          { AttributeName: 'g', KeyType: 'HASH' },
          { AttributeName: 'v', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'local',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'v', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await server.call('CreateTable', {
    TableName: 'accounts',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (const pk of accounts) {
    await server.call('PutItem', { TableName: 'accounts', Item: { pk: { S: pk }, balance: { N: '1000' } } })
  }
}

/** Each writer has its own items, so that it knows what they must be. Every third version is not in the global index. */
async function writeUntilDown(
  server: ServerProcess,
  pk: string,
  known: Map<string, Known>,
  isDown: () => boolean,
): Promise<void> {
  for (let count = 0; !isDown(); count++) {
    const sk = String(count % 50)
    const name = `${pk}/${sk}`
    const state = known.get(name) ?? { acknowledged: 0, asked: 0 }
    known.set(name, state)
    state.asked = Math.max(state.acknowledged, state.asked) + 1
    const item = {
      pk: { S: pk },
      sk: { N: sk },
      v: { N: String(state.asked) },
      ...(state.asked % 3 !== 0 && { g: { S: `g${state.asked % 2}` } }),
    }
    try {
      await server.call('PutItem', { TableName: 'crash', Item: item })
      state.acknowledged = state.asked
    } catch (error) {
      if (!isDown()) throw error
    }
  }
}

const accounts = ['a', 'b', 'c', 'd']

async function transferUntilDown(server: ServerProcess, isDown: () => boolean): Promise<void> {
  while (!isDown()) {
    const [from, to] = accounts.toSorted(() => Math.random() - 0.5)
    try {
      await server.call('TransactWriteItems', {
        TransactItems: [
          ['-', from],
          ['+', to],
        ].map(([sign, pk]) => ({
          Update: {
            TableName: 'accounts',
            Key: { pk: { S: pk } },
            UpdateExpression: `SET balance = balance ${sign} :n`,
            ExpressionAttributeValues: { ':n': { N: '7' } },
          },
        })),
      })
    } catch (error) {
      if (!isDown()) throw error
    }
  }
}

async function check(server: ServerProcess, known: ReadonlyMap<string, Known>): Promise<void> {
  const items = await scan(server, 'crash')
  const stored = new Map(items.map((item) => [`${item.pk.S}/${item.sk.N}`, Number(item.v.N)]))
  for (const [name, state] of known) {
    const version = stored.get(name) ?? 0
    expect([state.acknowledged, state.asked], name).toContain(version)
    state.acknowledged = version
  }
  expect(byKey(await scan(server, 'crash', 'local'))).toEqual(byKey(items))
  expect(byKey(await scan(server, 'crash', 'global'))).toEqual(byKey(items.filter(({ g }) => g !== undefined)))
  const { Table } = await server.call<{ Table: { ItemCount: number } }>('DescribeTable', { TableName: 'crash' })
  expect(Table.ItemCount).toBe(items.length)
  const balances = await scan(server, 'accounts')
  expect(balances.reduce((sum, { balance }) => sum + Number(balance?.N), 0)).toBe(4_000)
}

async function scan(server: ServerProcess, TableName: string, IndexName?: string): Promise<Item[]> {
  const items: Item[] = []
  let ExclusiveStartKey: object | undefined
  do {
    const page = await server.call<{ Items: Item[]; LastEvaluatedKey?: object }>('Scan', {
      TableName,
      ...(IndexName !== undefined && { IndexName }),
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    })
    items.push(...page.Items)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  return items
}

function byKey(items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item) => [`${item.pk.S}/${item.sk.N}`, item]))
}
