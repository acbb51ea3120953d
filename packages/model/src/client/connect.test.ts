import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import {
  add,
  addToSet,
  anyOf,
  append,
  atLeast,
  contains,
  entity,
  model,
  ModelError,
  remove,
  removeFromSet,
  s,
  subtract,
} from '../index.ts'
import { openModel } from '../testing/open-model.ts'
import { id, shop } from '../testing/shop-model.ts'

const order = {
  customerId: id(1),
  orderId: id(7),
  placedAt: '2026-06-10T14:32:00Z',
  region: 'EU',
  status: 'OPEN',
  total: 4200,
  tags: ['gift'],
} as const

const orderKey = { customerId: id(1), placedAt: '2026-06-10T14:32:00Z', orderId: id(7) }

test('an item is stored as its templates say, with its kind and nothing hidden', async () => {
  const { db, client } = await openModel(shop)
  const { item, cost } = await db.Order.create(order)
  expect(item).toEqual({
    ...order,
    placedAt: '2026-06-10T14:32:00.000Z',
    tags: new Set(['gift']),
    history: [],
  })
  expect(cost).toEqual({ requests: 1, readUnits: 0, writeUnits: 6 })
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: 'shop',
      Key: { PK: { S: `CUSTOMER#${id(1)}` }, SK: { S: `ORDER#2026-06-10T14:32:00.000Z#${id(7)}` } },
    }),
  )
  expect(Item).toEqual({
    PK: { S: `CUSTOMER#${id(1)}` },
    SK: { S: `ORDER#2026-06-10T14:32:00.000Z#${id(7)}` },
    EntityType: { S: 'Order' },
    customerId: { S: id(1) },
    orderId: { S: id(7) },
    placedAt: { S: '2026-06-10T14:32:00.000Z' },
    region: { S: 'EU' },
    status: { S: 'OPEN' },
    total: { N: '4200' },
    tags: { SS: ['gift'] },
    history: { L: [] },
    gsi1pk: { S: `ORDER#${id(7)}` },
    gsi1sk: { S: 'ORDER' },
    openpk: { S: expect.stringMatching(/^OPEN#[0-3]$/) },
    opensk: { S: '2026-06-10T14:32:00.000Z' },
    byStatuspk: { S: 'STATUS#OPEN#EU' },
    byStatussk: { S: '00004200' },
    byTotalsk: { S: 'TOTAL#99995799' },
  })
})

test('create refuses an item that exists, and says so', async () => {
  const { db } = await openModel(shop)
  await db.Order.create(order)
  await expect(db.Order.create(order)).rejects.toMatchObject({ code: 'ALREADY_EXISTS', entity: 'Order' })
})

test('get finds an item by the attributes of its key', async () => {
  const { db } = await openModel(shop)
  await db.Customer.create({ customerId: id(1), email: 'asha@example.com' })
  const { item, cost } = await db.getCustomer({ customerId: id(1) })
  expect(item).toEqual({ customerId: id(1), email: 'asha@example.com', tier: 'free', version: 1 })
  expect(cost).toEqual({ requests: 1, readUnits: 0.5, writeUnits: 0 })
  expect((await db.Customer.get({ customerId: id(2) })).item).toBeUndefined()
})

test('an update writes each index key that depends on it', async () => {
  const { db } = await openModel(shop)
  await db.Order.create(order)
  const { item } = await db.Order.update(orderKey, { status: 'PAID', region: 'EU', total: 4300 })
  expect(item).toMatchObject({ status: 'PAID', total: 4300 })
  expect((await db.ordersByStatus({ status: 'PAID', region: 'EU' })).items.Order).toHaveLength(1)
  expect((await db.ordersByStatus({ status: 'OPEN', region: 'EU' })).items.Order).toHaveLength(0)
  expect((await db.openOrders()).items.Order).toHaveLength(0)
  await db.Order.update(orderKey, { status: 'OPEN', region: 'US' })
  expect((await db.openOrders()).items.Order).toHaveLength(1)
})

test('half an index key is refused at run time too, with the way out', async () => {
  const { db } = await openModel(shop)
  await db.Order.create(order)
  // @ts-expect-error the region belongs to the same key
  const refused = db.Order.update(orderKey, { status: 'PAID' })
  await expect(refused).rejects.toMatchObject({ code: 'HALF_A_KEY', attribute: 'region' })
  await expect(refused).rejects.toThrow('use modify')
})

test('an item leaves a sparse index without the rest of its key there, and needs it to come back', async () => {
  const Hive = entity('Hive', {
    hiveId: s.string(),
    country: s.string(),
    dueAt: s.iso('day').default('2026-06-01'),
    state: s.enum('billed', 'reminded', 'paid', 'void'),
    flag: s.string().optional(),
  })
    .key({ pk: 'HIVE#{hiveId}', sk: 'HIVE' })
    .index('unpaid', { pk: 'UNPAID#{country}', sk: '{dueAt}', when: { state: ['billed', 'reminded'] } })
    .index('flagged', { pk: '{flag}#{country}', sk: 'FLAG' })
  const { db, client } = await openModel(model({ name: 'bees', entities: { Hive }, patterns: () => ({}) }))
  const [key, more] = [{ hiveId: '1' }, { country: 'FO', dueAt: '2026-06-02' }]
  const indexesOf = async (): Promise<readonly (number | undefined)[]> =>
    Promise.all(
      ['unpaid', 'flagged'].map(async (IndexName) => (await client.scan({ TableName: 'bees', IndexName })).Count),
    )
  await db.Hive.create({ ...key, ...more, state: 'billed', flag: 'mites' })
  expect(await indexesOf()).toEqual([1, 1])
  // @ts-expect-error it stays in the index, whose key this update does not know
  await expect(db.Hive.update(key, { state: 'reminded' })).rejects.toMatchObject({ code: 'HALF_A_KEY' })
  await db.Hive.update(key, { state: 'paid' })
  expect(await indexesOf()).toEqual([0, 1])
  await db.Hive.update(key, { flag: remove() })
  expect(await indexesOf()).toEqual([0, 0])
  await db.Hive.update(key, { state: 'reminded', flag: 'robbed', ...more })
  expect(await indexesOf()).toEqual([1, 1])
  // An upsert without the date: nobody knows which one the item has, nor need they.
  await expect(db.Hive.upsert({ ...key, country: 'FO', flag: 'robbed', state: 'billed' })).rejects.toMatchObject({
    code: 'HALF_A_KEY',
  })
  await db.Hive.upsert({ ...key, country: 'FO', flag: 'robbed', state: 'void' })
  expect(await indexesOf()).toEqual([0, 1])
  const either = 'paid' as 'paid' | 'billed'
  // @ts-expect-error it might stay
  expect((await db.Hive.update(key, { state: either })).item).toMatchObject({ state: 'paid', dueAt: '2026-06-02' })
})

test('counters, lists, sets and removals are done by the database', async () => {
  const { db } = await openModel(shop)
  await db.Product.put({ sku: 'a', name: 'Pen', stock: 5, price: 1.5, labels: [] })
  expect((await db.Product.update({ sku: 'a' }, { stock: subtract(2), price: add(0.5) })).item).toMatchObject({
    stock: 3,
    price: 2,
  })
  await db.Order.create({ ...order, note: 'ring twice' })
  const { item } = await db.Order.update(orderKey, {
    tags: addToSet('fragile'),
    history: append({ at: '2026-06-11', what: 'packed' }),
    note: remove(),
  })
  expect(item).toMatchObject({
    tags: new Set(['gift', 'fragile']),
    history: [{ at: '2026-06-11T00:00:00.000Z', what: 'packed' }],
  })
  expect(item).not.toHaveProperty('note')
  expect((await db.Order.update(orderKey, { tags: removeFromSet('gift', 'fragile') })).item.tags).toEqual(new Set())
})

test('conditions decide, and a failure carries the item', async () => {
  const { db } = await openModel(shop)
  await db.Product.put({ sku: 'a', name: 'Pen', stock: 5, price: 1.5, labels: [] })
  await db.Product.update({ sku: 'a' }, { stock: subtract(3) }, { if: { stock: atLeast(3) } })
  const failed = db.Product.update({ sku: 'a' }, { stock: subtract(3) }, { if: { stock: atLeast(3) } })
  await expect(failed).rejects.toMatchObject({ code: 'CONDITION_FAILED', item: { stock: 2 } })
  await db.Product.update({ sku: 'a' }, { stock: 9 }, { if: anyOf({ stock: atLeast(3) }, { name: 'Pen' }) })
  await db.Order.create(order)
  await db.Order.update(orderKey, { note: 'x' }, { if: { tags: contains('gift') } })
  await expect(db.Order.delete(orderKey, { if: { tags: contains('other') } })).rejects.toMatchObject({
    code: 'CONDITION_FAILED',
  })
})

test('an update of what does not exist is refused', async () => {
  const { db } = await openModel(shop)
  await expect(db.Order.update(orderKey, { note: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('modify changes any part of a key, and counts nothing twice when writers race', async () => {
  const { db } = await openModel(shop, { maxAttempts: 50 })
  await db.Order.create({ ...order, total: 0 })
  await Promise.all(
    Array.from({ length: 8 }, () => db.Order.modify(orderKey, (item) => ({ ...item, total: item.total + 1 }))),
  )
  expect((await db.Order.get(orderKey)).item?.total).toBe(8)
  await db.Order.modify(orderKey, (item) => ({ ...item, status: 'SHIPPED' }))
  expect((await db.ordersByStatus({ status: 'SHIPPED', region: 'EU' })).items.Order).toHaveLength(1)
  expect((await db.openOrders()).items.Order).toHaveLength(0)
})

test('modify writes nothing when nothing differs, and refuses another key', async () => {
  const { db } = await openModel(shop)
  await db.Order.create(order)
  expect((await db.Order.modify(orderKey, (item) => item)).cost.writeUnits).toBe(0)
  await expect(db.Order.modify(orderKey, (item) => ({ ...item, orderId: id(8) }))).rejects.toMatchObject({
    code: 'KEY_CHANGE',
  })
})

test('a version is counted by every write, and a stale one is refused', async () => {
  const { db } = await openModel(shop)
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  const key = { customerId: id(1) }
  expect((await db.Customer.update(key, { tier: 'pro' }, { version: 1 })).item.version).toBe(2)
  await expect(db.Customer.update(key, { tier: 'free' }, { version: 1 })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  expect((await db.Customer.modify(key, (item) => ({ ...item, name: 'Asha' }))).item.version).toBe(3)
  const { item } = await db.Customer.get(key)
  if (item === undefined) throw new Error('gone')
  await db.Customer.put({ ...item, name: 'A' })
  await expect(db.Customer.put({ ...item, name: 'B' })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await db.Customer.get(key)).item).toMatchObject({ name: 'A', version: 4 })
})

test('upsert makes an item, then changes it, and leaves defaults that were changed', async () => {
  const { db } = await openModel(shop)
  const line = { orderId: id(1), n: 1, sku: 'a', quantity: 2 }
  expect((await db.Line.upsert(line)).item).toEqual(line)
  expect((await db.Line.upsert({ ...line, quantity: 3 })).item).toEqual({ ...line, quantity: 3 })
  const customer = { customerId: id(1), email: 'a@b.c' }
  await db.Customer.upsert(customer)
  await db.Customer.update({ customerId: id(1) }, { tier: 'pro' })
  expect((await db.Customer.upsert({ ...customer, email: 'x@y.z' })).item).toMatchObject({
    tier: 'pro',
    version: 3,
  })
})

test('delete returns what it removed', async () => {
  const { db } = await openModel(shop)
  await db.Order.create(order)
  expect((await db.Order.delete(orderKey)).item).toMatchObject({ total: 4200 })
  expect((await db.Order.delete(orderKey)).item).toBeUndefined()
})

test('an item of an unknown kind is an error that says so', async () => {
  const { db, client } = await openModel(shop)
  const keys = { PK: { S: `CUSTOMER#${id(1)}` }, SK: { S: 'INVOICE#1' } }
  await client.send(new PutItemCommand({ TableName: 'shop', Item: { ...keys, EntityType: { S: 'Invoice' } } }))
  await expect(db.customerPage({ customerId: id(1) })).rejects.toThrow(/'Invoice'.*Customer, .*Order/)
  await client.send(new PutItemCommand({ TableName: 'shop', Item: keys }))
  await expect(db.customerPage({ customerId: id(1) })).rejects.toMatchObject({ code: 'UNKNOWN_ENTITY' })
  const profile = { PK: { S: `CUSTOMER#${id(2)}` }, SK: { S: 'PROFILE' }, EntityType: { S: 'Order' } }
  await client.send(new PutItemCommand({ TableName: 'shop', Item: profile }))
  await expect(db.getCustomer({ customerId: id(2) })).rejects.toMatchObject({ code: 'UNEXPECTED_ENTITY' })
})

test('values that are wrong are refused before anything is sent', async () => {
  const { db } = await openModel(shop)
  await expect(db.Line.create({ orderId: id(1), n: 1, sku: 'a', quantity: 0 })).rejects.toThrow('from 1 to 999')
  await expect(db.Line.create({ orderId: id(1), n: 10_000, sku: 'a', quantity: 1 })).rejects.toThrow('4 digits')
  await expect(db.Line.create({ orderId: 'x', n: 1, sku: 'a', quantity: 1 })).rejects.toThrow('ULID')
  await expect(db.Order.create({ ...order, placedAt: 'yesterday' })).rejects.toThrow('ISO 8601')
  // @ts-expect-error a status there is not
  await expect(db.Order.create({ ...order, status: 'LOST' })).rejects.toBeInstanceOf(ModelError)
})

test('explain shows the requests that would be sent', async () => {
  const { db } = await openModel(shop)
  expect(db.getCustomer.explain({ customerId: id(1) })).toEqual([
    {
      operation: 'GetItem',
      input: {
        TableName: 'shop',
        Key: { PK: { S: `CUSTOMER#${id(1)}` }, SK: { S: 'PROFILE' } },
        ReturnConsumedCapacity: 'TOTAL',
      },
    },
  ])
  const [request] = await db.Product.update.explain(
    { sku: 'a' },
    { stock: subtract(1) },
    { if: { stock: atLeast(1) } },
  )
  expect(request).toEqual({
    operation: 'UpdateItem',
    input: {
      TableName: 'shop',
      Key: { PK: { S: 'PRODUCT#a' }, SK: { S: 'PRODUCT' } },
      UpdateExpression: 'ADD #stock :stock',
      ConditionExpression: 'attribute_exists(#PK) AND #stock >= :stock2',
      ExpressionAttributeNames: { '#stock': 'stock', '#PK': 'PK' },
      ExpressionAttributeValues: { ':stock': { N: '-1' }, ':stock2': { N: '1' } },
      ReturnConsumedCapacity: 'TOTAL',
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  })
})
