import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  above,
  absent,
  add,
  addToSet,
  append,
  atLeast,
  contains,
  entity,
  exists,
  ifAbsent,
  model,
  oneOf,
  prepend,
  remove,
  s,
} from '../index.ts'
import { openModel } from '../testing/open-model.ts'

const Person = entity('Person', {
  id: s.string(),
  email: s.string(),
  address: s.map({
    city: s.string(),
    zip: s.string().optional(),
    geo: s.map({ lat: s.number(), lon: s.number() }).optional(),
  }),
  history: s.list(s.map({ at: s.iso('day'), what: s.string(), tags: s.list(s.string()).default([]) })).default([]),
  scores: s.record(s.int()).default({}),
  labels: s.set(s.string()),
})
  .key({ pk: 'PERSON#{id}', sk: 'PERSON' })
  .unique('email')
const people = model({
  name: 'people',
  entities: { Person },
  patterns: (p) => ({
    move: p.update('Person', { changes: ['address'] }),
    everybody: p.scan({ limit: 10 }),
  }),
})
const ada = {
  id: '1',
  email: 'ada@example.com',
  address: { city: 'London', zip: 'N1' },
  history: [
    { at: '2026-01-01', what: 'born' },
    { at: '2026-01-02', what: 'moved' },
  ],
  scores: { chess: 3 },
  labels: [],
}

async function opened() {
  const { db } = await openModel(people)
  await db.Person.create(ada)
  return db
}

describe('parts of an attribute', () => {
  test('are set, removed, added to and appended to in one request without a read', async () => {
    const db = await opened()
    const changes = {
      'address.city': 'Paris',
      'address.zip': remove(),
      'history[0].what': 'was born',
      'history[1].tags': append('far'),
      'scores.chess': add(2),
      'scores.go': ifAbsent(7),
    } as const
    const [request, ...more] = await db.Person.update.explain({ id: '1' }, changes)
    expect(more).toEqual([])
    expect(request).toMatchObject({ operation: 'UpdateItem' })
    const { item } = await db.Person.update({ id: '1' }, changes)
    expect(item).toMatchObject({
      address: { city: 'Paris' },
      history: [
        { what: 'was born', tags: [] },
        { what: 'moved', tags: ['far'] },
      ],
      scores: { chess: 5, go: 7 },
    })
    expect(item.address).not.toHaveProperty('zip')
    await db.Person.update({ id: '1' }, { 'history[0]': remove(), 'scores.chess': remove() })
    await db.Person.update({ id: '1' }, { 'history[0].tags': prepend('very'), 'address.geo': { lat: 1, lon: 2 } })
    await db.transact((t) => [t.Person.update({ id: '1' }, { 'address.geo.lat': add(0.5) })])
    expect((await db.Person.get({ id: '1' })).item).toMatchObject({
      history: [{ what: 'moved', tags: ['very', 'far'] }],
      scores: { go: 7 },
      address: { geo: { lat: 1.5, lon: 2 } },
    })
  })

  test('change beside a guard, where the item is read, as they do in the database', async () => {
    const db = await opened()
    const { item } = await db.Person.update(
      { id: '1' },
      {
        email: 'countess@example.com',
        'address.zip': remove(),
        'history[7]': { at: '2026-01-03', what: 'appended' },
        'history[0].tags': append('x'),
        'scores.chess': add(-1),
        'scores.__proto__': 1,
      },
    )
    expect(item.history.map(({ what }) => what)).toEqual(['born', 'moved', 'appended'])
    expect(item.history[0]?.tags).toEqual(['x'])
    expect(item.address).toEqual({ city: 'London' })
    expect(Object.entries(item.scores)).toEqual([
      ['chess', 2],
      ['__proto__', 1],
    ])
    await expect(
      db.Person.update({ id: '1' }, { email: 'a@example.com', 'address.geo.lat': 1 }),
    ).rejects.toMatchObject({ code: 'INVALID_VALUE' })
  })

  test('are compared in conditions', async () => {
    const db = await opened()
    const ok = (condition: NonNullable<Parameters<typeof db.Person.delete>[1]>['if']) =>
      db.Person.update({ id: '1' }, { 'scores.n': add(1) }, { if: condition }).then(
        () => true,
        (error: { code: string }) => error.code,
      )
    expect(await ok({ 'address.city': 'London', 'scores.chess': atLeast(3) })).toBe(true)
    expect(await ok({ 'history[0].what': oneOf('born', 'died'), 'address.geo': absent() })).toBe(true)
    expect(await ok({ 'history[5].what': exists() })).toBe('CONDITION_FAILED')
    expect(await ok({ 'address.city': contains('don') })).toBe(true)
    expect(await ok({ 'scores.chess': above(3) })).toBe('CONDITION_FAILED')
  })

  test('are refused where there is no such part, or no one request could change it', async () => {
    const db = await opened()
    const update = (changes: object) => db.Person.update({ id: '1' }, changes as never)
    const code = (fault: string) => ({ code: fault })
    await expect(update({ 'address.street': 'x' })).rejects.toThrow(
      'Person has no address.street. The fields there are city, zip, geo.',
    )
    await expect(update({ 'history.0': 'x' })).rejects.toMatchObject(code('UNKNOWN_ATTRIBUTE'))
    await expect(update({ 'history[-1]': 'x' })).rejects.toMatchObject(code('UNKNOWN_ATTRIBUTE'))
    await expect(update({ 'address.constructor': 'x' })).rejects.toMatchObject(code('UNKNOWN_ATTRIBUTE'))
    await expect(update({ 'address.city': 3 })).rejects.toMatchObject(code('INVALID_VALUE'))
    await expect(update({ 'address.city': remove() })).rejects.toThrow('is required and cannot be removed')
    await expect(update({ 'id.x': 1 })).rejects.toMatchObject(code('UNKNOWN_ATTRIBUTE'))
    await expect(update({ 'labels.x': addToSet('x') })).rejects.toMatchObject(code('UNKNOWN_ATTRIBUTE'))
    await expect(db.move({ id: '1' }, { 'scores.chess': 1 } as never)).rejects.toThrow('declares that it changes')
    await expect(db.Person.upsert({ id: '1' }, { 'address.city': 'Rome' } as never)).rejects.toThrow(
      'Pass all of address, or use update.',
    )
    expect((await db.move({ id: '1' }, { 'address.city': 'Rome' })).item.address.city).toBe('Rome')
  })

  test('have types', async () => {
    const db = await opened()
    // Never called: the compiler reads it.
    const refused = () => {
      // @ts-expect-error there is no such field
      void db.Person.update({ id: '1' }, { 'address.street': 'x' })
      // @ts-expect-error a city is a string
      void db.Person.update({ id: '1' }, { 'address.city': 3 })
      // @ts-expect-error a city is not optional
      void db.Person.update({ id: '1' }, { 'address.city': remove() })
      // @ts-expect-error an element of a list is named by its number
      void db.Person.update({ id: '1' }, { 'history.first': { at: '2026-01-01', what: 'x' } })
      // @ts-expect-error this pattern changes the address
      void db.move({ id: '1' }, { 'scores.chess': 1 })
      // @ts-expect-error an upsert takes whole attributes
      void db.Person.upsert({ id: '1' }, { 'address.city': 'x' })
      // @ts-expect-error there is no such field to compare
      void db.Person.delete({ id: '1' }, { if: { 'address.street': 'x' } })
    }
    expect(refused).toBeTypeOf('function')
  })
})

describe('a selection of attributes', () => {
  test('is all that is sent back, and has its type', async () => {
    const db = await opened()
    const { item } = await db.Person.get({ id: '1' }, { select: ['email', 'scores'] })
    expectTypeOf(item).toEqualTypeOf<{ email: string; scores: Record<string, number> } | undefined>()
    expect(item).toEqual({ email: 'ada@example.com', scores: { chess: 3 } })
    const page = await db.everybody({}, { select: ['address'] })
    expectTypeOf<keyof (typeof page.items.Person)[number]>().toEqualTypeOf<'address'>()
    expect(page.items.Person).toEqual([{ address: { city: 'London', zip: 'N1' } }])
    expect(db.everybody.explain({}, { select: ['address'] })).toMatchObject([
      { input: { ProjectionExpression: '#pk, #sk, #entity, #address' } },
    ])
    // @ts-expect-error nobody has a street
    await expect(db.everybody({}, { select: ['street'] })).rejects.toMatchObject({ code: 'MISSING_VALUE' })
  })
})

describe('a parallel scan', () => {
  test('reads every item once, over all segments and pages', async () => {
    const { db } = await openModel(people)
    for (let i = 0; i < 60; i++) await db.Person.create({ ...ada, id: `${i}`, email: `${i}@example.com` })
    const ids: string[] = []
    for await (const { item } of db.everybody.parallel(4, { limit: 7, select: ['id'] })) ids.push(item.id)
    expect(new Set(ids).size).toBe(60)
    expect(ids.length).toBe(60)
    for await (const { entity: name } of db.everybody.parallel(3)) {
      expect(name).toBe('Person')
      break
    }
    const first = await db.everybody({}, { segment: { index: 0, of: 2 }, limit: 5 })
    await expect(db.everybody({}, { segment: { index: 1, of: 2 }, cursor: first.cursor })).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    })
  })
})
