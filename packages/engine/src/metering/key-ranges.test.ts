import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'
import { keyRangePeriod } from './key-ranges.ts'
import { MetricStore } from './metric-store.ts'
import type { KeyRangePeriod } from './metrics.ts'
import { Recorder } from './recorder.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const use = (from: string, to: string, writeUnits: number, writeThrottles = 0) => {
  return { from, to, readUnits: 0, writeUnits, readThrottles: 0, writeThrottles }
}

describe('the ranges of a period', () => {
  const told = (...uses: ReturnType<typeof use>[]) =>
    keyRangePeriod(0, uses, 100).ranges.map((one) => [one.fromKey, one.toKey, one.writeUnits, one.writeThrottles])

  test('a range that was divided meanwhile is shared out among its parts', () => {
    expect(told(use('00000000', '', 100, 8), use('40000000', '', 10), use('00000000', '40000000', 20, 1))).toEqual([
      ['00000000', '40000000', 45, 3],
      ['40000000', '', 85, 6],
    ])
  })

  test('parts of one key have no hashes, and share evenly', () => {
    expect(
      told(
        use('400000005555', '40000000aaaa', 10),
        use('400000005555', '400000007777', 1),
        use('00000000', '40', 3),
      ),
    ).toEqual([
      ['00000000', '40', 3, 0],
      ['400000005555', '400000007777', 6, 0],
      ['400000007777', '40000000aaaa', 5, 0],
    ])
  })

  test('there are not too many, and the busiest stay in the order of their keys', () => {
    const uses = Array.from({ length: 9 }, (_, n) => use(`${n}0000000`, `${n + 1}0000000`, n % 3))
    expect(keyRangePeriod(7, uses, 3)).toMatchObject({
      atMs: 7,
      ranges: [{ fromKey: '20000000' }, { fromKey: '50000000' }, { fromKey: '80000000' }],
      leftOut: 6,
    })
  })
})

describe('what ranges of keys took', () => {
  let database: TestEngine
  beforeEach(async () => {
    database = await openTestEngine()
    await database.run('CreateTable', createTableInput('Orders', { hash: 'pk:S' }))
  })
  afterEach(() => database.close())

  const now = (): number => database.engine.clock.now()
  const flush = async (): Promise<void> => {
    const store = new MetricStore(database.store, '00000000-0000-4000-8000-000000000001')
    await new Recorder(database.engine.capacity.meters, store, database.engine).flush(now())
  }
  const put = (pk: string): Promise<unknown> =>
    database.run('PutItem', { TableName: 'Orders', Item: { pk: { S: pk } } })
  const ranges = (pastMs: number, periodMs: number): Promise<readonly KeyRangePeriod[]> =>
    database.engine.metrics.keyRanges({
      scope: testScope,
      tableName: 'Orders',
      fromMs: now() - pastMs,
      toMs: now() + 1,
      periodMs,
      limit: 100,
    })
  const writes = (periods: readonly KeyRangePeriod[]): readonly number[] =>
    periods.map((period) => period.ranges.reduce((sum, { writeUnits }) => sum + writeUnits, 0))

  test('is there for the minute that goes on, for those before, and for days, the older the coarser', async () => {
    for (const pk of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await put(pk)
    const [first] = await ranges(hourMs, minuteMs)
    expect(writes(await ranges(hourMs, minuteMs))).toEqual([7])
    expect(first?.ranges.length).toBeGreaterThan(1)
    expect(first?.atMs).toBe(Math.floor(now() / minuteMs) * minuteMs)
    database.advance(2 * minuteMs)
    await put('a')
    expect(writes(await ranges(hourMs, minuteMs))).toEqual([7, 1])
    database.advance(26 * hourMs)
    await flush()
    await put('b')
    expect(writes(await ranges(7 * dayMs, hourMs)).reduce((sum, units) => sum + units, 0)).toBe(9)
    expect((await ranges(7 * dayMs, hourMs)).length).toBeLessThanOrEqual(3)
    database.advance(20 * dayMs)
    await flush()
    const [oldest] = await ranges(30 * dayMs, 6 * hourMs)
    expect(oldest?.ranges.map(({ fromKey }) => fromKey)).toEqual(first?.ranges.map(({ fromKey }) => fromKey))
  })
})
