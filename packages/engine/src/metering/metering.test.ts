import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'
import type { MetricDimensions, MetricName } from './metric-names.ts'
import type { Datapoint } from './metrics.ts'

let database: TestEngine

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const table = { TableName: 'Orders' }
const index = { ...table, GlobalSecondaryIndexName: 'byDay' }

const create = async (): Promise<void> => {
  const shape = { hash: 'pk:S', range: 'sk:S', global: { byDay: { hash: ['day:S'] } } }
  await database.run('CreateTable', createTableInput('Orders', shape))
}

const put = (pk: string, sk = '1', more: object = {}): Promise<unknown> =>
  database.run('PutItem', { TableName: 'Orders', Item: { pk: { S: pk }, sk: { S: sk }, ...more } })

const get = (pk: string, sk = '1'): Promise<unknown> =>
  database.run('GetItem', { TableName: 'Orders', Key: { pk: { S: pk }, sk: { S: sk } } })

const now = (): number => database.engine.clock.now()

async function series(
  name: MetricName,
  dimensions: MetricDimensions,
  periodMs = minuteMs,
  pastMs = 60 * minuteMs,
): Promise<readonly Datapoint[]> {
  return database.engine.metrics.series(testScope, { name, dimensions }, now() - pastMs, now() + 1, periodMs)
}

const sumOf = async (name: MetricName, dimensions: MetricDimensions, pastMs?: number): Promise<number> => {
  const points = await series(name, dimensions, minuteMs, pastMs)
  return points.reduce((sum, point) => sum + point.sum, 0)
}

describe('metering', () => {
  beforeEach(async () => {
    database = await openTestEngine()
    await create()
  })

  afterEach(() => database.close())

  test('counts the units of tables and indexes, request by request', async () => {
    for (let n = 0; n < 5; n++) await put('USER#1', `${n}`, { day: { S: 'monday' } })
    await put('USER#2', '1', { text: { S: 'x'.repeat(3_000) } })
    await get('USER#1')
    await database.run('Query', {
      TableName: 'Orders',
      IndexName: 'byDay',
      KeyConditionExpression: '#day = :day',
      ExpressionAttributeNames: { '#day': 'day' },
      ExpressionAttributeValues: { ':day': { S: 'monday' } },
    })
    expect(await series('ConsumedWriteCapacityUnits', table)).toMatchObject([
      { atMs: Math.floor(now() / minuteMs) * minuteMs, sampleCount: 6, sum: 8, minimum: 1, maximum: 3 },
    ])
    expect(await series('ConsumedWriteCapacityUnits', index)).toMatchObject([{ sampleCount: 5, sum: 5 }])
    expect(await series('ConsumedReadCapacityUnits', table)).toMatchObject([{ sampleCount: 1, sum: 0.5 }])
    expect(await series('ConsumedReadCapacityUnits', index)).toMatchObject([{ sampleCount: 1, sum: 0.5 }])
    expect(await series('ReturnedItemCount', { ...table, Operation: 'Query' })).toMatchObject([{ sum: 5 }])
  })

  test('counts the latencies of each operation, and tells their quantiles', async () => {
    for (let n = 0; n < 20; n++) await get('USER#1')
    const [point] = await series('SuccessfulRequestLatency', { ...table, Operation: 'GetItem' })
    expect(point?.sampleCount).toBe(20)
    expect(point?.quantile(0.5)).toBeGreaterThan(0)
    expect(point?.quantile(0.5)).toBeLessThanOrEqual(point?.quantile(0.99) ?? 0)
    expect(point?.quantile(0.99)).toBeLessThanOrEqual(point?.maximum ?? 0)
  })

  test('counts what is the fault of clients for their account', async () => {
    await database.refusal('GetItem', { TableName: 'Orders', Key: {} })
    await database.refusal('GetItem', { TableName: 'nowhere', Key: { pk: { S: 'a' } } })
    await database.refusal('PutItem', {
      TableName: 'Orders',
      Item: { pk: { S: 'a' }, sk: { S: 'b' } },
      ConditionExpression: 'attribute_exists(pk)',
    })
    expect(await sumOf('UserErrors', {})).toBe(2)
    expect(await sumOf('ConditionalCheckFailedRequests', table)).toBe(1)
  })

  test('lists the metrics there are, with their dimensions', async () => {
    await put('USER#1', '1', { day: { S: 'monday' } })
    const listed = await database.engine.metrics.list(testScope)
    expect(listed).toContainEqual({ name: 'ConsumedWriteCapacityUnits', dimensions: index })
    expect(listed).toContainEqual({
      name: 'SuccessfulRequestLatency',
      dimensions: { ...table, Operation: 'PutItem' },
    })
    expect(listed).toContainEqual({ name: 'AccountMaxTableLevelReads', dimensions: {} })
    expect(listed).not.toContainEqual({ name: 'ProvisionedReadCapacityUnits', dimensions: table })
    expect(await database.engine.metrics.list({ ...testScope, region: 'us-east-1' })).toEqual([])
  })

  test('tells what was provisioned when, whether there was traffic or not', async () => {
    const throughput = (ReadCapacityUnits: number): object => ({
      ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits: 5 },
    })
    await database.run('CreateTable', {
      TableName: 'Provisioned',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      ...throughput(10),
    })
    database.advance(2 * minuteMs)
    await database.run('UpdateTable', { TableName: 'Provisioned', ...throughput(20) })
    database.advance(2 * minuteMs)
    const of = { TableName: 'Provisioned' }
    const points = await series('ProvisionedReadCapacityUnits', of)
    expect(points.map(({ maximum }) => maximum)).toEqual([10, 10, 20, 20, 20])
    const latest = await series('ProvisionedReadCapacityUnits', of, minuteMs, minuteMs)
    expect(latest.map(({ maximum }) => maximum)).toEqual([20, 20])
  })

  test('aligns periods, and leaves empty ones out', async () => {
    await put('a')
    database.advance(10 * minuteMs)
    await put('b')
    await put('c')
    const points = await series('ConsumedWriteCapacityUnits', table, 5 * minuteMs)
    expect(points.map(({ sum }) => sum)).toEqual([1, 2])
    for (const { atMs } of points) expect(atMs % (5 * minuteMs)).toBe(0)
  })

  test('has seconds for five minutes', async () => {
    await put('a')
    database.advance(1_000)
    await put('b')
    await put('c')
    const seconds = await database.engine.metrics.consumption(
      testScope,
      'Orders',
      undefined,
      now() - 10_000,
      now() + 1,
      'second',
    )
    expect(seconds.map(({ writeUnits }) => writeUnits)).toEqual([1, 2])
    expect(await series('ConsumedWriteCapacityUnits', table, 1_000)).toMatchObject([{ sum: 1 }, { sum: 2 }])
    database.advance(6 * minuteMs)
    await put('d')
    expect(await series('ConsumedWriteCapacityUnits', table, 1_000)).toMatchObject([{ sum: 1 }])
  })

  test('shows the heat of key ranges, and the hottest keys', async () => {
    for (let n = 0; n < 30; n++) await put('CELEBRITY', `${n}`)
    for (let n = 0; n < 10; n++) await put(`PERSON#${n}`)
    await get('PERSON#3')
    const [heat] = database.engine.metrics.heat(testScope, 'Orders')
    expect(heat).toMatchObject({ writeUnitsPerSecond: 4, readUnitsPerSecond: 0.05, writeCapacity: 4_000 })
    expect(heat?.partitions).toHaveLength(4)
    expect(heat?.partitions.reduce((sum, { writeUnitsPerSecond }) => sum + writeUnitsPerSecond, 0)).toBe(4)
    expect(
      heat?.partitions.map(({ writeHistory }) => writeHistory.at(-1) ?? 0).toSorted((a, b) => b - a)[0],
    ).toBeGreaterThanOrEqual(30)
    expect(heat?.hottestWrites[0]).toEqual({
      values: [{ S: 'CELEBRITY' }],
      text: 'CELEBRITY',
      amount: 30,
      overestimate: 0,
    })
    expect(heat?.hottestReads).toMatchObject([{ text: 'PERSON#3', amount: 0.5 }])
  })

  test('ranks single items when asked to', async () => {
    const { metrics } = database.engine
    metrics.rankItems(testScope, 'Orders', undefined, true)
    for (let n = 0; n < 3; n++) await put('USER#1', 'profile')
    await put('USER#1', 'settings')
    const request = { scope: testScope, tableName: 'Orders', fromMs: now() - minuteMs, toMs: now() + 1, limit: 10 }
    expect(await metrics.topKeys({ ...request, ranking: 'writes', items: true })).toMatchObject([
      { text: 'USER#1 | profile', amount: 3 },
      { text: 'USER#1 | settings', amount: 1 },
    ])
    expect(await metrics.topKeys({ ...request, ranking: 'writes' })).toMatchObject([{ text: 'USER#1', amount: 4 }])
    metrics.rankItems(testScope, 'Orders', undefined, false)
    await put('USER#2')
    expect(await metrics.topKeys({ ...request, ranking: 'writes', items: true })).toHaveLength(2)
  })

  test('adds up what was counted since the start, for scrapers', async () => {
    await put('a')
    database.advance(minuteMs)
    await put('b')
    const totals = [...database.engine.metrics.totals()]
    expect(totals).toContainEqual(
      expect.objectContaining({ name: 'ConsumedWriteCapacityUnits', dimensions: table, sampleCount: 2, sum: 2 }),
    )
    const latency = totals.find(({ name }) => name === 'SuccessfulRequestLatency')
    expect(latency?.buckets?.at(-1)).toEqual({ atMost: Number.POSITIVE_INFINITY, count: 2 })
  })

  test('counts items that have expired', async () => {
    await database.run('UpdateTimeToLive', {
      TableName: 'Orders',
      TimeToLiveSpecification: { AttributeName: 'until', Enabled: true },
    })
    await put('a', '1', { until: { N: String(Math.floor(now() / 1000) + 5) } })
    database.advance(10_000)
    await database.engine.expireItems()
    expect(await sumOf('TimeToLiveDeletedItemCount', table)).toBe(1)
  })

  test('goes on under the name of a table that was dropped and created again', async () => {
    await put('a')
    await database.run('DeleteTable', table)
    expect(await sumOf('ConsumedWriteCapacityUnits', table)).toBe(1)
    await create()
    await put('b')
    expect(await sumOf('ConsumedWriteCapacityUnits', table)).toBe(2)
  })
})

describe('what was metered', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hashrange-'))
    database = await openTestEngine(folder)
    await create()
  })

  afterEach(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })

  async function reopen(laterMs: number): Promise<void> {
    const elapsedMs = now() - Date.UTC(2026, 0, 2, 3, 4, 5)
    await database.close()
    database = await openTestEngine(folder)
    database.advance(elapsedMs + laterMs)
  }

  test('is there after a restart, keys and key ranges included', async () => {
    for (let n = 0; n < 3; n++) await put('CELEBRITY', `${n}`)
    await get('CELEBRITY')
    await reopen(0)
    await put('CELEBRITY')
    expect(await sumOf('ConsumedWriteCapacityUnits', table)).toBe(4)
    const latencies = await series('SuccessfulRequestLatency', { ...table, Operation: 'PutItem' })
    expect(latencies).toMatchObject([{ sampleCount: 4 }])
    const request = { scope: testScope, tableName: 'Orders', fromMs: now() - minuteMs, toMs: now() + 1, limit: 10 }
    expect(await database.engine.metrics.topKeys({ ...request, ranking: 'writes' })).toMatchObject([
      { text: 'CELEBRITY', amount: 4 },
    ])
    expect(await database.engine.metrics.scopes()).toEqual([testScope])
  })

  test('is kept for days, the older the coarser', async () => {
    // Both minutes are to lie within the same five.
    database.advance(minuteMs)
    await put('a')
    database.advance(minuteMs)
    await put('b')
    await reopen(2 * dayMs)
    expect(await series('ConsumedWriteCapacityUnits', table, minuteMs, 3 * dayMs)).toHaveLength(2)
    await reopen(2 * dayMs)
    expect(await series('ConsumedWriteCapacityUnits', table, minuteMs, 5 * dayMs)).toMatchObject([{ sum: 2 }])
    await reopen(30 * dayMs)
    expect(await series('ConsumedWriteCapacityUnits', table, minuteMs, 40 * dayMs)).toMatchObject([{ sum: 2 }])
    expect(await database.engine.metrics.list(testScope)).not.toContainEqual({
      name: 'ConsumedWriteCapacityUnits',
      dimensions: table,
    })
  })
})
