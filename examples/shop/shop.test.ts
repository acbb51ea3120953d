import { add, atLeast, exists, subtract, type Client } from '@hashrange/model'
import { expect, test } from 'vitest'
import { describeOnEach } from '../testing/describe-on-each.ts'
import { shop } from './shop.model.ts'

type Db = Client<typeof shop>

const asha = { email: 'asha@example.com', name: 'Asha' }
const shipTo = { street: '12 Long Lane', city: 'Wellington', code: '6011' }
const hourMs = 3_600_000

/** Some item of a result that has one. */
function some<T>(item: T | undefined): T {
  if (item === undefined) throw new Error('There is none.')
  return item
}

async function makeProduct(db: Db, name: string, price: number, stock = 10) {
  const { item } = await db.saveProduct({
    name,
    price,
    stock,
    category: 'keyboards',
    imageUrl: `s3://pictures/${name}`,
    description: `${name}, in black.`,
    tags: ['new'],
  })
  return item
}

type Product = Awaited<ReturnType<typeof makeProduct>>

/** Takes the stock and writes the order with its items and its first event, or does nothing. A repetition with the same
 *  token must be the same transaction: what defaults would draw at random is given. */
async function checkOut(db: Db, order: OrderInput, basket: readonly (readonly [Product, number])[]): Promise<void> {
  const { customerId, orderId, placedAt, statusShard } = order
  const total = basket.reduce((sum, [{ price }, quantity]) => sum + Math.round(price * 100) * quantity, 0)
  await db.checkout(
    (t) => [
      t.Customer.check({ customerId }, { email: exists() }),
      t.Order.create({ customerId, orderId, placedAt, statusShard, total, shipTo }),
      t.OrderEvent.create({ orderId, eventId: orderId, at: placedAt, status: 'pending', by: 'web' }),
      ...basket.flatMap(([{ productId, name, price }, quantity]) => [
        t.OrderItem.create({ orderId, productId, name, unitPrice: Math.round(price * 100), quantity, placedAt }),
        t.Product.update({ productId }, { stock: subtract(quantity) }, { if: { stock: atLeast(quantity) } }),
      ]),
    ],
    { token: orderId },
  )
}

interface OrderInput {
  readonly customerId: string
  readonly orderId: string
  readonly placedAt: string
  readonly statusShard: number
}

function orderOf(customerId: string, n: number): OrderInput {
  const placedAt = `2026-06-${String(n).padStart(2, '0')}T10:00:00.000Z`
  return { customerId, orderId: `01J${String(n).padStart(23, '0')}`, placedAt, statusShard: n % 10 }
}

describeOnEach(shop, (openModel) => {
  test('a customer registers once for each address, however it is spelt', async () => {
    const { db, client } = await openModel()
    const { item } = await db.register(asha)
    expect(item).toMatchObject({ ...asha, createdAt: '2026-06-15T12:00:00Z', version: 1 })
    const again = db.register({ email: ' Asha@Example.com', name: 'Another' })
    await expect(again).rejects.toMatchObject({ code: 'NOT_UNIQUE', attribute: 'email' })
    expect((await db.customerByEmail({ email: 'ASHA@example.com' })).item).toEqual(item)
    expect((await db.getCustomer({ customerId: item.customerId })).cost).toMatchObject({
      requests: 1,
      readUnits: 0.5,
    })

    await db.changeEmail({ customerId: item.customerId }, (customer) => ({ ...customer, email: 'a@example.com' }))
    expect((await db.customerByEmail(asha)).item).toBeUndefined()
    await db.register(asha)
    const { Items = [] } = await client.scan({ TableName: 'shop' })
    expect(Items.map(({ EntityType }) => String(EntityType?.S)).toSorted()).toEqual([
      'Customer',
      'Customer',
      'Customer.email',
      'Customer.email',
    ])
  })

  test('two writers of one customer notice each other', async () => {
    const { db } = await openModel()
    const { customerId, version } = (await db.register(asha)).item
    await db.Customer.update({ customerId }, { name: 'Asha R.' }, { version })
    const stale = db.Customer.update({ customerId }, { name: 'A. R.' }, { version })
    await expect(stale).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('a customer and the newest orders are one query, as is all there is about a customer', async () => {
    const { db } = await openModel()
    const { customerId } = (await db.register(asha)).item
    await db.saveAddress({ customerId, use: 'shipping', ...shipTo })
    await db.saveAddress({ customerId, use: 'billing', ...shipTo, code: '6012' })
    const product = await makeProduct(db, 'Board', 74.99, 100)
    for (let n = 1; n <= 8; n++) await checkOut(db, orderOf(customerId, n), [[product, n]])

    const { items, cost, entries } = await db.homePage({ customerId })
    expect(items.Customer[0]?.name).toBe('Asha')
    expect(items.Order.map(({ placedAt }) => placedAt.slice(8, 10))).toEqual(['08', '07', '06', '05', '04'])
    expect(entries.map(({ entity }) => entity)).toEqual(['Customer', ...Array<string>(5).fill('Order')])
    expect(cost.requests).toBe(1)

    const all = await db.customerRecord({ customerId })
    expect(all.items.Address).toHaveLength(2)
    expect(all.items.Order).toHaveLength(8)
    expect((await db.addresses({ customerId })).items.Address.map(({ use }) => use)).toEqual([
      'billing',
      'shipping',
    ])
  })

  test('orders of a customer come newest first, by period, page by page, and by their total', async () => {
    const { db } = await openModel()
    const { customerId } = (await db.register(asha)).item
    const product = await makeProduct(db, 'Board', 74.99, 1000)
    for (let n = 1; n <= 9; n++) await checkOut(db, orderOf(customerId, n), [[product, ((n * 4) % 9) + 1]])

    const first = await db.ordersOfCustomer({ customerId }, { limit: 4 })
    const second = await db.ordersOfCustomer({ customerId }, { limit: 4, cursor: first.cursor })
    const days = [...first.items.Order, ...second.items.Order].map(({ placedAt }) => placedAt.slice(8, 10))
    expect(days).toEqual(['09', '08', '07', '06', '05', '04', '03', '02'])
    const week = await db.ordersOfCustomer({ customerId, placedAt: { from: '2026-06-02', to: '2026-06-04' } })
    expect(week.items.Order.map(({ placedAt }) => placedAt.slice(8, 10))).toEqual(['04', '03', '02'])

    const { items } = await db.largestOrders({ customerId }, { limit: 3 })
    expect(items.Order.map(({ total }) => total)).toEqual([9 * 7499, 8 * 7499, 7 * 7499])
    const small = await db.largestOrders({ customerId, total: { to: 2 * 7499 } })
    expect(small.items.Order.map(({ total }) => total)).toEqual([2 * 7499, 7499])
  })

  test('checkout takes the stock, or does nothing; a repetition does nothing more', async () => {
    const { db } = await openModel()
    const { customerId } = (await db.register(asha)).item
    const board = await makeProduct(db, 'Board', 74.99, 5)
    const mouse = await makeProduct(db, 'Mouse', 20, 1)
    const order = orderOf(customerId, 1)
    await checkOut(db, order, [
      [board, 2],
      [mouse, 1],
    ])
    await checkOut(db, order, [
      [board, 2],
      [mouse, 1],
    ])
    expect((await db.getProduct(board)).item?.stock).toBe(3)

    const tooMany = checkOut(db, orderOf(customerId, 2), [
      [board, 1],
      [mouse, 1],
    ])
    await expect(tooMany).rejects.toMatchObject({ code: 'CONDITION_FAILED', entity: 'Product' })
    expect((await db.getProduct(board)).item?.stock).toBe(3)
    await db.restock(mouse, { stock: add(4) })
    expect((await db.getProduct(mouse)).item?.stock).toBe(4)

    const page = await db.orderWithItems({ orderId: order.orderId })
    expect(page.cost.requests).toBe(1)
    expect(page.items.Order[0]?.total).toBe(2 * 7499 + 2000)
    expect(page.items.OrderItem.map(({ name, quantity }) => `${quantity} ${name}`).toSorted()).toEqual([
      '1 Mouse',
      '2 Board',
    ])
    expect((await db.itemsOfOrder({ orderId: order.orderId })).items.OrderItem).toEqual(page.items.OrderItem)
    const bought = await db.ordersOfProduct({ productId: mouse.productId, placedAt: { from: '2026-06' } })
    expect(bought.items.OrderItem).toEqual([{ ...some(page.items.OrderItem.find(({ name }) => name === 'Mouse')) }])
  })

  test('an order is in the index of active ones exactly while it is active', async () => {
    const { db, client, advance } = await openModel()
    const { customerId } = (await db.register(asha)).item
    const product = await makeProduct(db, 'Board', 74.99, 1000)
    const orders = Array.from({ length: 12 }, (_, n) => orderOf(customerId, n + 1))
    for (const order of orders) await checkOut(db, order, [[product, 1]])
    const moveOn = async ({ customerId, placedAt, orderId }: OrderInput, status: 'processing' | 'shipped') => {
      await advance(hourMs)
      await db.advanceOrder((t) => [
        t.Order.update({ customerId, placedAt, orderId }, { status }),
        t.OrderEvent.create({ orderId, status, by: 'warehouse' }),
      ])
    }
    for (const order of orders.slice(0, 6)) await moveOn(order, 'processing')
    for (const order of orders.slice(0, 3)) await moveOn(order, 'shipped')

    const active = await db.activeOrders({}, { limit: 20 })
    expect(active.items.Order.map(({ orderId }) => orderId)).toEqual(orders.slice(3).map(({ orderId }) => orderId))
    expect(active.items.Order.map(({ status }) => status)).toEqual([
      ...Array<string>(3).fill('processing'),
      ...Array<string>(6).fill('pending'),
    ])
    expect(active.cost.requests).toBe(4)
    const { Count } = await client.scan({ TableName: 'shop', IndexName: 'active' })
    expect(Count).toBe(9)

    const shipped = await db.ordersByStatus({ status: 'shipped' })
    expect(shipped.items.Order.map(({ placedAt }) => placedAt.slice(8, 10))).toEqual(['03', '02', '01'])
    const pending = await db.ordersByStatus({ status: 'pending', placedAt: { from: '2026-06-10' } })
    expect(pending.items.Order).toHaveLength(3)
    const [first, , , , , , last] = orders
    const cancel = (order = some(last)) =>
      db.cancelOrder(order, { status: 'cancelled' }, { if: { status: 'pending' } })
    expect((await cancel()).cost).toEqual({ requests: 1, readUnits: 0, writeUnits: 5 })
    await expect(cancel(some(first))).rejects.toMatchObject({
      code: 'CONDITION_FAILED',
      item: { status: 'shipped' },
    })
    expect((await client.scan({ TableName: 'shop', IndexName: 'active' })).Count).toBe(8)

    const { items } = await db.eventsOfOrder({ orderId: some(first).orderId })
    expect(items.OrderEvent.map(({ status }) => status)).toEqual(['shipped', 'processing', 'pending'])
  })

  test('products of a category come by price, as numbers and not as text', async () => {
    const { db } = await openModel()
    for (const price of [149.99, 9.5, 74.99, 1000, 100]) await makeProduct(db, `At ${price}`, price)
    const { items } = await db.productsByPrice({ category: 'keyboards', price: { from: 10, to: 1000 } })
    expect(items.Product.map(({ price }) => price)).toEqual([74.99, 100, 149.99, 1000])
    // What the index copies is what the type has; the description is not among it.
    expect(items.Product[0]).toEqual({
      productId: items.Product[0]?.productId,
      category: 'keyboards',
      price: 74.99,
      name: 'At 74.99',
      imageUrl: 's3://pictures/At 74.99',
    })
    const cart = await db.productsInCart({ Product: items.Product.map(({ productId }) => ({ productId })) })
    expect(cart.items.Product.map((product) => product?.price)).toEqual([74.99, 100, 149.99, 1000])
    expect(cart.cost.requests).toBe(1)
  })

  test('views of a popular product are counted in ten places and read together', async () => {
    const { db } = await openModel()
    const { productId } = await makeProduct(db, 'Board', 74.99)
    const shards = Array.from({ length: 10 }, (_, shard) => shard)
    await db.batchWrite((b) => shards.map((shard) => b.ViewCount.put({ productId, shard })))
    for (let n = 0; n < 25; n++) await db.countView({ productId, shard: (n * 7) % 10 }, { views: add(1) })
    const { items } = await db.viewsOfProduct({ productId })
    expect(items.ViewCount).toHaveLength(10)
    expect(items.ViewCount.reduce((sum, { views }) => sum + views, 0)).toBe(25)
  })

  test('a session is gone when its time is over', async () => {
    const { db, advance } = await openModel()
    const { customerId } = (await db.register(asha)).item
    const sessionId = '6f1c2e0a-8a55-4f0e-9f3a-2f2f0c3d1b11'
    const { expiresAt } = (await db.signIn({ sessionId, customerId })).item
    expect(expiresAt).toBe(Date.parse('2026-06-16T12:00:00Z') / 1000)
    expect((await db.getSession({ sessionId })).item?.customerId).toBe(customerId)
    await advance(25 * hourMs)
    expect((await db.getSession({ sessionId })).item).toBeUndefined()

    await db.signIn({ sessionId, customerId })
    expect((await db.signOut({ sessionId })).item?.customerId).toBe(customerId)
    expect((await db.getSession({ sessionId })).item).toBeUndefined()
  })
})
