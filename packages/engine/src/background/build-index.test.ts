import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import { allPages, createTableInput, openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'

type Attributes = Record<string, object>

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', createTableInput('grown', { hash: 'pk', range: 'sk:N' }))
})

afterEach(async () => {
  await db.close()
  expect(db.backgroundErrors).toEqual([])
})

const createIndex = ({ run }: TestEngine): Promise<unknown> =>
  run('UpdateTable', {
    TableName: 'grown',
    AttributeDefinitions: [
      { AttributeName: 'g', AttributeType: 'S' },
      { AttributeName: 'n', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'late',
          KeySchema: [
            { AttributeName: 'g', KeyType: 'HASH' },
            { AttributeName: 'n', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['shown'] },
        },
      },
    ],
  })

const dropIndex = { TableName: 'grown', GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'late' } }] }

const itemOf = (n: number): Attributes => ({
  pk: { S: `p${n % 97}` },
  sk: { N: `${n}` },
  ...(n % 5 !== 0 && { g: { S: `g${n % 7}` } }),
  n: { N: `${n % 11}` },
  shown: { S: 's'.repeat(n % 13) },
  kept: { S: `${n}` },
})

async function fill({ run }: TestEngine, count: number): Promise<void> {
  for (let from = 0; from < count; from += 25) {
    const requests = Array.from({ length: Math.min(25, count - from) }, (_, n) => ({
      PutRequest: { Item: itemOf(from + n) },
    }))
    await run('BatchWriteItem', { RequestItems: { grown: requests } })
  }
}

/** What the index must hold, going by the items. */
async function implied(from: TestEngine): Promise<string[]> {
  const items = (await allPages(from, 'Scan', { TableName: 'grown' })).flatMap(({ Items = [] }) => Items)
  return items
    .filter((item) => item['g'] !== undefined && item['n'] !== undefined)
    .map((item) => canonical(Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'kept'))))
    .toSorted()
}

async function held(from: TestEngine): Promise<string[]> {
  const pages = await allPages(from, 'Scan', { TableName: 'grown', IndexName: 'late' })
  return pages.flatMap(({ Items = [] }) => Items.map(canonical)).toSorted()
}

const canonical = (item: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))))

interface Described {
  readonly Table: {
    readonly TableStatus: string
    readonly ItemCount: number
    readonly GlobalSecondaryIndexes?: readonly {
      readonly IndexStatus: string
      readonly Backfilling?: boolean
      readonly ItemCount: number
      readonly IndexSizeBytes: number
    }[]
  }
}

const describeGrown = async ({ run }: TestEngine): Promise<Described['Table']> =>
  (await run<Described>('DescribeTable', { TableName: 'grown' })).Table

/** A small generator of numbers, so that a failure can be had again by its seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('an index that is built while its table is being written', () => {
  const seed = Number(process.env['HASHRANGE_SEED'])

  test('holds what its items imply', async () => {
    const random = numbersFrom(seed)
    await fill(db, 3_000)
    await createIndex(db)
    expect((await describeGrown(db)).GlobalSecondaryIndexes).toMatchObject([
      { IndexStatus: 'CREATING', Backfilling: true },
    ])
    expect((await db.refusal('Scan', { TableName: 'grown', IndexName: 'late' })).message).toBe(
      'Cannot read from backfilling global secondary index: late',
    )
    const Key = (n: number): object => ({ pk: { S: `p${n % 97}` }, sk: { N: `${n}` } })
    const write = (n: number): Promise<unknown> => {
      const update = { TableName: 'grown', Key: Key(n) }
      switch (random(6)) {
        case 0:
          return db.run('PutItem', { TableName: 'grown', Item: { ...itemOf(n), g: { S: `g${random(9)}` } } })
        case 1:
          return db.run('DeleteItem', update)
        case 2:
          return db.run('UpdateItem', { ...update, UpdateExpression: 'REMOVE g' })
        case 3:
          return db.run('UpdateItem', {
            ...update,
            UpdateExpression: 'SET g = :g, n = :n',
            ExpressionAttributeValues: { ':g': { S: `g${random(9)}` }, ':n': { N: `${random(9)}` } },
          })
        case 4:
          return db.run('UpdateItem', {
            ...update,
            UpdateExpression: 'SET shown = :s, kept = :s',
            ExpressionAttributeValues: { ':s': { S: 'x'.repeat(random(20)) } },
          })
        default:
          return db.run('TransactWriteItems', {
            TransactItems: [
              { Put: { TableName: 'grown', Item: itemOf(n) } },
              { Delete: { TableName: 'grown', Key: Key(n + 1) } },
            ],
          })
      }
    }
    const stopWriting = new AbortController()
    const writer = async (): Promise<void> => {
      while (!stopWriting.signal.aborted) {
        await write(random(3_200))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const writers = Array.from({ length: 8 }, writer)
    await db.engine.background.idle()
    stopWriting.abort()
    await Promise.all(writers)

    const entries = await held(db)
    expect(entries).toEqual(await implied(db))
    const { GlobalSecondaryIndexes: [index] = [], ItemCount } = await describeGrown(db)
    expect(index).toMatchObject({ IndexStatus: 'ACTIVE', ItemCount: entries.length })
    expect(index?.Backfilling).toBeUndefined()
    const total = (await allPages(db, 'Scan', { TableName: 'grown', Select: 'COUNT' })).reduce(
      (sum, { Count = 0 }) => sum + Count,
      0,
    )
    expect(ItemCount).toBe(total)
    const emptied = (await allPages(db, 'Scan', { TableName: 'grown' })).flatMap(({ Items = [] }) => Items)
    await Promise.all(emptied.map(({ pk, sk }) => db.run('DeleteItem', { TableName: 'grown', Key: { pk, sk } })))
    expect((await describeGrown(db)).GlobalSecondaryIndexes).toMatchObject([{ ItemCount: 0, IndexSizeBytes: 0 }])
  })
})

describe('items that are older than an index and do not suit it', () => {
  const unfit = [
    { pk: { S: 'type' }, sk: { N: '1' }, g: { N: '1' }, n: { N: '1' } },
    { pk: { S: 'empty' }, sk: { N: '1' }, g: { S: '' }, n: { N: '1' } },
    { pk: { S: 'long' }, sk: { N: '1' }, g: { S: 'x'.repeat(300_000) }, n: { N: '1' } },
  ]

  beforeEach(async () => {
    for (const Item of unfit) await db.run('PutItem', { TableName: 'grown', Item })
    await db.run('PutItem', { TableName: 'grown', Item: itemOf(1) })
    await createIndex(db)
    await db.engine.background.idle()
  })

  test('are left out of it', async () => {
    expect((await describeGrown(db)).GlobalSecondaryIndexes).toMatchObject([
      { IndexStatus: 'ACTIVE', ItemCount: 1 },
    ])
    expect(await held(db)).toHaveLength(1)
  })

  test('cannot be updated but to mend them', async () => {
    const words = [
      'The update expression attempted to update the secondary index key to unsupported type',
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.',
      'The update expression attempted to update the secondary index key beyond allowed size limits',
    ]
    for (const [position, { pk, sk }] of unfit.entries()) {
      const update = { TableName: 'grown', Key: { pk, sk } }
      const values = { ExpressionAttributeValues: { ':v': { S: 'v' } } }
      const error = await db.refusal('UpdateItem', { ...update, UpdateExpression: 'SET kept = :v', ...values })
      expect(error.message).toBe(words[position])
      await db.run('UpdateItem', { ...update, UpdateExpression: 'SET g = :v', ...values })
    }
    expect(await held(db)).toHaveLength(4)
  })

  test('can be replaced and deleted', async () => {
    const [first, second, third] = unfit.map(({ pk, sk }) => ({ pk, sk }))
    await db.run('PutItem', { TableName: 'grown', Item: { ...first, g: { S: 'g' }, n: { N: '1' } } })
    await db.run('DeleteItem', { TableName: 'grown', Key: second })
    await db.run('DeleteItem', { TableName: 'grown', Key: third })
    expect(await held(db)).toEqual(await implied(db))
    expect((await describeGrown(db)).GlobalSecondaryIndexes).toMatchObject([{ ItemCount: 2 }])
  })
})

describe('while an index is being built', () => {
  beforeEach(() => fill(db, 1_500))

  test('it can be dropped, and nothing of it is left', async () => {
    await createIndex(db)
    const indexId = db.engine.requireTable(testScope, 'grown').index('late')?.indexId ?? 0
    await new Promise((resolve) => setTimeout(resolve, 5))
    await db.run('UpdateTable', dropIndex)
    await db.engine.background.idle()
    const { TableStatus, GlobalSecondaryIndexes } = await describeGrown(db)
    expect({ TableStatus, GlobalSecondaryIndexes }).toEqual({
      TableStatus: 'ACTIVE',
      GlobalSecondaryIndexes: undefined,
    })
    expect(await db.countKeys(spaceRange(keySpace.indexEntry, indexId))).toBe(0)
    await createIndex(db)
    await db.engine.background.idle()
    expect(await held(db)).toEqual(await implied(db))
  })

  test('its table can be dropped, and nothing of either is left', async () => {
    const { id } = db.engine.requireTable(testScope, 'grown')
    await createIndex(db)
    const indexId = db.engine.requireTable(testScope, 'grown').index('late')?.indexId ?? 0
    await new Promise((resolve) => setTimeout(resolve, 5))
    await db.run('DeleteTable', { TableName: 'grown' })
    await db.run('CreateTable', createTableInput('grown', { hash: 'pk' }))
    await db.engine.background.idle()
    expect(await db.countKeys(spaceRange(keySpace.item, id))).toBe(0)
    expect(await db.countKeys(spaceRange(keySpace.indexEntry, indexId))).toBe(0)
    expect(await db.countKeys({ from: Buffer.of(keySpace.purge), to: Buffer.of(keySpace.purge + 1) })).toBe(0)
  })
})

test('a restart in the middle of a build goes on with it', async () => {
  const path = mkdtempSync(join(tmpdir(), 'hashrange-test-'))
  try {
    const first = await openTestEngine(path)
    await first.run('CreateTable', createTableInput('grown', { hash: 'pk', range: 'sk:N' }))
    await fill(first, 1_500)
    await createIndex(first)
    // Not proved first: the index would be there by then.
    await first.engine.close()
    const [left] = first.engine.catalog.all()
    expect(left?.definition.globalIndexes).toMatchObject([{ status: 'CREATING' }])
    const second = await openTestEngine(path)
    // Nobody has to wait for it to write.
    await second.run('PutItem', { TableName: 'grown', Item: itemOf(5_001) })
    await second.engine.background.idle()
    const entries = await held(second)
    expect(entries).toEqual(await implied(second))
    expect((await describeGrown(second)).GlobalSecondaryIndexes).toMatchObject([
      { IndexStatus: 'ACTIVE', ItemCount: entries.length },
    ])
    await second.close()
    expect([...first.backgroundErrors, ...second.backgroundErrors]).toEqual([])
  } finally {
    rmSync(path, { recursive: true })
  }
})
