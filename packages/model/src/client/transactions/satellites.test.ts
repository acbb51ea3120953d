import { type DynamoDB, ScanCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import {
  addToSet,
  atLeast,
  connect,
  entity,
  exists,
  model,
  now,
  removeFromSet,
  s,
  subtract,
  ulid,
  uuid,
} from '../../index.ts'
import type { Client } from '../../index.ts'
import { openModel } from '../../testing/open-model.ts'
import { id, shop } from '../../testing/shop-model.ts'

async function keysOf(client: DynamoDB): Promise<readonly string[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'shop', ConsistentRead: true }))
  return Items.map(({ PK, SK }) => `${PK?.S} ${SK?.S}`).toSorted()
}

const pen = { sku: 'pen', name: 'Pen', stock: 10, price: 2, labels: ['blue', 'new'] }

test('a guard keeps an attribute unique through create, update, put and delete', async () => {
  const { db, client } = await openModel(shop)
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  await db.Customer.create({ customerId: id(2), email: 'd@e.f' })
  const taken = db.Customer.create({ customerId: id(3), email: 'a@b.c' })
  await expect(taken).rejects.toMatchObject({ code: 'NOT_UNIQUE', entity: 'Customer', attribute: 'email' })
  await expect(db.Customer.update({ customerId: id(2) }, { email: 'a@b.c' })).rejects.toMatchObject({
    code: 'NOT_UNIQUE',
  })
  await db.Customer.update({ customerId: id(1) }, { email: 'new@b.c' })
  await db.Customer.update({ customerId: id(2) }, { email: 'a@b.c' })
  expect(await keysOf(client)).toEqual([
    `CUSTOMER#${id(1)} PROFILE`,
    `CUSTOMER#${id(2)} PROFILE`,
    'EMAIL#a@b.c EMAIL',
    'EMAIL#new@b.c EMAIL',
  ])
  await db.Customer.delete({ customerId: id(1) })
  await db.Customer.put({ customerId: id(3), email: 'new@b.c' })
  expect(await keysOf(client)).toContain('EMAIL#new@b.c EMAIL')
  await db.Customer.delete({ customerId: id(2) })
  await db.Customer.delete({ customerId: id(3) })
  expect(await keysOf(client)).toEqual([])
})

test('a guard leads to its owner', async () => {
  const { db } = await openModel(shop)
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  const { item, cost } = await db.customerByEmail({ email: 'a@b.c' })
  expect(item?.customerId).toBe(id(1))
  expect(cost).toEqual({ requests: 2, readUnits: 2, writeUnits: 0 })
  expect((await db.customerByEmail({ email: 'x@y.z' })).item).toBeUndefined()
})

test('index items follow each element of a set', async () => {
  const { db, client } = await openModel(shop)
  await db.Product.create(pen)
  await db.Product.create({ ...pen, sku: 'ink', name: 'Ink', labels: ['blue'] })
  const { items } = await db.labelled({ labels: 'blue' })
  expect(items['Product.label']).toEqual([
    { labels: 'blue', sku: 'ink', name: 'Ink' },
    { labels: 'blue', sku: 'pen', name: 'Pen' },
  ])
  await db.Product.update({ sku: 'pen' }, { labels: addToSet('sale') })
  await db.Product.update({ sku: 'pen' }, { labels: removeFromSet('blue', 'new'), name: 'Fine pen' })
  expect(await keysOf(client)).toEqual([
    'LABEL#blue PRODUCT#ink',
    'LABEL#sale PRODUCT#pen',
    'PRODUCT#ink PRODUCT',
    'PRODUCT#pen PRODUCT',
  ])
  expect((await db.labelled({ labels: 'sale' })).items['Product.label'][0]?.name).toBe('Fine pen')
  expect((await db.productByLabel({ labels: 'sale' })).item?.stock).toBe(10)
})

test('an update that concerns no guard is one request', async () => {
  const { db } = await openModel(shop)
  await db.Product.create(pen)
  expect((await db.Product.update({ sku: 'pen' }, { stock: subtract(1) })).cost).toEqual({
    requests: 1,
    readUnits: 0,
    writeUnits: 1,
  })
})

test('a transaction spans entities, all or nothing', async () => {
  const { db, client } = await openModel(shop)
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  await db.Product.create(pen)
  const place = (orderId: string, quantity: number) =>
    db.placeOrder((t) => [
      t.Customer.check({ customerId: id(1) }, { email: exists() }),
      t.Order.create({
        customerId: id(1),
        orderId,
        placedAt: '2026-01-01',
        region: 'EU',
        status: 'OPEN',
        total: 2 * quantity,
        tags: [],
      }),
      t.Line.create({ orderId, n: 1, sku: 'pen', quantity }),
      t.Product.update({ sku: 'pen' }, { stock: subtract(quantity) }, { if: { stock: atLeast(quantity) } }),
    ])
  const { cost } = await place(id(1), 4)
  expect(cost.requests).toBe(1)
  expect(cost.writeUnits).toBeGreaterThan(0)
  await expect(place(id(2), 7)).rejects.toMatchObject({ code: 'CONDITION_FAILED', entity: 'Product' })
  expect((await db.Product.get({ sku: 'pen' })).item?.stock).toBe(6)
  expect((await keysOf(client)).filter((key) => key.includes(id(2)))).toEqual([])
  const { items } = await db.snapshot({
    Product: [{ sku: 'pen' }],
    Order: [
      { customerId: id(1), placedAt: '2026-01-01', orderId: id(1) },
      { customerId: id(1), placedAt: '2026-01-01', orderId: id(2) },
    ],
  })
  expect(items.Product[0]?.stock).toBe(6)
  expect(items.Order.map((order) => order?.total)).toEqual([8, undefined])
})

test('guards are kept within transactions too', async () => {
  const { db, client } = await openModel(shop)
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  await db.transact((t) => [
    t.Customer.update({ customerId: id(1) }, { email: 'new@b.c' }),
    t.Customer.create({ customerId: id(2), email: 'x@y.z' }),
  ])
  expect((await keysOf(client)).filter((key) => key.startsWith('EMAIL'))).toEqual([
    'EMAIL#new@b.c EMAIL',
    'EMAIL#x@y.z EMAIL',
  ])
  await db.transact((t) => [t.Customer.delete({ customerId: id(1) }), t.Customer.delete({ customerId: id(2) })])
  expect(await keysOf(client)).toEqual([])
})

test('the same token writes once', async () => {
  const { db } = await openModel(shop)
  await db.Product.create(pen)
  const once = () =>
    db.transact((t) => [t.Product.update({ sku: 'pen' }, { stock: subtract(1) })], { token: 'order-1' })
  await once()
  await once()
  expect((await db.Product.get({ sku: 'pen' })).item?.stock).toBe(9)
})

describe('defaults in a transaction with a token', () => {
  const Event = entity('Event', {
    eventId: s.ulid().default(ulid),
    other: s.uuid().default(uuid),
    shard: s.shard(1000),
    at: s.iso().default(now),
  })
    .key({ pk: 'EVENT#{eventId}' })
    .index('all', { pk: 'ALL#{shard}', sk: '{at}' })
  const events = model({ name: 'events', entities: { Event }, patterns: () => ({}) })

  /** A clock that never stands still. */
  const clock = (startMs: number) => {
    let nowMs = startMs
    return { now: () => new Date((nowMs += 10)), advance: (ms: number) => void (nowMs += ms) }
  }
  const start = Date.UTC(2026, 0, 1)

  test('are the same in a repetition, which so writes once', async () => {
    const { db, client } = await openModel(events, clock(start))
    const add = (token?: string) => db.transact((t) => [t.Event.create({}), t.Event.create({})], { token })
    await add('one')
    await add('one')
    const { Items = [] } = await client.scan({ TableName: 'events' })
    expect(Items).toHaveLength(2)
    expect(new Set(Items.map(({ other }) => other?.S)).size).toBe(2)
    await add('two')
    await add()
    await add()
    expect((await client.scan({ TableName: 'events' })).Count).toBe(8)
  })

  test('are random by the token alone; their time is remembered by the connection for ten minutes', async () => {
    const drawn = async (db: Client<typeof events>) => {
      const [request] = await db.transact.explain((t) => [t.Event.create({})], { token: 'one' })
      if (request?.operation !== 'TransactWriteItems') throw new Error('no transaction')
      const { eventId, other, shard, at } = request.input.TransactItems?.[0]?.Put?.Item ?? {}
      return { random: [eventId?.S?.slice(10), other?.S, shard?.N], time: [eventId?.S?.slice(0, 10), at?.S] }
    }
    const time = clock(start)
    const { db, client } = await openModel(events, time)
    const first = await drawn(db)
    const elsewhere = await drawn(connect(events, client, clock(start + 5000)))
    expect(elsewhere.random).toEqual(first.random)
    expect(elsewhere.time).not.toEqual(first.time)
    time.advance(590_000)
    expect(await drawn(db)).toEqual(first)
    time.advance(20_000)
    expect((await drawn(db)).time).not.toEqual(first.time)
  })
})

test('batches read and write more than one request takes, and refuse what needs a transaction', async () => {
  const { db } = await openModel(shop)
  const lines = Array.from({ length: 60 }, (_, n) => ({ orderId: id(1), n, sku: `s${n}`, quantity: 1 }))
  const { cost } = await db.batchWrite((b) => lines.map((line) => b.Line.put(line)))
  expect(cost.requests).toBe(3)
  expect((await db.orderLines({ orderId: id(1) })).items.Line).toHaveLength(60)
  await db.batchWrite((b) => lines.slice(0, 59).map(({ orderId, n }) => b.Line.delete({ orderId, n })))
  expect((await db.orderLines({ orderId: id(1) })).items.Line).toHaveLength(1)
  await db.Product.create(pen)
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  const found = await db.cart({
    Product: [{ sku: 'none' }, { sku: 'pen' }, { sku: 'pen' }],
    Customer: [{ customerId: id(1) }],
  })
  expect(found.items.Product.map((product) => product?.name)).toEqual([undefined, 'Pen', 'Pen'])
  expect(found.items.Customer[0]?.email).toBe('a@b.c')
  expect(found.cost.requests).toBe(1)
  await expect(db.batchWrite((b) => [b.Product.put(pen)])).rejects.toMatchObject({ code: 'NEEDS_TRANSACTION' })
})
