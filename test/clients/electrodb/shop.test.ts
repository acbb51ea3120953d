import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { ElectroError } from 'electrodb'
import { beforeAll, expect, test } from 'vitest'
import { describeOnTargets } from '../../support/targets.ts'
import { contention } from '../domains/payments.ts'
import {
  followedOrder,
  orderLines,
  orders,
  products,
  productOf,
  session,
  shopAnswers,
  shopTable,
  users,
  type Order,
} from '../domains/shop.ts'
import { shopService } from './shop-service.ts'

describeOnTargets('A shop through ElectroDB', (target) => {
  const [alice] = users
  const orderKey = { userId: 'u-001', createdAt: followedOrder.createdAt, orderId: followedOrder.orderId }
  let shop: ReturnType<typeof shopService>

  beforeAll(async () => {
    const client = target.client()
    await client.send(new CreateTableCommand(shopTable))
    shop = shopService(client, shopTable.TableName)
    for (const user of users) await shop.entities.user.create(user).go()
    const { unprocessed } = await shop.entities.order.put(orders.map(withKnownStatus)).go()
    expect(unprocessed).toEqual([])
    await shop.entities.line.put([...orderLines]).go()
    await shop.entities.product.put([...products]).go()
    await shop.entities.session.put(session).go()
  })

  test('an entity that exists is not created again', async () => {
    const error: unknown = await shop.entities.user
      .create(alice)
      .go()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ElectroError)
    expect(error).toMatchObject({ cause: { name: 'ConditionalCheckFailedException' } })
  })

  test('profiles, products and sessions are fetched by id, one or many', async () => {
    expect((await shop.entities.user.get({ userId: 'u-001' }).go()).data).toEqual(alice)
    const keys = ['p-555', 'p-700', 'p-000'].map((productId) => ({ productId }))
    const found = await shop.entities.product.get(keys).go({ preserveBatchOrder: true })
    expect(found.data).toEqual([productOf('p-555'), productOf('p-700'), null])
    expect((await shop.entities.session.get({ sessionId: 's-9f', userId: 'u-001' }).go()).data).toEqual(session)
  })

  test('the orders of a user come newest first, in pages and by month', async () => {
    const byUser = shop.entities.order.query.byUser({ userId: 'u-001' })
    const all = await byUser.go({ order: 'desc' })
    expect(all.data.map(orderIdOf)).toEqual(shopAnswers.ordersNewestFirst)
    const first = await byUser.go({ order: 'desc', limit: 3 })
    expect(first.data.map(orderIdOf)).toEqual(shopAnswers.threeMostRecent)
    const rest = await byUser.go({ order: 'desc', cursor: first.cursor })
    expect(rest.data.map(orderIdOf)).toEqual(shopAnswers.ordersNewestFirst.slice(3))
    const june = await shop.entities.order.query.byUser({ userId: 'u-001' }).begins({ createdAt: '2026-06' }).go()
    expect(june.data.map(orderIdOf)).toEqual(shopAnswers.ordersOfJune)
  })

  test('a profile and its orders, and an order with its lines, are collections', async () => {
    const account = (await shop.collections.account({ userId: 'u-001' }).go()).data
    expect(account.user).toEqual([alice])
    expect(account.order).toHaveLength(5)
    const whole = (await shop.collections.wholeOrder({ orderId: 'o-789' }).go()).data
    expect(whole.order).toMatchObject([followedOrder])
    expect(whole.line.map((line) => line.productId)).toEqual(shopAnswers.linesOfOrder)
  })

  test('a user is found by email', async () => {
    expect((await shop.entities.user.query.byEmail({ email: 'alice@example.com' }).go()).data).toEqual([alice])
  })

  test('open orders are listed from an index that includes some attributes, or hydrated with all', async () => {
    const open = await shop.entities.order.query.byStatus({ status: 'open' }).go()
    expect(open.data.map((order) => order.total)).toEqual([149.99, 1299, 159.48])
    const hydrated = await shop.entities.order.query.byStatus({ status: 'open' }).go({ hydrate: true })
    expect(hydrated.data.map(orderIdOf).toSorted()).toEqual(shopAnswers.openOrdersOldestFirst)
  })

  test('products of a category come by price, and within a range of prices', async () => {
    const inCategory = shop.entities.product.query.byCategory({ category: 'electronics' })
    expect((await inCategory.go()).data.map(({ name }) => name)).toEqual(
      shopAnswers.electronicsByPrice.map((id) => productOf(id).name),
    )
    const inRange = await shop.entities.product.query
      .byCategory({ category: 'electronics' })
      .between({ priceCents: 5000 }, { priceCents: 15000 })
      .go()
    expect(inRange.data.map(({ price }) => price)).toEqual([74.99, 149.99])
  })

  test('an order enters the sparse index with an activity and leaves it without one', async () => {
    const active = async (): Promise<string[]> => {
      const found = await shop.entities.order.query.active({ activity: 'packing' }).go({ hydrate: true })
      return found.data.map(orderIdOf)
    }
    expect(await active()).toEqual([])
    await shop.entities.order.patch(orderKey).set({ activity: 'packing' }).go()
    expect(await active()).toEqual(['o-789'])
    await shop.entities.order.patch(orderKey).set({ activity: 'none' }).go()
    expect(await active()).toEqual([])
  })

  test('a transaction moves an order and its stock together, or neither, and says which part failed', async () => {
    const ship = (quantity: number) =>
      shop.transaction
        .write(({ order, product }) => [
          order
            .patch(orderKey)
            .set({ status: 'shipped' })
            .where(({ status }, { eq }) => eq(status, 'open'))
            .commit(),
          product
            .patch({ productId: 'p-557' })
            .subtract({ stock: quantity })
            .where(({ stock }, { gte }) => gte(stock, quantity))
            .commit({ response: 'all_old' }),
        ])
        .go()
    const refused = await ship(9)
    expect(refused.canceled).toBe(true)
    expect(refused.data.map(({ rejected, code }) => [rejected, code])).toEqual([
      [false, 'None'],
      [true, 'ConditionalCheckFailed'],
    ])
    expect((await ship(8)).canceled).toBe(false)
    const read = await shop.transaction
      .get(({ order, product }) => [order.get(orderKey).commit(), product.get({ productId: 'p-557' }).commit()])
      .go()
    expect(read.data.map(({ item }) => item)).toMatchObject([{ status: 'shipped' }, { stock: 0 }])
    expect((await shop.entities.order.query.byStatus({ status: 'open' }).go()).data).toHaveLength(2)
  })

  test('optimistic locking loses no change under contention', async () => {
    const { order } = shop.entities
    const before = (await order.get(orderKey).go()).data?.total ?? 0
    const increment = async (): Promise<boolean> => {
      const { version = 0, total = 0 } = (await order.get(orderKey).go({ consistent: true })).data ?? {}
      return order
        .patch(orderKey)
        .set({ total: total + 1, version: version + 1 })
        .where((attribute, { eq }) => eq(attribute.version, version))
        .go()
        .then(() => true)
        .catch((error: unknown) => {
          expect(error).toMatchObject({ cause: { name: 'ConditionalCheckFailedException' } })
          return false
        })
    }
    const work = async (): Promise<void> => {
      for (let done = 0; done < contention.incrementsEach;) if (await increment()) done += 1
    }
    await Promise.all(Array.from({ length: contention.workers }, work))
    const total = contention.workers * contention.incrementsEach
    const after = (await order.get(orderKey).go()).data
    expect(after?.version).toBe(total)
    expect(after?.total).toBeCloseTo(before + total)
  })

  test('entities are deleted, one or many', async () => {
    const removed = await shop.entities.session
      .remove({ sessionId: 's-9f', userId: 'u-001' })
      .go({ response: 'all_old' })
    expect(removed.data).toEqual(session)
    await shop.entities.line.delete(orderLines.map(({ orderId, productId }) => ({ orderId, productId }))).go()
    expect((await shop.entities.line.query.byOrder({ orderId: 'o-789' }).go()).data).toEqual([])
  })
})

function orderIdOf({ orderId }: { orderId: string }): string {
  return orderId
}

function withKnownStatus(order: Order): Order & { status: 'open' | 'shipped' | 'delivered' } {
  const status = (['open', 'shipped', 'delivered'] as const).find((known) => known === order.status)
  if (status === undefined) throw new Error(`An order cannot be ${order.status}.`)
  return { ...order, status }
}
