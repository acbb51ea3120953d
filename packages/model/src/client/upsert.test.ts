import { describe, expect, test } from 'vitest'
import { add, addToSet, append, entity, ifAbsent, model, s, subtract } from '../index.ts'
import { openModel } from '../testing/open-model.ts'

const Counter = entity('Counter', {
  page: s.string(),
  day: s.iso('day'),
  views: s.int(),
  credit: s.int().default(10),
  visitors: s.set(s.string()),
  log: s.list(s.string()).default([]),
  owner: s.string().default('nobody'),
  version: s.version(),
})
  .key({ pk: 'PAGE#{page}', sk: '{day}' })
  .index('ofDay', { pk: 'DAY#{day}', sk: '{page}' })
const Guarded = entity('Guarded', { id: s.string(), name: s.string(), n: s.int().default(5) })
  .key({ pk: 'GUARDED#{id}', sk: 'GUARDED' })
  .unique('name')
const Ranked = entity('Ranked', { id: s.string(), points: s.int() })
  .key({ pk: 'RANKED#{id}', sk: 'RANKED' })
  .index('top', { pk: 'TOP', sk: '{points:06}' })
const counters = model({
  name: 'counters',
  entities: { Counter, Guarded, Ranked },
  patterns: (p) => ({
    ofDay: p.query({ on: 'ofDay', pk: 'DAY#{day}' }),
    count: p.upsert('Counter'),
    countBoth: p.transact({ 'Counter.upsert': 2 }),
  }),
})

describe('an upsert with changes', () => {
  const key = { page: 'home', day: '2026-06-01' }

  test('creates the item or changes it, in one request', async () => {
    const { db } = await openModel(counters)
    const visit = (visitor: string) =>
      db.count(key, {
        views: add(1),
        credit: subtract(1),
        visitors: addToSet(visitor),
        log: append(visitor),
        owner: ifAbsent(visitor),
      })
    const { item, cost } = await visit('ada')
    expect(cost.requests).toBe(1)
    const made = { ...key, views: 1, credit: 9, visitors: new Set(['ada']), log: ['ada'], owner: 'ada', version: 1 }
    expect(item).toEqual(made)
    await Promise.all([visit('bob'), visit('cyd')])
    const { items } = await db.ofDay({ day: key.day })
    expect(items.Counter[0]).toMatchObject({ views: 3, credit: 7, owner: 'ada', version: 3 })
    expect(items.Counter[0]?.visitors).toEqual(new Set(['ada', 'bob', 'cyd']))
    expect((await db.Counter.get(key)).item?.log).toHaveLength(3)
  })

  test('works in transactions', async () => {
    const { db } = await openModel(counters)
    const count = () =>
      db.countBoth((t) => [
        t.Counter.upsert(key, { views: add(1) }),
        t.Counter.upsert({ ...key, page: 'about' }, { views: add(2) }),
      ])
    await count()
    await count()
    expect((await db.ofDay({ day: key.day })).items.Counter.map(({ page, views }) => [page, views])).toEqual([
      ['about', 4],
      ['home', 2],
    ])
  })

  test('keeps guards, and refuses an operation on a part of a key', async () => {
    const { db } = await openModel(counters)
    const raise = (name: string) => db.Guarded.upsert({ id: '1' }, { name, n: add(1) })
    expect((await raise('a')).item).toEqual({ id: '1', name: 'a', n: 6 })
    expect((await raise('b')).item).toEqual({ id: '1', name: 'b', n: 7 })
    await db.Guarded.create({ id: '2', name: 'a' })
    await expect(raise('a')).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
    // @ts-expect-error points are part of a key: a value is needed
    await expect(db.Ranked.upsert({ id: '1' }, { points: add(1) })).rejects.toMatchObject({ code: 'HALF_A_KEY' })
    await expect(db.count(key, { credit: add(1) })).rejects.toMatchObject({
      code: 'MISSING_VALUE',
      attribute: 'views',
    })
  })
})
