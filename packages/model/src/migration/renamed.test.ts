import { expect, test } from 'vitest'
import { add, connect, entity, model, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'
import { planMigration } from '../plan/plan-migration.ts'
import { migrateTables, migrating, predecessorOf, prepareTables, verifyMigration, type Writes } from './index.ts'

const patterns = { pk: 'SHELF#{shelf}', sk: 'BOOK#*' } as const

const before = model({
  name: 'books',
  entities: {
    Book: entity('Book', {
      shelf: s.string(),
      id: s.string(),
      name: s.string(),
      lent: s.int().default(0),
      isbn: s.string(),
    })
      .key({ pk: 'SHELF#{shelf}', sk: 'BOOK#{id}' })
      .unique('isbn'),
  },
  patterns: (p) => ({ books: p.query(patterns) }),
})

const after = model({
  name: 'books',
  table: { discriminator: 'kind', was: { discriminator: 'entity' } },
  entities: {
    Book: entity('Book', {
      shelf: s.string(),
      id: s.string(),
      title: s.string().was('name'),
      loans: s.int().default(0).as('l').was('lent'),
      isbn: s.string(),
    })
      .key({ pk: 'SHELF#{shelf}', sk: 'BOOK#{id}' })
      .unique('isbn'),
  },
  patterns: (p) => ({
    books: p.query(patterns),
    called: p.query({ ...patterns, filter: ['title'] }),
    byIsbn: p.lookup('Book', 'isbn'),
  }),
})

const key = { shelf: '1', id: 'a' }

async function openBoth() {
  const { db: old, client } = await openModel(before)
  const version = (writes: Writes) => connect(after, client, { migration: migrating({ writes }) })
  const stored = async () => (await client.getItem({ TableName: 'books', Key: keyOf('a') })).Item
  return { old, client, stored, was: version('was'), both: version('both'), now: version('new') }
}

const keyOf = (id: string) => ({ pk: { S: 'SHELF#1' }, sk: { S: `BOOK#${id}` } })

test('renamed attributes and another discriminator: all versions read all items, and writes keep what they are told to', async () => {
  const { old, stored, was, both, now } = await openBoth()
  await old.Book.create({ ...key, name: 'Emma', isbn: '1' })
  for (const db of [was, both, now])
    expect((await db.books({ shelf: '1' })).items.Book).toMatchObject([{ title: 'Emma', loans: 0 }])
  await was.Book.update(key, { loans: add(1) })
  expect(await stored()).toMatchObject({ entity: { S: 'Book' }, name: { S: 'Emma' }, lent: { N: '1' } })
  expect(Object.keys((await stored()) ?? {})).not.toContain('title')
  await both.Book.update(key, { loans: add(1) })
  expect(await stored()).toMatchObject({
    entity: { S: 'Book' },
    kind: { S: 'Book' },
    lent: { N: '2' },
    l: { N: '2' },
  })
  // Code that only knows the old names is believed.
  await old.Book.update(key, { lent: add(1), name: 'Emma!' })
  for (const db of [was, both, now])
    expect((await db.Book.get(key)).item).toMatchObject({ title: 'Emma!', loans: 3 })
  expect((await now.Book.get(key, { select: ['title'] })).item).toEqual({ title: 'Emma!' })
  expect((await now.books({ shelf: '1' }, { select: ['loans'] })).items.Book).toEqual([{ loans: 3 }])
  await now.Book.update(key, { loans: add(1) })
  const item = (await stored()) ?? {}
  expect(Object.keys(item).toSorted()).toEqual(['id', 'isbn', 'kind', 'l', 'pk', 'shelf', 'sk', 'title'])
  for (const db of [was, both, now])
    expect((await db.Book.get(key)).item).toMatchObject({ title: 'Emma!', loans: 4 })
  // And back: nothing is counted anew.
  await was.Book.update(key, { loans: add(1) }, { if: { title: 'Emma!' } })
  expect((await old.Book.get(key)).item).toMatchObject({ name: 'Emma!', lent: 5 })
  await expect(now.Book.update(key, { loans: 0 }, { if: { title: 'y' } })).rejects.toMatchObject({
    code: 'CONDITION_FAILED',
  })
  await both.transact((t) => [t.Book.modify(key, (book) => ({ ...book, isbn: '2' }))])
  expect((await now.byIsbn({ isbn: '2' })).item).toMatchObject({ loans: 5 })
  await expect(was.Book.create({ shelf: '1', id: 'b', title: 'b', isbn: '2' })).rejects.toMatchObject({
    code: 'NOT_UNIQUE',
  })
  await expect((async () => now.called({ shelf: '1', title: 'x' }))()).rejects.toThrow('has two names')
  await now.Book.delete(key)
  expect(await stored()).toBeUndefined()
})

test('they are brought over, and then nothing of the old names is left', async () => {
  const { old, client, both } = await openBoth()
  const ids = ['a', 'b', 'c', 'd']
  for (const id of ids) await old.Book.create({ shelf: '1', id, name: id, isbn: id })
  await both.Book.update({ shelf: '1', id: 'b' }, { loans: 7 })
  const predecessor = predecessorOf(after) ?? after
  expect(await migrateTables(predecessor, after, client, { keeps: 'both' })).toMatchObject({ strange: 0, taken: 0 })
  expect((await old.books({ shelf: '1' })).items.Book).toMatchObject([
    { name: 'a' },
    { name: 'b', lent: 7 },
    {},
    {},
  ])
  await migrateTables(predecessor, after, client)
  expect(await verifyMigration(predecessor, after, client)).toMatchObject({
    items: { Book: 4 },
    satellites: 4,
    left: {},
    faultCount: 0,
  })
  const all = (await client.scan({ TableName: 'books' })).Items ?? []
  expect(new Set(all.flatMap((item) => Object.keys(item)))).toEqual(
    new Set(['pk', 'sk', 'kind', 'shelf', 'id', 'title', 'l', 'isbn']),
  )
})

test('an index that copies some attributes has both names while items do, and the plan says what that means', async () => {
  const named = (attributes: Parameters<typeof entity>[1], index: string, projection: string[]) =>
    model({
      name: 'books',
      table: { indexes: { [index]: { pk: 'yearpk', sk: 'yearsk', projection } } },
      entities: {
        Book: entity('Book', { id: s.string(), year: s.int(), ...attributes })
          .key({ pk: 'BOOK#{id}', sk: 'BOOK' })
          .index(index, { pk: 'YEAR#{year}', sk: '{id}' }),
      },
      patterns: (p) => ({ all: p.scan({ on: index }) }),
    })
  const first = named({ name: s.string() }, 'byYear', ['name'])
  const during = named({ title: s.string().was('name') }, 'byYear2', ['title'])
  const last = named({ title: s.string() }, 'byYear2', ['title'])
  const { db, client } = await openModel(first)
  for (const id of ['1', '2']) await db.Book.create({ id, year: 1815, name: 'Emma' } as never)
  await prepareTables(during.description, client)
  const now = connect(during, client, { migration: migrating({ writes: 'new' }) })
  await now.Book.put({ id: '2', year: 1815, title: 'Emma' } as never)
  expect((await now.all({})).items.Book).toMatchObject([{ title: 'Emma' }, { title: 'Emma' }])
  await migrateTables(predecessorOf(during) ?? during, during, client)
  // Its projection stays as it is, and does no harm.
  await prepareTables(last.description, client)
  expect((await connect(last, client).all({})).items.Book).toMatchObject([{ title: 'Emma' }, {}])
  const { differences } = planMigration(during.description, last.description)
  expect(differences.find(({ what }) => what === 'index byYear2')).toMatchObject({ kind: 'compatible' })
})

test('two files are compared by the names in the table, there and back', async () => {
  const named = (attributes: Parameters<typeof entity>[1], more: string) =>
    model({
      name: 'books',
      entities: {
        Book: entity('Book', { id: s.string(), ...attributes }).key({ pk: 'BOOK#{id}', sk: more }),
      },
      patterns: (p) => ({ book: p.get('Book') }),
    })
  const first = named({ name: s.string().as('nm'), isbn: s.string().as('i'), lent: s.int() }, 'BOOK')
  const { db, client } = await openModel(first)
  await db.Book.create({ id: '1', name: 'Emma', isbn: 'x', lent: 2 } as never)
  const stored = async () => (await client.scan({ TableName: 'books' })).Items
  const original = await stored()
  for (const sk of ['BOOK', 'MOVED']) {
    // Called something else in the model alone; in the table alone; and in both.
    const second = named({ title: s.string().was('nm'), code: s.string().as('i'), lent: s.int().as('l') }, sk)
    for (let run = 0; run < 2; run++) await migrateTables(first, second, client)
    expect(await verifyMigration(first, second, client)).toMatchObject({ items: { Book: 1 }, faultCount: 0 })
    const same = { pk: { S: 'BOOK#1' }, entity: { S: 'Book' }, id: { S: '1' } }
    const names = { title: { S: 'Emma' }, i: { S: 'x' }, l: { N: '2' } }
    expect(await stored()).toEqual([{ ...same, ...names, sk: { S: sk } }])
    for (let run = 0; run < 2; run++) await migrateTables(second, first, client)
    expect(await stored()).toEqual(original)
  }
})

test('an old name cannot be that of something else', () => {
  const make = (attributes: Parameters<typeof entity>[1]) => () =>
    model({
      name: 'm',
      entities: { E: entity('E', { id: s.string(), ...attributes }).key({ pk: 'E#{id}', sk: 'E' }) },
      patterns: (p) => ({ e: p.get('E') }),
    })
  expect(make({ a: s.string().was('b'), b: s.string() })).toThrow('also another attribute')
  expect(make({ a: s.string().was('pk') })).toThrow('uses for keys')
  expect(make({ a: s.string().was('entity') })).toThrow('uses for keys')
})
