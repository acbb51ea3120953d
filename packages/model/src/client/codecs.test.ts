import { expect, test, describe } from 'vitest'
import { add, entity, model, s, subtract, now, ulid } from '../index.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import { openModel } from '../testing/open-model.ts'

/** As Zod, Valibot and ArkType make them. */
const schemaOf = <T>(accepts: (value: unknown) => boolean): StandardSchema<T, T> => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => (accepts(value) ? { value: value as T } : { issues: [{ message: 'no' }] }),
  },
})

interface Money {
  readonly currency: string
  readonly cents: number
}

const money = s.codec({
  as: s.string(),
  encode: ({ currency, cents }: Money) => `${currency.trim()} ${cents}`,
  decode: (text): Money => {
    const [currency = '', cents] = text.split(' ')
    return { currency, cents: Number(cents) }
  },
})

const Account = entity('Account', {
  id: s.bigint(),
  at: s.date(),
  day: s.date('day'),
  balance: s.bigint().default(0n),
  rate: s.decimal().default('0'),
  price: money,
  seen: s.set(s.bigint()).default([]),
  log: s.list(s.map({ when: s.date('second'), amount: s.bigint() })).default([]),
  ratio: s.number().default(0.5),
})
  .key({ pk: 'ACCOUNT#{id}', sk: '{at}' })
  .index('byPrice', { pk: 'PRICE#{price}', sk: '{day}' })
const accounts = model({
  name: 'accounts',
  entities: { Account },
  patterns: (p) => ({
    entries: p.query({ pk: 'ACCOUNT#{id}', range: 'at' }),
    at: p.query({ on: 'byPrice', pk: 'PRICE#{price}', range: 'day' }),
  }),
})

const huge = 12_345_678_901_234_567_890_123_456_789n
const first = {
  id: huge,
  at: new Date(Date.UTC(2026, 5, 1, 12)),
  day: '2026-06-01',
  balance: 9_007_199_254_740_993n,
  rate: '0.12345678901234567890123456789',
  price: { currency: 'EUR', cents: 1250 },
  seen: [1n, huge],
  log: [{ when: new Date(Date.UTC(2026, 0, 1)), amount: 5n }],
}

test('big integers, dates, decimals and values of one’s own are read as what was written', async () => {
  const { db } = await openModel(accounts)
  await db.Account.create(first)
  const key = { id: huge, at: first.at }
  const { item } = await db.Account.get(key)
  expect(item).toEqual({
    ...first,
    day: new Date(Date.UTC(2026, 5, 1)),
    seen: new Set([1n, huge]),
    ratio: 0.5,
  })
  await db.Account.update(key, { balance: add(2n) })
  await db.Account.update(key, { balance: subtract(1), price: { currency: 'USD', cents: 1 }, day: first.day })
  expect((await db.Account.get(key)).item?.balance).toBe(9_007_199_254_740_994n)
  await db.Account.modify(key, (account) => ({ ...account, balance: account.balance * 2n }))
  const { items } = await db.entries({ id: huge, at: { from: new Date(Date.UTC(2026, 0, 1)), to: '2026-07' } })
  expect(items.Account.map(({ at, balance }) => [at, balance])).toEqual([[first.at, 18_014_398_509_481_988n]])
  const found = await db.at({ price: { currency: 'USD', cents: 1 }, day: { from: new Date(Date.UTC(2026, 5, 1)) } })
  expect(found.items.Account[0]?.price).toEqual({ currency: 'USD', cents: 1 })
})

test('what they cannot hold is refused by name', async () => {
  const { db, client } = await openModel(accounts)
  const create = (change: object) => db.Account.create({ ...first, ...change })
  await expect(create({ id: 1.5 })).rejects.toThrow('Account.id must be a bigint of at most 38 digits, not 1.5.')
  await expect(create({ id: 10n ** 38n + 1n })).rejects.toThrow('at most 38 digits')
  await expect(create({ rate: 'much' })).rejects.toThrow('Account.rate must be a number as text')
  await expect(create({ price: 0 })).rejects.toMatchObject({
    code: 'INVALID_VALUE',
    message: expect.stringContaining('The codec of Account.price cannot encode its value') as unknown,
  })
  await db.Account.create(first)
  const change = (attribute: string, value: object) =>
    client.updateItem({
      TableName: 'accounts',
      Key: { pk: { S: `ACCOUNT#${huge}` }, sk: { S: '2026-06-01T12:00:00.000Z' } },
      UpdateExpression: 'SET #a = :v',
      ExpressionAttributeNames: { '#a': attribute },
      ExpressionAttributeValues: { ':v': value as never },
    })
  const reading = () => db.Account.get({ id: huge, at: first.at })
  for (const lost of ['12345678901234567890', '9007199254740993', '0.1234567890123456789']) {
    await change('ratio', { N: lost })
    await expect(reading()).rejects.toMatchObject({
      code: 'INVALID_ITEM',
      message: `Account.ratio is ${lost}, which a JavaScript number cannot hold exactly. Declare it as s.bigint() or s.decimal().`,
    })
  }
  // What JavaScript’s own sums look like, and what it holds exactly, is read.
  for (const fine of ['0.40000000000000004', '1e20', '0.1', '-5', '100000000000000000000']) {
    await change('ratio', { N: fine })
    expect((await reading()).item?.ratio).toBe(Number(fine))
  }
  await change('balance', { N: '1.5' })
  await expect(reading()).rejects.toMatchObject({ code: 'INVALID_ITEM' })
})

test('a validator’s bigint or Date is refused, by the compiler and when it is written', async () => {
  // @ts-expect-error a bigint would be read as a number
  const big = s.schema(schemaOf<bigint>((value) => typeof value === 'bigint'))
  // @ts-expect-error a Date would be read as a string
  const date = s.schema(schemaOf<{ when: Date }>(() => true))
  // @ts-expect-error as well
  s.any<{ at: readonly Date[] }>()
  s.any<{ name: string; tags: Set<string> }>()
  s.schema(schemaOf<{ name: string }>(() => true))
  const Thing = entity('Thing', { id: s.string(), big: big.optional(), date: date.optional() }).key({ pk: '{id}' })
  const { db } = await openModel(model({ name: 'things', entities: { Thing }, patterns: () => ({}) }))
  await expect(db.Thing.create({ id: '1', big: 5n })).rejects.toThrow(
    'Thing.big is a bigint, which would be read back as something else. Declare it with s.bigint(), or use s.codec().',
  )
  await expect(db.Thing.create({ id: '1', date: { when: new Date() } })).rejects.toThrow(
    'Thing.date.when is a Date',
  )
  const checked = s.bigint().check(schemaOf<bigint | number>((value) => typeof value === 'bigint' && value > 0n))
  expect(() => checked.definition.validator).not.toThrow()
})

describe('an item from before an attribute was added', () => {
  const Old = entity('Note', { id: s.string() }).key({ pk: 'NOTE#{id}', sk: 'NOTE' })
  const New = entity('Note', {
    id: s.string(),
    colour: s.string().default('blue'),
    tags: s.set(s.string()),
    due: s.date('day').default('2026-01-01'),
    list: s.list(s.string()).default(() => []),
    box: s.map({ width: s.int().default(3) }).default({}),
    version: s.version(),
  })
    .key({ pk: 'NOTE#{id}', sk: 'NOTE' })
    .computed('upper', s.string(), ['colour'], ({ colour }) => (colour ?? 'blue').toUpperCase())
    .index('byColour', { pk: 'COLOUR#{colour}', sk: '{id}' })
  const Strict = entity('Note', {
    id: s.string(),
    owner: s.string(),
    madeAt: s.iso().default(now),
    at: s.ulid().default(ulid),
  }).key({ pk: 'NOTE#{id}', sk: 'NOTE' })
  const before = model({ name: 'notes', entities: { Note: Old }, patterns: () => ({}) })
  const after = model({ name: 'notes', entities: { Note: New }, patterns: (p) => ({ all: p.scan() }) })
  const strict = model({ name: 'notes', entities: { Note: Strict }, patterns: () => ({}) })

  async function openAfter<M extends typeof after | typeof strict>(next: M) {
    const { client } = await openModel(before)
    const { connect } = await import('./connect.ts')
    await connect(before, client).Note.create({ id: '1' })
    return connect(next, client)
  }

  test('is read with the defaults, and written with them by the next change', async () => {
    const db = await openAfter(after)
    const expected = {
      id: '1',
      colour: 'blue',
      tags: new Set<string>(),
      due: new Date(Date.UTC(2026, 0, 1)),
      list: [],
      box: { width: 3 },
      version: 0,
      upper: 'BLUE',
    }
    const { item } = await db.Note.get({ id: '1' })
    expect(item).toEqual(expected)
    await db.Note.put({ ...expected, colour: 'red' })
    await expect(db.Note.put({ ...expected, colour: 'green' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await db.all()).items.Note).toEqual([{ ...expected, colour: 'red', upper: 'RED', version: 1 }])
  })

  test('is refused if it lacks what is required, until it is set', async () => {
    const db = await openAfter(strict)
    await expect(db.Note.get({ id: '1' })).rejects.toMatchObject({
      code: 'INVALID_ITEM',
      message: expect.stringContaining('Note.owner is missing in a stored item') as unknown,
    })
    await db.Note.update({ id: '1' }, { owner: 'me' })
    // The time at which an item was made is not the time at which it is read.
    await expect(db.Note.get({ id: '1' })).rejects.toThrow('Note.madeAt is missing')
    await db.Note.update({ id: '1' }, { madeAt: '2026-01-01', at: '01J8Z3K9000000000000000000' })
    expect((await db.Note.get({ id: '1' })).item?.madeAt).toBe('2026-01-01T00:00:00.000Z')
    expect((await db.Note.delete({ id: '1' })).item?.owner).toBe('me')
  })
})

describe('whole numbers that differ only beyond 2^53', () => {
  const most = 2n ** 53n
  const Wallet = entity('Wallet', {
    id: s.bigint(),
    cents: s.bigint(),
    rate: s.decimal(),
    seen: s.set(s.bigint()),
  }).key({ pk: '{id}' })
  const wallets = model({
    name: 'wallets',
    table: { pk: 'id' },
    entities: { Wallet },
    patterns: (p) => ({ some: p.batchGet('Wallet') }),
  })

  test('are a change', async () => {
    const { db } = await openModel(wallets)
    const wallet = { id: 1n, cents: most, rate: '1.00000000000000000001', seen: new Set([most]) }
    await db.Wallet.create(wallet)
    const changed = { ...wallet, cents: most + 1n, rate: '1.00000000000000000002', seen: new Set([most + 1n]) }
    await db.Wallet.modify({ id: 1n }, () => changed)
    expect((await db.Wallet.get({ id: 1n })).item).toEqual(changed)
    // As the database writes numbers, which is not always as they were given.
    const same = await db.Wallet.modify({ id: 1n }, (read) => ({ ...read, rate: `${read.rate}00` }))
    expect(same.cost.writeUnits).toBe(0)
  })

  test('are keys of different items', async () => {
    const { db } = await openModel(wallets)
    const ids = [most, most + 1n]
    await db.batchWrite((b) => ids.map((id) => b.Wallet.put({ id, cents: id, rate: '0', seen: [] })))
    const { items } = await db.some({ Wallet: ids.map((id) => ({ id })) })
    expect(items.Wallet.map((wallet) => wallet?.cents)).toEqual(ids)
  })
})
