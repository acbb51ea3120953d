import { expect, test } from 'vitest'
import { openModel } from '../testing/open-model.ts'
import { id, shop } from '../testing/shop-model.ts'
import type { Client } from './client-types.ts'

type Db = Client<typeof shop>

async function placeOrders(db: Db, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await db.Order.create({
      customerId: id(1),
      orderId: id(n),
      placedAt: new Date(Date.UTC(2026, 0, 1 + n)),
      region: 'EU',
      status: 'OPEN',
      total: n * 100,
      tags: [],
    })
  }
}

test('several entities of one partition come grouped, typed and in order, with one request', async () => {
  const { db } = await openModel(shop)
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  await placeOrders(db, 3)
  const page = await db.customerPage({ customerId: id(1) })
  expect(page.items.Customer[0]?.email).toBe('a@b.c')
  expect(page.items.Order.map((order) => order.total)).toEqual([0, 100, 200])
  expect(page.entries.map(({ entity }) => entity)).toEqual(['Order', 'Order', 'Order', 'Customer'])
  expect(page.cursor).toBeUndefined()
  expect(page.cost).toEqual({ requests: 1, readUnits: 0.5, writeUnits: 0 })
})

test('a range of the hole after the prefix includes both ends, and months include their days', async () => {
  const { db } = await openModel(shop)
  await placeOrders(db, 60)
  const between = async (placedAt: { from?: string | Date; to?: string | Date }): Promise<string[]> => {
    const { items } = await db.recentOrders({ customerId: id(1), placedAt })
    return items.Order.map((order) => order.placedAt.slice(0, 10))
  }
  expect(await between({ from: '2026-01-30', to: '2026-02-01' })).toEqual([
    '2026-02-01',
    '2026-01-31',
    '2026-01-30',
  ])
  expect(await between({ to: '2026-01' })).toHaveLength(31)
  expect(await between({ from: new Date(Date.UTC(2026, 1, 28)) })).toEqual(['2026-03-01', '2026-02-28'])
  await expect(between({ from: '2026-02', to: '2026-01' })).rejects.toThrow('Swap from and to')
})

test('numbers in keys sort and range as numbers, downwards where the key says so', async () => {
  const { db } = await openModel(shop)
  await placeOrders(db, 12)
  const { items } = await db.largestOrders({ customerId: id(1), total: { from: 900, to: 1000 } })
  expect(items.Order.map((order) => order.total)).toEqual([1000, 900])
  for (let n = 1; n <= 11; n++) await db.Line.create({ orderId: id(1), n, sku: 's', quantity: 1 })
  const lines = await db.orderLines({ orderId: id(1), n: { from: 9 } })
  expect(lines.items.Line.map((line) => line.n)).toEqual([9, 10, 11])
})

test('a native multi-attribute key compares its own types', async () => {
  const { db } = await openModel(shop)
  await placeOrders(db, 12)
  const { items } = await db.topInRegion({ region: 'EU', status: 'OPEN', total: { to: 900 } }, { limit: 2 })
  expect(items.Order.map((order) => order.total)).toEqual([900, 800])
})

test('an index of keys alone gives back the attributes its keys are made of', async () => {
  const { db } = await openModel(shop)
  await placeOrders(db, 1)
  const { items } = await db.openOrders()
  expect(items.Order).toEqual([{ customerId: id(1), orderId: id(0), placedAt: '2026-01-01T00:00:00.000Z' }])
  const { items: byStatus } = await db.ordersByStatus({ status: 'OPEN', region: 'EU' })
  expect(byStatus.Order).toEqual([
    {
      customerId: id(1),
      orderId: id(0),
      placedAt: '2026-01-01T00:00:00.000Z',
      status: 'OPEN',
      region: 'EU',
      total: 0,
    },
  ])
})

test('shards are read together, merged in order, and paged with one cursor', async () => {
  const { db } = await openModel(shop)
  await placeOrders(db, 23)
  const first = await db.openOrders({}, { limit: 5 })
  expect(first.items.Order.map((order) => order.orderId)).toEqual([0, 1, 2, 3, 4].map(id))
  const seen: string[] = []
  let pages = 0
  for await (const page of db.openOrders.pages({}, { limit: 5 })) {
    pages++
    seen.push(...page.items.Order.map((order) => order.orderId))
  }
  expect(seen).toEqual(Array.from({ length: 23 }, (_, n) => id(n)))
  expect(pages).toBe(5)
  const second = await db.openOrders({}, { limit: 5, cursor: first.cursor })
  expect(second.items.Order.map((order) => order.orderId)).toEqual([5, 6, 7, 8, 9].map(id))
  const all = await db.openOrders({ placedAt: { from: '2026-01-20' } })
  expect(all.items.Order).toHaveLength(4)
  expect(all.cost.requests).toBe(4)
})

test('pages and items can be iterated', async () => {
  const { db } = await openModel(shop)
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  await placeOrders(db, 7)
  const totals: number[] = []
  for await (const entry of db.customerPage.iterate({ customerId: id(1) }, { limit: 3 })) {
    if (entry.entity === 'Order') totals.push(entry.item.total)
    else expect(entry.item.email).toBe('a@b.c')
  }
  expect(totals).toEqual([0, 100, 200, 300, 400, 500, 600])
  let count = 0
  for await (const { entity } of db.everything.iterate({}, { limit: 3 })) if (entity === 'Order') count++
  expect(count).toBe(7)
})

test('a cursor belongs to its pattern and its parameters', async () => {
  const { db } = await openModel(shop)
  await placeOrders(db, 5)
  const { cursor } = await db.recentOrders({ customerId: id(1) }, { limit: 2 })
  const next = await db.recentOrders({ customerId: id(1) }, { limit: 2, cursor })
  expect(next.items.Order.map((order) => order.total)).toEqual([200, 100])
  await expect(db.recentOrders({ customerId: id(2) }, { cursor })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  await expect(db.customerPage({ customerId: id(1) }, { cursor })).rejects.toThrow('another pattern')
  await expect(db.recentOrders({ customerId: id(1) }, { cursor: 'x' })).rejects.toMatchObject({
    code: 'INVALID_CURSOR',
  })
})

test('with a secret, a cursor shows nothing and survives nothing', async () => {
  const { db } = await openModel(shop, { cursorSecret: 'correct horse battery staple' })
  await placeOrders(db, 3)
  const { cursor = '' } = await db.recentOrders({ customerId: id(1) }, { limit: 1 })
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('ORDER#')
  expect((await db.recentOrders({ customerId: id(1) }, { limit: 1, cursor })).items.Order[0]?.total).toBe(100)
  const changed = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`
  await expect(db.recentOrders({ customerId: id(1) }, { cursor: changed })).rejects.toMatchObject({
    code: 'INVALID_CURSOR',
  })
})

test('explain shows one request for each shard', async () => {
  const { db } = await openModel(shop)
  expect(db.openOrders.explain({ placedAt: { from: '2026' } })).toHaveLength(4)
  expect(db.recentOrders.explain({ customerId: id(1), placedAt: { from: '2026-01' } })).toEqual([
    {
      operation: 'Query',
      input: {
        TableName: 'shop',
        KeyConditionExpression: '#PK = :PK AND #SK BETWEEN :SK AND :SK2',
        ExpressionAttributeNames: { '#PK': 'PK', '#SK': 'SK' },
        ExpressionAttributeValues: {
          ':PK': { S: `CUSTOMER#${id(1)}` },
          ':SK': { S: 'ORDER#2026-01' },
          ':SK2': { S: 'ORDER#\u{10FFFF}' },
        },
        ScanIndexForward: false,
        ReturnConsumedCapacity: 'TOTAL',
      },
    },
  ])
})

test('a parameter that is missing or not known is refused by name', async () => {
  const { db } = await openModel(shop)
  // @ts-expect-error the customer is missing
  await expect(db.customerPage({})).rejects.toThrow('needs customerId')
  // @ts-expect-error there is no such parameter
  await expect(db.customerPage({ customerId: id(1), order: 1 })).rejects.toThrow('no parameter order')
})
