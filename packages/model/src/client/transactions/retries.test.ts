import { BatchGetItemCommand, BatchWriteItemCommand, type DynamoDB } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { connect } from '../../index.ts'
import { openModel } from '../../testing/open-model.ts'
import { id, shop } from '../../testing/shop-model.ts'

/** A client whose table is so busy that it takes only some of each batch, as a throttled one does. */
function busy(client: DynamoDB, share: number): Pick<DynamoDB, 'send'> {
  const send = async (command: { readonly input: object }): Promise<unknown> => {
    if (command instanceof BatchWriteItemCommand) {
      const { RequestItems } = command.input
      const requests = RequestItems?.['shop'] ?? []
      const taken = Math.floor(requests.length * share)
      if (taken > 0)
        await client.send(new BatchWriteItemCommand({ RequestItems: { shop: requests.slice(0, taken) } }))
      return taken < requests.length ? { UnprocessedItems: { shop: requests.slice(taken) } } : {}
    }
    if (command instanceof BatchGetItemCommand) {
      const { RequestItems } = command.input
      const keys = RequestItems?.['shop']?.Keys ?? []
      const taken = Math.ceil(keys.length * share)
      const answer = await client.send(
        new BatchGetItemCommand({ RequestItems: { shop: { Keys: keys.slice(0, taken) } } }),
      )
      return { ...answer, UnprocessedKeys: taken < keys.length ? { shop: { Keys: keys.slice(taken) } } : {} }
    }
    return client.send(command as never)
  }
  return { send } as Pick<DynamoDB, 'send'>
}

const lines = Array.from({ length: 20 }, (_, n) => ({ orderId: id(1), n, sku: 's', quantity: 1 }))

test('what a batch leaves unprocessed is sent again', async () => {
  const { client } = await openModel(shop)
  const db = connect(shop, busy(client, 0.6), { random: () => 0 })
  // The last one never gets through with less than all of one.
  await expect(db.batchWrite((b) => lines.map((line) => b.Line.put(line)))).rejects.toMatchObject({
    code: 'UNPROCESSED',
  })
  await connect(shop, client).batchWrite((b) => lines.map((line) => b.Line.put(line)))
  expect((await db.orderLines({ orderId: id(1) })).items.Line).toHaveLength(20)
})

test('what a batch get leaves unprocessed is asked for again', async () => {
  const { client, db } = await openModel(shop)
  const products = Array.from({ length: 9 }, (_, n) => ({
    sku: `s${n}`,
    name: 'x',
    stock: n,
    price: 1,
    labels: [],
  }))
  for (const product of products) await db.Product.create(product)
  const slow = connect(shop, busy(client, 0.5), { random: () => 0 })
  const { items, cost } = await slow.cart({ Product: products, Customer: [] })
  expect(items.Product.map((product) => product?.stock)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(cost.requests).toBeGreaterThan(1)
})

test('writers of one item with guards lose nothing to each other', async () => {
  const { db } = await openModel(shop, { maxAttempts: 100 })
  await db.Customer.create({ customerId: id(1), email: '0@b.c' })
  await Promise.all(
    Array.from({ length: 6 }, () =>
      db.Customer.modify({ customerId: id(1) }, (item) => ({
        ...item,
        email: `${Number.parseInt(item.email, 10) + 1}@b.c`,
      })),
    ),
  )
  const { item } = await db.Customer.get({ customerId: id(1) }, { consistent: true })
  expect(item).toMatchObject({ email: '6@b.c', version: 7 })
  expect((await db.customerByEmail({ email: '6@b.c' })).item?.customerId).toBe(id(1))
  for (let n = 0; n < 6; n++) expect((await db.customerByEmail({ email: `${n}@b.c` })).item).toBeUndefined()
})

test('two who claim the same value: one gets it', async () => {
  const { db } = await openModel(shop)
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, (_, n) => db.Customer.create({ customerId: id(n), email: 'same@b.c' })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('giving up says what happened', async () => {
  const { db } = await openModel(shop, { maxAttempts: 1 })
  await db.Customer.create({ customerId: id(1), email: 'a@b.c' })
  const slow = db.Customer.modify({ customerId: id(1) }, async (item) => {
    await db.Customer.update({ customerId: id(1) }, { tier: 'pro' })
    return { ...item, name: 'x' }
  })
  await expect(slow).rejects.toMatchObject({ code: 'CONFLICT', entity: 'Customer' })
})
