import { OneTableError, Table } from 'dynamodb-onetable'
import { beforeAll, expect, test } from 'vitest'
import { describeOnTargets } from '../../support/targets.ts'
import { contention } from '../domains/payments.ts'
import { followedOrder, orderLines, orders, products, session, shopAnswers, users } from '../domains/shop.ts'
import { shopSchema } from './shop-schema.ts'

describeOnTargets('A shop through OneTable', (target) => {
  const [alice] = users
  const orderKey = { userId: 'u-001', createdAt: followedOrder.createdAt, orderId: followedOrder.orderId }
  let table: Table<typeof shopSchema>
  const models = () => ({
    user: table.getModel('User'),
    order: table.getModel('Order'),
    line: table.getModel('OrderItem'),
    product: table.getModel('Product'),
    session: table.getModel('Session'),
  })

  beforeAll(async () => {
    table = new Table({
      client: target.client(),
      name: 'AppTable',
      schema: shopSchema,
      logger: false,
      partial: true,
    })
    await table.createTable({ wait: 20 })
    const { user, order, line, product, session: sessions } = models()
    for (const each of users) await user.create(each)
    const batch = {}
    for (const each of orders) await order.create(each, { batch })
    for (const each of orderLines) await line.create(each, { batch })
    for (const each of products)
      await product.create({ ...each, priceCents: Math.round(each.price * 100) }, { batch })
    await table.batchWrite(batch)
    await sessions.create(session)
  })

  test('the table that it creates has the indexes of the schema', async () => {
    expect(await table.exists()).toBe(true)
    expect(await table.describeTable()).toMatchObject({ Table: { TableStatus: 'ACTIVE', TableName: 'AppTable' } })
    expect(await table.getKeys()).toMatchObject({
      primary: { hash: 'PK', sort: 'SK' },
      GSI4: { hash: 'GSI4PK', sort: 'GSI4SK' },
    })
  })

  test('an item that exists is not created again', async () => {
    const again = models().order.create({ ...followedOrder })
    await expect(again).rejects.toBeInstanceOf(OneTableError)
    await expect(models().order.create({ ...followedOrder })).rejects.toMatchObject({
      code: 'ConditionalCheckFailedException',
    })
  })

  test('a unique email address belongs to one user, also after it changes hands', async () => {
    const { user } = models()
    const carol = { userId: 'u-003', email: alice.email, name: 'Carol', createdAt: '2026-07-01T00:00:00Z' }
    await expect(user.create(carol)).rejects.toMatchObject({ code: 'UniqueError' })
    expect(await user.get({ userId: 'u-003' })).toBeUndefined()
    await user.update({ userId: 'u-002', email: 'robert@example.com' }, { return: 'none' })
    await user.create({ ...carol, email: 'bob@example.com' })
    const owners = await Promise.all(
      ['robert', 'bob'].map((name) => user.get({ email: `${name}@example.com` }, { index: 'GSI1', follow: true })),
    )
    expect(owners.map((owner) => owner?.userId)).toEqual(['u-002', 'u-003'])
  })

  test('profiles, products and sessions are fetched by id, one or many', async () => {
    const { user, product, session: sessions } = models()
    expect(await user.get({ userId: 'u-001' })).toEqual(alice)
    const batch = {}
    await product.get({ productId: 'p-555' }, { batch })
    await sessions.get({ sessionId: 's-9f', userId: 'u-001' }, { batch })
    const found = await table.batchGet(batch, { parse: true })
    expect(found).toHaveLength(2)
    expect(found).toContainEqual(expect.objectContaining({ productId: 'p-555', name: 'Mechanical keyboard' }))
    expect(found).toContainEqual(session)
  })

  test('the orders of a user come newest first, in pages and by month', async () => {
    const { order } = models()
    const all = await order.find({ userId: 'u-001' }, { reverse: true })
    expect(all.map(orderIdOf)).toEqual(shopAnswers.ordersNewestFirst)
    const first = await order.find({ userId: 'u-001' }, { reverse: true, limit: 3 })
    expect(first.map(orderIdOf)).toEqual(shopAnswers.threeMostRecent)
    const rest = await order.find({ userId: 'u-001' }, { reverse: true, next: first.next ?? {} })
    expect(rest.map(orderIdOf)).toEqual(shopAnswers.ordersNewestFirst.slice(3))
    const june = await order.find({ userId: 'u-001', SK: { begins: 'ORDER#2026-06' } })
    expect(june.map(orderIdOf)).toEqual(shopAnswers.ordersOfJune)
  })

  test('one query returns items of several models', async () => {
    const account = await table.fetch(['User', 'Order'], { PK: 'USER#u-001' })
    expect(account['User']).toMatchObject([alice])
    expect(account['Order']).toHaveLength(5)
    const whole = await table.fetch(['Order', 'OrderItem'], { GSI1PK: 'ORDER#o-789' }, { index: 'GSI1' })
    expect(whole['Order']).toMatchObject([followedOrder])
    expect(whole['OrderItem']?.map((line) => line['productId'])).toEqual(shopAnswers.linesOfOrder)
  })

  test('a user is found by email', async () => {
    expect(await models().user.find({ email: 'alice@example.com' }, { index: 'GSI1' })).toEqual([alice])
  })

  test('open orders are listed from an index that includes some attributes', async () => {
    const open = await models().order.find({ status: 'open' }, { index: 'GSI2' })
    expect(open.map(({ total }) => total)).toEqual([149.99, 1299, 159.48])
  })

  test('products of a category come by price, and within a range of prices', async () => {
    const { product } = models()
    const all = await product.find({ category: 'electronics' }, { index: 'GSI3' })
    expect(all.map(({ price }) => price)).toEqual([9.5, 74.99, 149.99, 1299])
    const GSI3SK = { between: ['PRICE#000005000', 'PRICE#000015000'] as [string, string] }
    const some = await product.find({ category: 'electronics', GSI3SK }, { index: 'GSI3' })
    expect(some.map(({ price }) => price)).toEqual([74.99, 149.99])
  })

  test('an order is switched on and off in the sparse index', async () => {
    const { order } = models()
    // What the index does not hold is read from the table: OneTable follows the keys.
    const active = async () =>
      (await order.find({ activity: 'packing' }, { index: 'GSI4', follow: true })).map(orderIdOf)
    expect(await active()).toEqual([])
    await order.update({ ...orderKey, activity: 'packing' })
    expect(await active()).toEqual(['o-789'])
    await order.update(orderKey, { remove: ['activity', 'GSI4PK', 'GSI4SK'] })
    expect(await active()).toEqual([])
  })

  test('a transaction moves an order and its stock together, or neither, and says which part failed', async () => {
    const { order, product } = models()
    const ship = async (quantity: number): Promise<void> => {
      const transaction = {}
      await order.update({ ...orderKey, status: 'shipped' }, { transaction, where: '${status} = {open}' })
      await product.update(
        { productId: 'p-557' },
        { transaction, add: { stock: -quantity }, where: '${stock} >= @{quantity}', substitutions: { quantity } },
      )
      await table.transact('write', transaction)
    }
    await expect(ship(9)).rejects.toMatchObject({
      code: 'TransactionCanceledException',
      context: { err: { CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }] } },
    })
    expect(await order.get(orderKey)).toMatchObject({ status: 'open' })
    await ship(8)
    const transaction = {}
    await order.get(orderKey, { transaction })
    await product.get({ productId: 'p-557' }, { transaction })
    const read: unknown = await table.transact('get', transaction, { parse: true })
    expect(read).toMatchObject([{ status: 'shipped' }, { stock: 0 }])
    expect(await order.find({ status: 'open' }, { index: 'GSI2' })).toHaveLength(2)
  })

  test('optimistic locking loses no change under contention', async () => {
    const { order } = models()
    const before = (await order.get(orderKey))?.total ?? 0
    const increment = async (): Promise<boolean> => {
      const { version = 0, total = 0 } = (await order.get(orderKey, { consistent: true })) ?? {}
      try {
        const change = { ...orderKey, total: total + 1, version: version + 1 }
        await order.update(change, { where: '${version} = @{read}', substitutions: { read: version } })
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: 'ConditionalCheckFailedException' })
        return false
      }
    }
    const work = async (): Promise<void> => {
      for (let done = 0; done < contention.incrementsEach;) if (await increment()) done += 1
    }
    await Promise.all(Array.from({ length: contention.workers }, work))
    const total = contention.workers * contention.incrementsEach
    const after = await order.get(orderKey)
    expect(after?.version).toBe(total)
    expect(after?.total).toBeCloseTo(before + total)
  })

  test('items are removed, one or many', async () => {
    const { line, session: sessions } = models()
    expect(await sessions.remove({ sessionId: 's-9f', userId: 'u-001' })).toEqual(session)
    await line.remove({ orderId: 'o-789' }, { many: true })
    expect(await line.find({ orderId: 'o-789' })).toEqual([])
  })

  test('the table is deleted', async () => {
    await table.deleteTable('DeleteTableForever')
    await expect.poll(() => table.exists()).toBe(false)
  })
})

function orderIdOf({ orderId }: { orderId: string }): string {
  return orderId
}
