import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { checkModel } from '../check/index.ts'
import { connect, entity, model, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'

const User = entity('User', { id: s.string(), name: s.string() })
  .key({ pk: 'USER#{id}', sk: '{id}' })
  .unique('name')
const Cart = entity('Cart', { id: s.string(), n: s.int() })
  .key({ pk: 'USER#{id}', sk: 'CART#{n:03}' })
  .index('carts', { pk: 'CARTS', sk: '{n:03}' })
const tables = { table: { discriminator: 'by-key', indexes: { carts: { projection: ['n'] } } } } as const
const shop = model({
  name: 'plain',
  ...tables,
  entities: { User, Cart },
  patterns: (p) => ({
    of: p.query({ pk: 'USER#{id}' }),
    all: p.scan(),
    carts: p.query({ on: 'carts', pk: 'CARTS' }),
  }),
})
const older = model({ name: 'plain', table: { discriminator: 'by-key' }, entities: { User }, patterns: () => ({}) })

describe('without a discriminator', () => {
  test('keys tell what an item is, and nothing else is stored', async () => {
    const { db, client } = await openModel(shop)
    await db.User.create({ id: 'a', name: 'Ada' })
    await db.Cart.create({ id: 'a', n: 7 })
    const { items } = await db.of({ id: 'a' })
    expect(items).toEqual({ User: [{ id: 'a', name: 'Ada' }], Cart: [{ id: 'a', n: 7 }] })
    expect((await db.all()).entries.map((each) => each.entity).toSorted()).toEqual(['Cart', 'User'])
    expect((await db.carts()).items.Cart).toEqual([{ id: 'a', n: 7 }])
    expect((await db.Cart.get({ id: 'a', n: 7 })).item).toEqual({ id: 'a', n: 7 })
    const { Items = [] } = await client.scan({ TableName: 'plain' })
    expect(new Set(Items.flatMap((item) => Object.keys(item)))).toEqual(
      new Set(['pk', 'sk', 'id', 'name', 'n', 'cartspk', 'cartssk']),
    )
    await client.putItem({ TableName: 'plain', Item: { pk: { S: 'X' }, sk: { S: 'Y' } } })
    await expect(db.all()).rejects.toMatchObject({ code: 'UNKNOWN_ENTITY' })
    expect((await connect(shop, client, { unknownEntities: 'skip' }).all()).entries.length).toBe(2)
  })

  test('is sound if the keys look different', async () => {
    const { findings, measurement } = await checkModel(shop, { open })
    expect(findings.filter(({ code }) => code === 'missing-discriminator')).toEqual([])
    expect(measurement.patterns.flatMap(({ failure }) => failure ?? [])).toEqual([])
    expect(older.description.tables[0]?.discriminator).toBe('')
  })
})

test('an older program passes over what it does not know, if told to', async () => {
  const Note = entity('Note', { id: s.string(), at: s.string() }).key({ pk: 'U#{id}', sk: 'NOTE#{at}' })
  const Person = entity('Person', { id: s.string() }).key({ pk: 'U#{id}', sk: 'PERSON' })
  const made = model({ name: 'notes', entities: { Note, Person }, patterns: () => ({}) })
  const old = model({
    name: 'notes',
    entities: { Person },
    patterns: (p) => ({ page: p.query({ pk: 'U#{id}' }) }),
  })
  const { db, client } = await openModel(made)
  await db.Note.create({ id: '1', at: 'x' })
  await db.Person.create({ id: '1' })
  await expect(connect(old, client).page({ id: '1' })).rejects.toMatchObject({ code: 'UNKNOWN_ENTITY' })
  const lenient = connect(old, client, { unknownEntities: 'skip' })
  expect((await lenient.page({ id: '1' })).items).toEqual({ Person: [{ id: '1' }] })
})
