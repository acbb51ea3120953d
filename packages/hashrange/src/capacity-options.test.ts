import { describe, expect, test } from 'vitest'
import type { Database } from './database.ts'
import type { CapacityOptions } from './capacity-options.ts'
import { open } from './open.ts'
import { testDatabase } from './testing/index.ts'
import { logThrottling } from './would-throttle.ts'

const pk = (text: string): object => ({ pk: { S: text } })

async function createTable(db: Database, writeUnits: number): Promise<void> {
  await db.execute('CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: writeUnits },
  })
}

/** How many of so many writes at one moment are refused, and by what. */
async function refusals(db: Database, writes: number): Promise<Record<string, number>> {
  const codes: Record<string, number> = {}
  for (let i = 0; i < writes; i++) {
    try {
      await db.execute('PutItem', { TableName: 'orders', Item: pk(`${i}`) })
    } catch (error) {
      const name = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      codes[name] = (codes[name] ?? 0) + 1
    }
  }
  return codes
}

describe('eventual consistency', () => {
  test('a test that reads what it has just written fails, until time has passed', async () => {
    await using opened = await testDatabase(undefined, { consistency: 'eventual' })
    const { database: db, advance } = opened
    await createTable(db, 10)
    await db.execute('PutItem', { TableName: 'orders', Item: pk('a') })
    const get = async (more: object = {}): Promise<unknown> =>
      (await db.execute('GetItem', { TableName: 'orders', Key: pk('a'), ...more }))['Item']
    expect(await get()).toBeUndefined()
    expect(await get({ ConsistentRead: true })).toEqual(pk('a'))
    await advance(1000)
    expect(await get()).toEqual(pk('a'))
  })

  test('the delay can be chosen', async () => {
    let nowMs = 0
    await using db = await open({
      consistency: 'eventual',
      consistencyLagMs: 50,
      consistencySeed: 4,
      clock: { now: () => nowMs },
    })
    await createTable(db, 10)
    const count = async (): Promise<unknown> => (await db.execute('Scan', { TableName: 'orders' }))['Count']
    for (let i = 0; i < 20; i++) await db.execute('PutItem', { TableName: 'orders', Item: pk(`${i}`) })
    nowMs += 25
    expect(await count()).toBeGreaterThan(2)
    expect(await count()).toBeLessThan(18)
    nowMs += 25
    expect(await count()).toBe(20)
  })
})

describe('throttling', () => {
  test('is measured by default: nothing is refused, and what would have been is told once, with a remedy', async () => {
    const lines: string[] = []
    await using db = await open({
      clock: { now: () => Date.UTC(2026, 0, 15) },
      onWouldThrottle: logThrottling({ error: (line) => lines.push(line) }),
    })
    await createTable(db, 1)
    expect(await refusals(db, 400)).toEqual({})
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^hashrange: AWS would have throttled a write to orders at the key \d+ \(TableWriteProvisionedThroughputExceeded\)\. Raise/,
    )
  })

  test('is enforced if asked for, and passes with time', async () => {
    await using opened = await testDatabase(undefined, { throttling: 'enforce' })
    const { database: db, advance } = opened
    await createTable(db, 1)
    const refused = (await refusals(db, 400))['ProvisionedThroughputExceededException'] ?? 0
    expect(refused).toBeGreaterThan(0)
    await advance(10_000)
    expect(await refusals(db, 5)).toEqual({})
  })

  test('can be off', async () => {
    let told = 0
    await using db = await open({
      throttling: 'off',
      clock: { now: () => Date.UTC(2026, 0, 15) },
      onWouldThrottle: () => told++,
    })
    await createTable(db, 1)
    expect(await refusals(db, 400)).toEqual({})
    expect(told).toBe(0)
  })

  test('a log is not for keys to format', () => {
    const lines: string[] = []
    const tell = logThrottling({ error: (line) => lines.push(line) })
    const would = {
      scope: { accountId: '123456789012', region: 'us-east-1' },
      tableName: 'orders',
      indexName: undefined,
      side: 'write' as const,
      reason: 'TableWriteKeyRangeThroughputExceeded',
      key: 'a\nb',
      keyRange: { from: '', to: '' },
      remedy: '',
      message: 'a write at a\n\x1b[2Jb',
    }
    for (let i = 0; i < 1_000; i++) tell(would)
    expect(lines[0]).toBe('hashrange: a write at a··[2Jb')
    expect(lines).toHaveLength(201)
  })
})

test('refusals have the words of today, or those of 2025', async () => {
  const words = async (options: CapacityOptions): Promise<unknown> => {
    await using db = await open(options)
    const refused = db.execute('PutItem', { TableName: 'orders', Item: pk('a'), ReturnValues: 'ALL_NEW' })
    return refused.catch((error: unknown) => (error instanceof Error ? error.message : error))
  }
  expect(await words({})).toBe('1 validation error detected: ReturnValues can only be ALL_OLD or NONE')
  expect(await words({ dialect: '2025' })).toBe('ReturnValues can only be ALL_OLD or NONE')
})

test.each<[Record<string, unknown>, string]>([
  [{ throttling: 'some' }, 'throttling must be "measure", "enforce" or "off", not "some".'],
  [{ consistency: 'strong' }, 'consistency must be "current" or "eventual", not "strong".'],
  [{ dialect: 2025 }, 'dialect must be "2026" or "2025", as a string, not 2025.'],
  [
    { consistency: 'eventual', consistencyLagMs: -1 },
    'consistencyLagMs must be from 0 to 60000 milliseconds, not -1.',
  ],
])('open(%j) is a mistake that is explained', async (options, message) => {
  await expect(open(options as CapacityOptions)).rejects.toThrow(message)
})
