import { Engine, openLmdbStore, type Scope } from '@hashrange/engine'
import type { HeatOverview, TableHeat } from '@hashrange/workbench/answers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject, WorkbenchContext } from '../api-handler.ts'
import { unlimitedVisitor } from '../visitors/visitor.ts'
import { heat } from './heat.ts'

const scope: Scope = { accountId: '123456789012', region: 'us-east-1' }
const startMs = Date.UTC(2026, 5, 15, 12)

describe('the heat that the page asks for', () => {
  let engine: Engine
  let nowMs: number

  beforeEach(async () => {
    nowMs = startMs
    engine = await Engine.open({ store: await openLmdbStore({ memory: true }), clock: { now: () => nowMs } })
    await run('CreateTable', {
      TableName: 'orders',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    })
    nowMs += 60_000
  })
  afterEach(() => engine.close())

  const run = (operation: string, input: object) => engine.execute(scope, 'DynamoDB_20120810', operation, input)
  const ask = async <Answer>(path: readonly string[], body: JsonObject = {}): Promise<Answer> => {
    const query = new URLSearchParams({ account: scope.accountId, region: scope.region })
    return (await heat({ engine } as unknown as WorkbenchContext, {
      path,
      query,
      body,
      isFromHere: true,
      request: { method: 'POST', target: '/', body: Buffer.alloc(0) },
      visitor: unlimitedVisitor(engine),
    })) as Answer
  }
  const write = async (id: string, times: number) => {
    for (let count = 0; count < times; count++)
      await run('PutItem', { TableName: 'orders', Item: { id: { S: id } } })
  }

  test('shows consumed against provisioned by the second, the hottest key with its values, and what would be throttled', async () => {
    await write('calm', 20)
    await write('celebrity', 480)
    const { places, operations, range } = await ask<TableHeat>(['table'], { table: 'orders', range: '5m' })
    const [place] = places
    expect(range.periodMs).toBe(1000)
    expect(Math.max(...(place?.history.write ?? []))).toBe(500)
    expect(place?.history.provisionedWrite.at(-1)).toBe(5)
    expect(place?.keys.writes[0]).toMatchObject({ text: 'celebrity', values: [{ S: 'celebrity' }] })
    expect(place?.history.writeWouldThrottles.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100)
    expect(place?.keys.throttledWrites[0]?.text).toBe('celebrity')
    expect(operations.map(({ operation }) => operation)).toEqual(['PutItem'])
    expect(operations[0]?.requests.reduce((sum, count) => sum + count, 0)).toBe(500)
  })

  test.each(['1h', '24h', '7d', '30d'])('adds up the same traffic over %s', async (range) => {
    await write('a', 3)
    nowMs += 120_000
    await write('b', 2)
    const { places, range: asked, operations } = await ask<TableHeat>(['table'], { table: 'orders', range })
    const { write: rates = [], timesMs = [] } = places[0]?.history ?? {}
    const nowInPeriod = Math.ceil((nowMs - (timesMs.at(-1) ?? 0)) / 1000)
    const units = rates.reduce((sum, rate, position) => {
      const isLast = position === rates.length - 1
      return sum + rate * (isLast ? Math.max(1, nowInPeriod) : asked.periodMs / 1000)
    }, 0)
    expect(units).toBeCloseTo(5)
    const ranges = places[0]?.keyRanges.periods.flatMap((period) => period.ranges) ?? []
    expect(ranges.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBe(5)
    expect(places[0]?.keyRanges.periods.every(({ atMs }) => timesMs.includes(atMs))).toBe(true)
    expect(places[0]?.keys.writes.map(({ text, amount }) => [text, amount])).toEqual([
      ['a', 3],
      ['b', 2],
    ])
    expect(operations[0]?.requests.reduce((sum, count) => sum + count, 0)).toBe(5)
  })

  test('what is over is read once, and what comes is added to it', async () => {
    for (let day = 0; day < 3; day++) {
      await write(`day-${String(day)}`, 10)
      nowMs += 24 * 60 * 60_000
    }
    const look = async () => {
      const { places } = await ask<TableHeat>(['table'], { table: 'orders', range: '7d' })
      const [place] = places
      const busy = place?.history.write.filter((rate) => rate > 0).length
      return { busy, keys: place?.keys.writes.map(({ text, amount }) => `${text} ${String(amount)}`).toSorted() }
    }
    const first = { busy: 3, keys: ['day-0 10', 'day-1 10', 'day-2 10'] }
    expect(await look()).toEqual(first)
    expect(await look()).toEqual(first)
    await write('day-0', 5)
    await write('now', 5)
    expect(await look()).toEqual({ busy: 4, keys: ['day-0 15', 'day-1 10', 'day-2 10', 'now 5'] })
  })

  test('gives an overview of all tables, with the share of the busiest partition', async () => {
    await write('celebrity', 500)
    const { tables } = await ask<HeatOverview>([])
    expect(tables.map(({ tableName }) => tableName)).toEqual(['orders'])
    const [place] = tables[0]?.places ?? []
    expect(place?.writeShare).toBeCloseTo(0.05)
    expect(place?.writeMinutes).toHaveLength(60)
    expect(place?.hottestWrite).toEqual({ text: 'celebrity', share: 1 })
  })

  test('refuses a range it does not know, and a table that is not there in the words of the service', async () => {
    await expect(ask(['table'], { table: 'orders', range: 'toString' })).rejects.toThrow(/range must be one of 5m/)
    await expect(ask(['table'], { table: 'none', range: '1h' })).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    })
    await expect(ask(['elsewhere'])).rejects.toThrow(/heat\/table/)
  })
})
