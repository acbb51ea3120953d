import { expect, test } from 'vitest'
import { connect, entity, model, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'
import { dropIndexes, migrateTables, migrating, prepareTables, verifyMigration } from './index.ts'

const id = { id: s.string() }
const key = { pk: 'PERSON#{id}', sk: 'PERSON' } as const

const apart = model({
  name: 'people',
  entities: {
    Person: entity('Person', { ...id, first: s.string(), last: s.string(), tags: s.set(s.string()) }).key(key),
  },
  patterns: (p) => ({ person: p.get('Person') }),
})
const together = model({
  name: 'people',
  entities: { Person: entity('Person', { ...id, name: s.string(), tags: s.set(s.string()) }).key(key) },
  patterns: (p) => ({ person: p.get('Person') }),
})

test('attributes are merged and split, each item once', async () => {
  const { db, client } = await openModel(apart)
  for (const each of ['1', '2']) await db.Person.create({ id: each, first: 'Ada', last: 'Lovelace', tags: ['x'] })
  const merge = ({ first, last, ...rest }: Record<string, unknown>) => ({
    ...rest,
    name: `${String(first)} ${String(last)}`,
  })
  const split = ({ name, ...rest }: Record<string, unknown>) => {
    const [first, last] = String(name).split(' ')
    return { ...rest, first, last }
  }
  const merged = { upgrade: { Person: merge } }
  expect(await migrateTables(apart, together, client, merged)).toMatchObject({ written: 2 })
  expect(await migrateTables(apart, together, client, merged)).toMatchObject({ written: 0 })
  expect(await verifyMigration(apart, together, client, merged)).toMatchObject({ faultCount: 0, left: {} })
  const wanted = { id: '1', name: 'Ada Lovelace', tags: new Set(['x']) }
  expect((await connect(together, client).person({ id: '1' })).item).toEqual(wanted)
  await migrateTables(together, apart, client, { upgrade: { Person: split } })
  expect((await db.person({ id: '2' })).item).toEqual({
    id: '2',
    first: 'Ada',
    last: 'Lovelace',
    tags: new Set(['x']),
  })
})

test('an item is upgraded only once, whatever else is new, and keeps its place or not', async () => {
  const of = (sk: 'PERSON' | 'P') =>
    model({
      name: 'people',
      entities: {
        Person: entity('Person', {
          ...id,
          name: s.string(),
          tags: s.set(s.string()),
          rank: s.int().default(3),
          since: s.iso('day').default(() => '2026-02-03'),
          nick: s.string().optional(),
          version: s.version(),
        }).key({ pk: 'PERSON#{id}', sk }),
      },
      patterns: (p) => ({ person: p.get('Person') }),
    })
  const upgrade = {
    Person: ({ first, last, ...rest }: Record<string, unknown>) => ({
      ...rest,
      name: `${String(first)} ${String(last)}`,
    }),
  }
  for (const after of [of('PERSON'), of('P')]) {
    const { db, client } = await openModel(apart)
    await db.Person.create({ id: '1', first: 'Ada', last: 'Lovelace', tags: [] })
    for (const written of [1, 0])
      expect(await migrateTables(apart, after, client, { upgrade })).toMatchObject({ written })
    const verified = await verifyMigration(apart, after, client, { upgrade })
    expect(verified).toMatchObject({ items: { Person: 1 }, faults: [] })
    expect(verified.left).toEqual({})
    expect((await connect(after, client).person({ id: '1' })).item).toEqual({
      id: '1',
      name: 'Ada Lovelace',
      tags: new Set(),
      rank: 3,
      since: '2026-02-03',
      version: 0,
    })
  }
})

test('an attribute that keeps its name gets another type; what an upgrade leaves unreadable is not written', async () => {
  const of = (last: 'list' | 'number') =>
    model({
      name: 'people',
      entities: {
        Person: entity('Person', {
          ...id,
          first: s.string(),
          last: last === 'list' ? s.list(s.string()) : (s.int() as never),
          tags: s.set(s.string()),
        }).key(key),
      },
      patterns: (p) => ({ person: p.get('Person') }),
    })
  const { db, client } = await openModel(apart)
  await db.Person.create({ id: '1', first: 'Ada', last: 'Lovelace', tags: [] })
  const nothing = { upgrade: { Person: ({ last: _last, ...rest }: Record<string, unknown>) => rest } }
  expect(await migrateTables(apart, of('number'), client, nothing)).toMatchObject({ written: 0, strange: 1 })
  const listed = {
    upgrade: { Person: ({ last, ...rest }: Record<string, unknown>) => ({ ...rest, last: [last] }) },
  }
  for (const written of [1, 0])
    expect(await migrateTables(apart, of('list'), client, listed)).toMatchObject({ written, strange: 0 })
  expect((await connect(of('list'), client).person({ id: '1' })).item).toMatchObject({ last: ['Lovelace'] })
})

test('index items are added to items that exist, and removed again', async () => {
  const tagged = model({
    name: 'people',
    entities: {
      Person: entity('Person', { ...id, first: s.string(), last: s.string(), tags: s.set(s.string()) })
        .key(key)
        .indexItem('tag', { pk: 'TAG#{tags}', sk: 'PERSON#{id}', each: 'tags', include: ['last'] }),
    },
    patterns: (p) => ({ person: p.get('Person'), tagged: p.query({ pk: 'TAG#{tags}' }) }),
  })
  const { db, client } = await openModel(apart)
  await db.Person.create({ id: '1', first: 'Ada', last: 'Lovelace', tags: ['x', 'y'] })
  await db.Person.create({ id: '2', first: 'Alan', last: 'Turing', tags: ['y'] })
  await migrateTables(apart, tagged, client)
  expect(await verifyMigration(apart, tagged, client)).toMatchObject({ satellites: 3, faultCount: 0 })
  const now = connect(tagged, client)
  expect((await now.tagged({ tags: 'y' })).items['Person.tag']).toMatchObject([
    { last: 'Lovelace' },
    { last: 'Turing' },
  ])
  await now.Person.delete({ id: '1' })
  expect((await now.tagged({ tags: 'y' })).items['Person.tag']).toHaveLength(1)
  await migrateTables(tagged, apart, client)
  expect((await client.scan({ TableName: 'people' })).Count).toBe(1)
})

test('an index with another projection takes the place of one, which is dropped', async () => {
  const of = (index: string, projection: 'KEYS_ONLY' | 'ALL') =>
    model({
      name: 'people',
      table: { indexes: { [index]: { projection } } },
      entities: {
        Person: entity('Person', { ...id, last: s.string() })
          .key(key)
          .index(index, { pk: 'LAST#{last}', sk: '{id}' }),
      },
      patterns: (p) => ({ byLast: p.query({ on: index, pk: 'LAST#{last}' }) }),
    })
  const [narrow, same, wide] = [of('byLast', 'KEYS_ONLY'), of('byLast', 'ALL'), of('byLastName', 'ALL')]
  const { db, client } = await openModel(narrow)
  await db.Person.create({ id: '1', last: 'Lovelace' })
  await expect(prepareTables(same.description, client)).rejects.toThrow('Give the new one another name')
  const told: string[] = []
  const tell = (line: string): number => told.push(line)
  await prepareTables(wide.description, client, { tell })
  await migrateTables(narrow, wide, client, { keeps: 'both' })
  expect((await db.byLast({ last: 'Lovelace' })).items.Person).toHaveLength(1)
  await migrateTables(narrow, wide, client)
  await dropIndexes(wide.description, client, { tell, isDry: true })
  expect((await client.describeTable({ TableName: 'people' })).Table?.GlobalSecondaryIndexes).toHaveLength(2)
  await dropIndexes(wide.description, client, { tell })
  expect(told).toHaveLength(3)
  const { Table } = await client.describeTable({ TableName: 'people' })
  expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['byLastName'])
  expect((await connect(wide, client).byLast({ last: 'Lovelace' })).items.Person).toEqual([
    { id: '1', last: 'Lovelace' },
  ])
  const [item = {}] = (await client.scan({ TableName: 'people' })).Items ?? []
  expect(Object.keys(item).toSorted()).toEqual(['byLastNamepk', 'byLastNamesk', 'entity', 'id', 'last', 'pk', 'sk'])
})

test('another table with an index, keys, shards, names, a discriminator and a guard at once', async () => {
  const attributes = { org: s.string(), id: s.string(), email: s.string() }
  const note = { id: s.string(), n: s.int() }
  const before = model({
    name: 'staff',
    tables: { main: {}, notes: {} },
    entities: {
      Person: entity('Person', { ...attributes, nick: s.string(), shard: s.shard(2, 'id') })
        .key({ pk: 'ORG#{org}#{shard}', sk: 'P#{id}' })
        .index('all', { pk: 'ALL#{shard}', sk: '{id}' }),
      Note: entity('Note', note).key({ pk: 'NOTE#{id}', sk: 'NOTE' }).index('byN', { pk: 'N#{n}', sk: '{id}' }),
      Room: entity('Room', { id: s.string() }).key({ pk: 'ROOM#{id}', sk: 'ROOM' }).in('notes'),
    },
    patterns: (p) => ({ all: p.query({ on: 'all', pk: 'ALL#{shard}' }), byN: p.query({ on: 'byN', pk: 'N#{n}' }) }),
  })
  const after = model({
    name: 'staff',
    tables: { main: { discriminator: 'kind', was: { discriminator: 'entity' } }, notes: {} },
    entities: {
      Person: entity('Person', {
        ...attributes,
        alias: s.string().was('nick'),
        shard: s.shard(5, 'id', { was: 2 }),
      })
        .key({ pk: 'O#{org}#{shard}', sk: 'PERSON#{id}', was: { pk: 'ORG#{org}#{shard}', sk: 'P#{id}' } })
        .index('all', { pk: 'ALL#{shard}', sk: '{id}' })
        .unique('email'),
      Note: entity('Note', note)
        .key({ pk: 'NOTE#{id}', sk: 'NOTE' })
        .index('byN', { pk: 'N#{n}', sk: '{id}' })
        .in('notes', { was: 'main' }),
      Room: entity('Room', { id: s.string() }).key({ pk: 'ROOM#{id}', sk: 'ROOM' }).in('notes'),
    },
    patterns: (p) => ({
      people: p.query({ on: 'main', pk: 'O#{org}#{shard}', sk: 'PERSON#*' }),
      byEmail: p.lookup('Person', 'email'),
      all: p.query({ on: 'all', pk: 'ALL#{shard}' }),
      byN: p.query({ on: 'byN', pk: 'N#{n}' }),
    }),
  })
  const { db: old, client } = await openModel(before)
  const ids = Array.from({ length: 8 }, (_, n) => `p${10 + n}`)
  for (const each of ids) {
    await old.Person.create({ org: 'o', id: each, email: each, nick: `n${each}` })
    await old.Note.create({ id: each, n: 1 })
  }
  await prepareTables(after.description, client)
  const version = (writes: 'both' | 'new', reads?: 'new') =>
    connect(after, client, { migration: migrating({ writes, ...(reads && { reads }) }) })
  const [both, now, ahead] = [version('both'), version('new'), version('new', 'new')]
  const names = ids.map((each) => `n${each}`)
  const assertAll = async (db: typeof now): Promise<void> => {
    expect((await db.people({ org: 'o' })).items.Person.map(({ alias }) => alias)).toEqual(names)
    expect((await db.all({})).items.Person.map(({ id }) => id)).toEqual(ids)
    expect((await db.byN({ n: 1 })).items.Note.map(({ id }) => id)).toEqual(ids)
  }
  await assertAll(now)
  await both.Person.update({ org: 'o', id: 'p11' }, { alias: 'np11' })
  await now.Person.update({ org: 'o', id: 'p12' }, { alias: 'np12' })
  await both.Note.update({ id: 'p11' }, { n: 1 })
  await assertAll(both)
  // All have their new form, beside the old one: who reads only the new one sees everything.
  await migrateTables(before, after, client, { keeps: 'both' })
  await assertAll(ahead)
  expect((await old.Person.get({ org: 'o', id: 'p15' })).item).toMatchObject({ nick: 'np15' })
  await migrateTables(before, after, client)
  expect(await verifyMigration(before, after, client)).toMatchObject({
    items: { Note: 8, Person: 8 },
    satellites: 8,
    left: {},
    faultCount: 0,
  })
  await assertAll(ahead)
  await assertAll(now)
  expect((await now.byEmail({ email: 'p13' })).item).toMatchObject({ alias: 'np13' })
  await expect(now.Person.create({ org: 'o', id: 'z', email: 'p13', alias: 'z' })).rejects.toMatchObject({
    code: 'NOT_UNIQUE',
  })
})

test('code that only knows the old form finds each item once in an index, beside both', async () => {
  const attributes = { id: s.string(), group: s.string(), n: s.int() }
  const of = (key: object) =>
    model({
      name: 'things',
      entities: {
        Thing: entity('Thing', attributes)
          .key({ pk: 'T#{id}', sk: 'T', ...key })
          .index('byGroup', { pk: 'G#{group}', sk: '{id}' }),
      },
      patterns: (p) => ({ inGroup: p.query({ on: 'byGroup', pk: 'G#{group}' }) }),
    })
  const [before, after] = [of({}), of({ pk: 'THING#{id}', was: { pk: 'T#{id}' } })]
  const { db: old, client } = await openModel(before)
  const version = (writes: 'was' | 'both' | 'new', reads?: 'new') =>
    connect(after, client, { migration: migrating({ writes, ...(reads && { reads }) }) })
  const all = [old, version('was'), version('both'), version('new'), version('both', 'new')] as const
  const [, was, both, now] = all
  const assertOnce = async (): Promise<void> => {
    for (const db of all)
      expect((await db.inGroup({ group: 'g' })).items.Thing.map(({ id, n }) => `${id}${n}`)).toEqual([
        'a2',
        'b3',
        'c1',
      ])
  }
  for (const each of ['a', 'b', 'c']) await old.Thing.create({ id: each, group: 'g', n: 1 })
  await both.Thing.update({ id: 'a' }, { n: 2 })
  await was.Thing.update({ id: 'a' }, { n: 2 })
  await both.Thing.modify({ id: 'b' }, (thing) => ({ ...thing, n: 3 }))
  await assertOnce()
  await migrateTables(before, after, client, { keeps: 'both' })
  await assertOnce()
  expect((await client.scan({ TableName: 'things', Select: 'COUNT' })).Count).toBe(6)
  expect(await verifyMigration(before, after, client)).toMatchObject({
    items: { Thing: 3 },
    left: { Thing: 3 },
    faultCount: 0,
  })
  await now.Thing.update({ id: 'a' }, { n: 2 })
  await assertOnce()
  await migrateTables(before, after, client)
  await assertOnce()
  expect(await verifyMigration(before, after, client)).toMatchObject({
    items: { Thing: 3 },
    left: {},
    faultCount: 0,
  })
})

test('an item that has expired needs no guard, and its value is free for another', async () => {
  const of = (...names: readonly 'seat'[]) => {
    const Ticket = entity('Ticket', { ...id, seat: s.string(), endsAt: s.ttl() }).key({ pk: 'T#{id}', sk: 'T' })
    const Guarded = names.length > 0 ? Ticket.unique('seat') : Ticket
    return model({
      name: 'tickets',
      entities: { Ticket: Guarded },
      patterns: (p) => ({ ticket: p.get('Ticket') }),
    })
  }
  const [plain, guarded] = [of(), of('seat')]
  const { db, client } = await openModel(plain)
  const inSeconds = (n: number) => Math.floor(Date.now() / 1000) + n
  await db.Ticket.put({ id: '1', seat: 'A', endsAt: inSeconds(-60) })
  await connect(guarded, client).Ticket.put({ id: '2', seat: 'B', endsAt: inSeconds(-60) })
  await db.Ticket.put({ id: '3', seat: 'A', endsAt: inSeconds(600) })
  await db.Ticket.put({ id: '4', seat: 'B', endsAt: inSeconds(600) })
  expect(await migrateTables(plain, guarded, client)).toMatchObject({ taken: 0, strange: 0 })
  expect(await verifyMigration(plain, guarded, client)).toMatchObject({ items: { Ticket: 4 }, faultCount: 0 })
  for (const seat of ['A', 'B'])
    await expect(
      connect(guarded, client).Ticket.create({ id: '5', seat, endsAt: inSeconds(600) }),
    ).rejects.toMatchObject({ code: 'NOT_UNIQUE' })
  // DynamoDB deletes an item and its guard at different times.
  await client.deleteItem({ TableName: 'tickets', Key: { pk: { S: 'T#2' }, sk: { S: 'T' } } })
  expect(await verifyMigration(plain, guarded, client)).toMatchObject({ items: { Ticket: 3 }, faultCount: 0 })
})
