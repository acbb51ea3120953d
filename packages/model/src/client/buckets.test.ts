import { open } from 'hashrange'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { entity, model, s } from '../index.ts'
import { dateBuckets } from '../keys/date-buckets.ts'
import { openModel } from '../testing/open-model.ts'
import { checkModel } from '../check/index.ts'

const Reading = entity('Reading', { device: s.string(), at: s.iso('minute'), value: s.int() })
  .key({ pk: 'D#{device}#{at:day}', sk: '{at}' })
  .volume({ items: 1000, perPartition: 20 })
const sensors = model({
  name: 'sensors',
  entities: { Reading },
  patterns: (p) => ({
    between: p.query({ pk: 'D#{device}#{at:day}', range: 'at' }),
    latest: p.query({ pk: 'D#{device}#{at:day}', range: 'at', order: 'desc' }),
    ofDay: p.query({ pk: 'D#{device}#{at:day}' }),
  }),
})

async function opened() {
  const { db } = await openModel(sensors, { now: () => new Date('2026-01-10T12:00:00Z') })
  // Every eleven hours from the first to the tenth, none on the fourth and the fifth.
  const times: string[] = []
  for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2026, 0, 10, 12); ms += 11 * 3_600_000) {
    const at = `${new Date(ms).toISOString().slice(0, 16)}Z`
    if (/-0[45]T/.test(at)) continue
    times.push(at)
    await db.Reading.create({ device: 'a', at, value: times.length })
  }
  return { db, times }
}

describe('a range over the periods of a partition key', () => {
  test('reads one period after another, in both directions', async () => {
    const { db, times } = await opened()
    const read = async (
      pattern: 'between' | 'latest',
      at: Parameters<typeof db.between>[0]['at'],
      limit?: number,
    ): Promise<string[]> => {
      const found: string[] = []
      for await (const { item } of db[pattern].iterate({ device: 'a', at }, { limit })) found.push(item.at)
      return found
    }
    expect(await read('between', { from: '2026-01-01' })).toEqual(times)
    expect(await read('latest', { from: '2026-01-01' })).toEqual(times.toReversed())
    const [from = '', to = ''] = [times[3], times[11]]
    expect(await read('between', { from, to })).toEqual(times.slice(3, 12))
    expect(await read('latest', { after: from, before: to }, 2)).toEqual(times.slice(4, 11).toReversed())
    expect(await read('between', { after: '2026-01-02', before: '2026-01-08' }, 3)).toEqual(
      times.filter((at) => at > '2026-01-03' && at < '2026-01-08'),
    )
    expect(await read('between', { from: '2026-01-04', to: '2026-01-05' })).toEqual([])
    expect(await read('between', { from: '2027-01-01' })).toEqual([])
    expect(await read('between', { from: '2025-12-01', to: '2026-01' })).toEqual(times)
  })

  test('has one cursor and one limit across periods', async () => {
    const { db, times } = await opened()
    for (const limit of [1, 2, 3, 7, 100]) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await db.latest({ device: 'a', at: { from: '2026-01-01' } }, { limit, cursor })
        expect(page.items.Reading.length).toBeLessThanOrEqual(limit)
        found.push(...page.items.Reading.map(({ at }) => at))
        cursor = page.cursor
      } while (cursor !== undefined)
      expect(found).toEqual(times.toReversed())
    }
    const { cursor } = await db.between({ device: 'a', at: { from: '2026-01-01' } }, { limit: 3 })
    const refused = { code: 'INVALID_CURSOR' }
    await expect(db.between({ device: 'b', at: { from: '2026-01-01' } }, { cursor })).rejects.toMatchObject(refused)
    await expect(db.between({ device: 'a', at: { from: '2026-01-03' } }, { cursor })).rejects.toMatchObject(refused)
  })

  test('needs a beginning, and an end to the number of requests', async () => {
    const { db } = await opened()
    // @ts-expect-error a range of periods begins somewhere
    await expect(db.between({ device: 'a', at: { to: '2026-01-01' } })).rejects.toMatchObject({
      code: 'MISSING_VALUE',
    })
    await expect(db.between({ device: 'a', at: { from: '1970-01-01' } })).rejects.toThrow('more than 5000 periods')
    await expect(db.between({ device: 'a', at: { from: 'never' } })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
    })
    expectTypeOf(db.ofDay).parameter(0).toEqualTypeOf<{ readonly device: string; readonly at: string | Date }>()
    expect(db.between.explain({ device: 'a', at: { from: '2026-01-09' } }).length).toBe(2)
  })

  test('is checked on a period', async () => {
    const { measurement, findings } = await checkModel(sensors, { open })
    const measured = measurement.patterns.find(({ pattern }) => pattern === 'between')
    expect(measured).toMatchObject({ requests: 1, isOneKeyedRequest: true })
    expect(measured?.failure).toBeUndefined()
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

test('the periods between two dates', () => {
  const all = (from: string, to: string, precision: Parameters<typeof dateBuckets>[2], isExcluded = false) =>
    dateBuckets({ text: from, isExcluded: false }, { text: to, isExcluded }, precision, 100)
  expect(all('2025-11-30', '2026-02', 'month')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
  expect(all('2025-11-30', '2026-02', 'month', true)).toEqual(['2025-11', '2025-12', '2026-01'])
  expect(all('2025-11-30', '2026-02-01T00:00Z', 'month', true)).toEqual(['2025-11', '2025-12', '2026-01'])
  expect(all('2024-02-28T23:00Z', '2024-03-01', 'day')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
  expect(all('2026-01-01T22:30Z', '2026-01-02T00:10Z', 'hour')).toEqual([
    '2026-01-01T22',
    '2026-01-01T23',
    '2026-01-02T00',
  ])
  expect(all('2020', '2022', 'year')).toEqual(['2020', '2021', '2022'])
  expect(all('1000', '2022', 'year')).toBeUndefined()
  expect(all('2026', '2025', 'year')).toEqual([])
})
