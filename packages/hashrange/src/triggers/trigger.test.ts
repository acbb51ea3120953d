import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { open } from '../open.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import type { DynamoDBStreamEvent, DynamoDBStreamRecord } from './trigger-options.ts'

let opened: TestDatabase
let db: Database

beforeEach(async () => {
  opened = await testDatabase()
  db = opened.database
  await createTable(db, 'Orders')
})

afterEach(() => opened.close())

async function createTable(database: Database, TableName: string): Promise<void> {
  await database.execute('CreateTable', {
    TableName,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
}

const put = (pk: string, value = 1, TableName = 'Orders'): Promise<unknown> =>
  db.execute('PutItem', { TableName, Item: { pk: { S: pk }, value: { N: String(value) } } })

const valueOf = ({ dynamodb }: DynamoDBStreamRecord): number => Number(dynamodb.NewImage?.['value']?.N)
const keyOf = ({ dynamodb }: DynamoDBStreamRecord): string => dynamodb.Keys['pk']?.S ?? ''

/** Collects what a handler gets. */
function collector(): { batches: DynamoDBStreamRecord[][]; handler: (event: DynamoDBStreamEvent) => void } {
  const batches: DynamoDBStreamRecord[][] = []
  return { batches, handler: ({ Records }) => void batches.push(Records) }
}

describe('a trigger', () => {
  test('gets every change, in the form of Lambda, once it is settled', async () => {
    const { batches, handler } = collector()
    await db.trigger('Orders', handler)
    await put('a')
    await put('a', 2)
    await db.execute('DeleteItem', { TableName: 'Orders', Key: { pk: { S: 'a' } } })
    await db.settled()
    expect(batches.flat().map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY', 'REMOVE'])
    expect(batches.flat()[1]).toMatchObject({
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      eventSourceARN: expect.stringMatching(
        /^arn:aws:dynamodb:us-east-1:123456789012:table\/Orders\/stream\//,
      ) as unknown,
      dynamodb: { NewImage: { value: { N: '2' } }, OldImage: { value: { N: '1' } } },
    })
  })

  test('starts with what comes after it, or with all that the stream has', async () => {
    const first = collector()
    await db.trigger('Orders', first.handler)
    await put('a')
    const late = collector()
    await db.trigger('Orders', late.handler)
    const whole = collector()
    await db.trigger('Orders', whole.handler, { startingPosition: 'TRIM_HORIZON' })
    await put('b')
    await db.settled()
    expect(first.batches.flat().map(keyOf).toSorted()).toEqual(['a', 'b'])
    expect(late.batches.flat().map(keyOf)).toEqual(['b'])
    expect(whole.batches.flat().map(keyOf).toSorted()).toEqual(['a', 'b'])
  })

  test('sees what another trigger has written before it is settled', async () => {
    await createTable(db, 'Totals')
    const { batches, handler } = collector()
    await db.trigger('Orders', async ({ Records }) => {
      for (const record of Records) await put(keyOf(record), valueOf(record) * 10, 'Totals')
    })
    await db.trigger('Totals', handler)
    await put('a', 7)
    await db.settled()
    expect(batches.flat().map(valueOf)).toEqual([70])
  })

  test('is called in batches, and in order for each item', async () => {
    const { batches, handler } = collector()
    await db.trigger('Orders', handler, { batchSize: 10, parallelizationFactor: 4 })
    for (let value = 1; value <= 20; value++)
      await Promise.all(['a', 'b', 'c', 'd', 'e'].map((pk) => put(pk, value)))
    await db.settled()
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(10)
    for (const pk of ['a', 'b', 'c', 'd', 'e']) {
      const values = batches.flat().filter((record) => keyOf(record) === pk)
      expect(values.map(valueOf)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    }
  })

  test('tries a batch again when its time has come by the clock of the test', async () => {
    let calls = 0
    await db.trigger('Orders', () => {
      if (++calls < 3) throw new Error('not yet')
    })
    await put('a')
    await expect(db.settled()).rejects.toThrow('not yet')
    expect(calls).toBe(1)
    await opened.advance(500)
    await expect(db.settled()).rejects.toThrow('not yet')
    await opened.advance(999)
    await expect(db.settled()).rejects.toThrow('not yet')
    expect(calls).toBe(2)
    await opened.advance(1)
    await db.settled()
    expect(calls).toBe(3)
  })

  test('waits for a full batch as long as its window says', async () => {
    const { batches, handler } = collector()
    await db.trigger('Orders', handler, { batchSize: 3, maximumBatchingWindowInSeconds: 60 })
    await put('a', 1)
    await put('a', 2)
    await db.settled()
    expect(batches).toEqual([])
    await opened.advance(60_000)
    await db.settled()
    expect(batches.map((batch) => batch.map(valueOf))).toEqual([[1, 2]])
    for (const value of [3, 4, 5]) await put('a', value)
    await db.settled()
    expect(batches.at(-1)?.map(valueOf)).toEqual([3, 4, 5])
  })

  test('finds the record that fails by halving the batch, and gives it up', async () => {
    const seen: number[] = []
    await db.trigger(
      'Orders',
      ({ Records }) => {
        if (Records.some((record) => valueOf(record) === 5)) throw new Error('five')
        seen.push(...Records.map(valueOf))
      },
      { bisectBatchOnFunctionError: true, maximumRetryAttempts: 1, maximumBatchingWindowInSeconds: 1 },
    )
    for (let value = 1; value <= 8; value++) await put('a', value)
    for (let round = 0; round < 12; round++) {
      await opened.advance(60_000)
      await db.settled().catch(() => undefined)
    }
    await db.settled()
    expect(seen).toEqual([1, 2, 3, 4, 6, 7, 8])
  })

  test('continues after the first record that it reports as failed', async () => {
    const seen: number[] = []
    let fails = true
    await db.trigger(
      'Orders',
      ({ Records }) => {
        for (const record of Records) {
          if (fails && valueOf(record) === 3) {
            fails = false
            return { batchItemFailures: [{ itemIdentifier: record.dynamodb.SequenceNumber }] }
          }
          seen.push(valueOf(record))
        }
        return { batchItemFailures: [] }
      },
      { reportBatchItemFailures: true, maximumBatchingWindowInSeconds: 1 },
    )
    for (let value = 1; value <= 5; value++) await put('a', value)
    await opened.advance(1_000)
    await expect(db.settled()).rejects.toThrow('reported a record as failed')
    expect(seen).toEqual([1, 2])
    await opened.advance(60_000)
    await db.settled()
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  test('gives up records that are too old', async () => {
    let isBroken = true
    const { batches, handler } = collector()
    await db.trigger(
      'Orders',
      (event) => {
        if (isBroken) throw new Error('broken')
        handler(event)
      },
      { maximumRecordAgeInSeconds: 60 },
    )
    await put('a', 1)
    await expect(db.settled()).rejects.toThrow('broken')
    isBroken = false
    await opened.advance(61_000)
    await put('a', 2)
    await db.settled()
    expect(batches.flat().map(valueOf)).toEqual([2])
  })

  test('only gets what its filters let through', async () => {
    const { batches, handler } = collector()
    await db.trigger('Orders', handler, {
      filters: [{ eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'vip-' }] } } } }],
    })
    await put('vip-ana')
    await put('vip-ana', 2)
    await put('ben')
    await db.settled()
    expect(batches.flat().map(keyOf)).toEqual(['vip-ana'])
  })

  test('keeps a state in tumbling windows, and is told when one is over', async () => {
    interface WindowEvent extends DynamoDBStreamEvent {
      readonly state: { readonly sum?: number }
      readonly window: { readonly start: string; readonly end: string }
      readonly isFinalInvokeForWindow: boolean
    }
    const sums: [string, number | undefined][] = []
    await db.trigger(
      'Orders',
      (event) => {
        const { state, window, isFinalInvokeForWindow, Records } = event as WindowEvent
        if (isFinalInvokeForWindow) sums.push([window.start, state.sum])
        return { state: { sum: Records.reduce((sum, record) => sum + valueOf(record), state.sum ?? 0) } }
      },
      { tumblingWindowInSeconds: 60 },
    )
    await put('a', 1)
    await put('a', 2)
    await db.settled()
    await put('a', 4)
    await db.settled()
    expect(sums).toEqual([])
    await opened.advance(60_000)
    await put('a', 8)
    await db.settled()
    await opened.advance(60_000)
    await db.settled()
    expect(sums).toEqual([
      ['2026-01-15T09:30:00.000Z', 7],
      ['2026-01-15T09:31:00.000Z', 8],
    ])
  })

  test('is refused with settings that Lambda does not have', async () => {
    await expect(db.trigger('Orders', () => undefined, { batchSize: 100_000 })).rejects.toThrow(
      "at 'batchSize' failed to satisfy constraint",
    )
    await expect(db.trigger('Orders', () => undefined, { filters: [{ a: 'b' }] })).rejects.toThrow(
      'Invalid filter pattern definition.',
    )
    await expect(db.trigger('Nothing', () => undefined)).rejects.toThrow('There is no table Nothing.')
  })

  test('can be stopped', async () => {
    const { batches, handler } = collector()
    const trigger = await db.trigger('Orders', handler)
    await trigger.stop()
    await put('a')
    await db.settled()
    expect(batches).toEqual([])
  })
})

test('a trigger with a name continues where it was, in a database that was opened again', async () => {
  const path = await mkdtemp(join(tmpdir(), 'hashrange-trigger-'))
  try {
    const seen: string[] = []
    const session = async (pk: string): Promise<void> => {
      await using database = await open({ path })
      if (seen.length === 0) await createTable(database, 'Orders')
      const trigger = await database.trigger('Orders', ({ Records }) => void seen.push(...Records.map(keyOf)), {
        name: 'orders',
      })
      await database.execute('PutItem', { TableName: 'Orders', Item: { pk: { S: pk } } })
      await database.settled()
      await trigger.stop()
      await database.execute('PutItem', { TableName: 'Orders', Item: { pk: { S: `${pk}, later` } } })
    }
    await session('a')
    await session('b')
    expect(seen.toSorted()).toEqual(['a', 'a, later', 'b'])
  } finally {
    await rm(path, { recursive: true })
  }
})
