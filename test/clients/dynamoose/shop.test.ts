import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import dynamoose from 'dynamoose'
import { beforeAll, expect, test } from 'vitest'
import { describeOnTargets } from '../../support/targets.ts'
import { contention } from '../domains/payments.ts'
import {
  followedOrder,
  orderItem,
  orderKey,
  orderLineItem,
  orderLines,
  orders,
  priceKey,
  productItem,
  productOf,
  products,
  session,
  shopAnswers,
  userItem,
  users,
} from '../domains/shop.ts'
import { shopModels } from './shop-models.ts'

describeOnTargets('A shop through Dynamoose', (target) => {
  const [alice] = users
  const Key = orderKey(followedOrder)
  const sessionKey = { PK: `SESSION#${session.sessionId}`, SK: session.userId }
  let shop: ReturnType<typeof shopModels>

  beforeAll(async () => {
    dynamoose.aws.ddb.set(target.client())
    shop = shopModels()
    const table = new dynamoose.Table('AppTable', Object.values(shop), {
      initialize: false,
      throughput: 'ON_DEMAND',
      waitForActive: { enabled: true, check: { timeout: 20_000, frequency: 50 } },
    })
    await table.initialize()
    for (const user of users) await shop.User.create(userItem(user))
    await shop.Order.batchPut(orders.map(orderItem))
    await shop.OrderItem.batchPut(orderLines.map(orderLineItem))
    await shop.Product.batchPut(products.map(productItem))
    await new shop.Session({ ...sessionKey, EntityType: 'Session', ...session }).save()
  })

  const openOrders = () => shop.Order.query('GSI2PK').eq('STATUS#open').using('GSI2').exec()

  test('the table that it creates has the indexes of all models', async () => {
    const { Table } = await target.client().send(new DescribeTableCommand({ TableName: 'AppTable' }))
    const projections = Table?.GlobalSecondaryIndexes?.map((index) => [
      index.IndexName,
      index.Projection?.ProjectionType,
    ])
    expect(projections?.toSorted()).toEqual([
      ['GSI1', 'ALL'],
      ['GSI2', 'INCLUDE'],
      ['GSI3', 'INCLUDE'],
      ['GSI4', 'KEYS_ONLY'],
    ])
  })

  test('an item that exists is not created again', async () => {
    await expect(shop.User.create(userItem(alice))).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    })
  })

  test('profiles, products and sessions are fetched by id, one or many', async () => {
    const profile = await shop.User.get({ PK: 'USER#u-001', SK: 'PROFILE' })
    expect(profile.toJSON()).toEqual(userItem(alice))
    const keys = ['p-555', 'p-700', 'p-000'].map((id) => ({ PK: `PRODUCT#${id}`, SK: 'METADATA' }))
    const found = await shop.Product.batchGet(keys)
    expect(found.map((product) => product.toJSON())).toEqual(
      ['p-555', 'p-700'].map((id) => productItem(productOf(id))),
    )
    expect((await shop.Session.get(sessionKey)).toJSON()).toMatchObject(session)
  })

  test('the orders of a user come newest first, in pages and by month', async () => {
    const ordersFrom = (prefix: string) => shop.Order.query('PK').eq('USER#u-001').where('SK').beginsWith(prefix)
    const all = await ordersFrom('ORDER#').sort('descending').exec()
    expect(all.map(orderIdOf)).toEqual(shopAnswers.ordersNewestFirst)
    const first = await ordersFrom('ORDER#').sort('descending').limit(3).exec()
    expect(first.map(orderIdOf)).toEqual(shopAnswers.threeMostRecent)
    const rest = await ordersFrom('ORDER#').sort('descending').startAt(first.lastKey).exec()
    expect(rest.map(orderIdOf)).toEqual(shopAnswers.ordersNewestFirst.slice(3))
    const june = await ordersFrom('ORDER#2026-06').exec()
    expect(june.map(orderIdOf)).toEqual(shopAnswers.ordersOfJune)
  })

  test('one query returns items of several kinds', async () => {
    const account = await shop.Anything.query('PK').eq('USER#u-001').sort('descending').exec()
    expect(account.map((item) => item['EntityType'])).toEqual(['User', ...Array<string>(5).fill('Order')])
    const whole = await shop.Anything.query('GSI1PK').eq('ORDER#o-789').using('GSI1').exec()
    expect(whole.map((item) => item['EntityType'])).toEqual(['OrderItem', 'OrderItem', 'Order'])
  })

  test('a user is found by email', async () => {
    const found = await shop.User.query('GSI1PK').eq('EMAIL#alice@example.com').using('GSI1').exec()
    expect(found.map((user) => user['name'])).toEqual(['Alice'])
  })

  test('open orders are listed from an index that includes some attributes', async () => {
    expect((await openOrders()).map((order) => order['total'])).toEqual([149.99, 1299, 159.48])
  })

  test('products of a category come by price, and within a range of prices', async () => {
    const electronics = () => shop.Product.query('GSI3PK').eq('CATEGORY#electronics').using('GSI3')
    const all = await electronics().exec()
    expect(all.map((product) => product['price'])).toEqual([9.5, 74.99, 149.99, 1299])
    const some = await electronics()
      .where('GSI3SK')
      .between(priceKey(50), `${priceKey(150)}\u00ff`)
      .exec()
    expect(some.map((product) => product['price'])).toEqual([74.99, 149.99])
  })

  test('an order is switched on and off in the sparse index', async () => {
    const active = () => shop.Order.query('GSI4PK').eq('ACTIVE_ORDER').using('GSI4').exec()
    expect(await active()).toHaveLength(0)
    await shop.Order.update(Key, { $SET: { GSI4PK: 'ACTIVE_ORDER', GSI4SK: followedOrder.createdAt } })
    expect((await active()).map((order) => order['SK'])).toEqual([Key.SK])
    await shop.Order.update(Key, { $REMOVE: ['GSI4PK', 'GSI4SK'] })
    expect(await active()).toHaveLength(0)
  })

  test('a transaction moves an order and its stock together, or neither, and says which part failed', async () => {
    const laptop = { PK: 'PRODUCT#p-557', SK: 'METADATA' }
    const ship = (quantity: number): Promise<unknown> =>
      dynamoose.transaction([
        shop.Order.transaction.update(
          Key,
          { $SET: { status: 'shipped', GSI2PK: 'STATUS#shipped' } },
          { condition: new dynamoose.Condition().where('status').eq('open') },
        ),
        shop.Product.transaction.update(
          laptop,
          { $ADD: { stock: -quantity } },
          { condition: new dynamoose.Condition().where('stock').ge(quantity) },
        ),
      ])
    await expect(ship(9)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    await ship(8)
    const read: unknown = await dynamoose.transaction([
      shop.Order.transaction.get(Key),
      shop.Product.transaction.get(laptop),
    ])
    expect(read).toMatchObject([{ status: 'shipped' }, { stock: 0 }])
    expect(await openOrders()).toHaveLength(2)
  })

  test('optimistic locking loses no change under contention', async () => {
    const before = Number((await shop.Order.get(Key))['total'])
    const increment = async (): Promise<boolean> => {
      const read = await shop.Order.get(Key, { consistent: true })
      const version = Number(read['version'])
      const condition = new dynamoose.Condition().where('version').eq(version)
      try {
        await shop.Order.update(Key, { total: Number(read['total']) + 1, version: version + 1 }, { condition })
        return true
      } catch (error) {
        expect(error).toMatchObject({ name: 'ConditionalCheckFailedException' })
        return false
      }
    }
    const work = async (): Promise<void> => {
      for (let done = 0; done < contention.incrementsEach;) if (await increment()) done += 1
    }
    await Promise.all(Array.from({ length: contention.workers }, work))
    const total = contention.workers * contention.incrementsEach
    const after = await shop.Order.get(Key)
    expect(after['version']).toBe(total)
    expect(after['total']).toBeCloseTo(before + total)
  })

  test('items are deleted, one or many', async () => {
    await shop.Session.delete(sessionKey)
    expect(await shop.Session.get(sessionKey)).toBeUndefined()
    await shop.OrderItem.batchDelete(
      orderLines.map(({ orderId, productId }) => ({ PK: `ORDER#${orderId}`, SK: `ITEM#${productId}` })),
    )
    expect(await shop.OrderItem.query('PK').eq('ORDER#o-789').exec()).toHaveLength(0)
  })
})

function orderIdOf(order: Record<string, unknown>): unknown {
  return order['orderId']
}
