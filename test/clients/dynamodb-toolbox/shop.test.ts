import { ConditionalCheckFailedException, CreateTableCommand } from '@aws-sdk/client-dynamodb'
import {
  $get,
  $remove,
  $subtract,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  DeleteItemCommand,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  GetItemCommand,
  GetTransaction,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  UpdateTransaction,
} from 'dynamodb-toolbox'
import { beforeAll, expect, test } from 'vitest'
import { describeOnTargets } from '../../support/targets.ts'
import { contention } from '../domains/payments.ts'
import {
  followedOrder,
  orderLines,
  orders,
  priceKey,
  productOf,
  products,
  session,
  shopAnswers,
  shopTable,
  users,
} from '../domains/shop.ts'
import { shopEntities } from './shop-entities.ts'

describeOnTargets('A shop through DynamoDB-Toolbox', (target) => {
  const [alice] = users
  const orderKey = { userId: 'u-001', createdAt: followedOrder.createdAt, orderId: followedOrder.orderId }
  let shop: ReturnType<typeof shopEntities>

  beforeAll(async () => {
    const client = target.client()
    await client.send(new CreateTableCommand(shopTable))
    shop = shopEntities(client, shopTable.TableName)
    for (const user of users) await shop.user.build(PutItemCommand).item(user).send()
    const batch = shop.table
      .build(BatchWriteCommand)
      .requests(
        ...orders.map((order) => shop.order.build(BatchPutRequest).item(order)),
        ...orderLines.map((line) => shop.line.build(BatchPutRequest).item(line)),
        ...products.map((product) => shop.product.build(BatchPutRequest).item(product)),
      )
    await executeBatchWrite(batch)
    await shop.session.build(PutItemCommand).item(session).send()
  })

  const openOrders = async () => {
    const query = shop.table.build(QueryCommand).query({ index: 'GSI2', partition: 'STATUS#open' })
    return (await query.send()).Items ?? []
  }

  test('an item that exists is not put again under its condition', async () => {
    const put = shop.user
      .build(PutItemCommand)
      .item(alice)
      .options({ condition: { attr: 'userId', exists: false } })
    await expect(put.send()).rejects.toBeInstanceOf(ConditionalCheckFailedException)
  })

  test('profiles, products and sessions are fetched by id, one or many', async () => {
    expect((await shop.user.build(GetItemCommand).key({ userId: 'u-001' }).send()).Item).toEqual(alice)
    const found = await executeBatchGet(
      shop.table
        .build(BatchGetCommand)
        .requests(
          shop.product.build(BatchGetRequest).key({ productId: 'p-555' }),
          shop.session.build(BatchGetRequest).key({ sessionId: 's-9f', userId: 'u-001' }),
          shop.product.build(BatchGetRequest).key({ productId: 'p-000' }),
        ),
    )
    expect(found.Responses).toEqual([[productOf('p-555'), session, undefined]])
  })

  test('the orders of a user come newest first, in pages and by month', async () => {
    const ordersFrom = (prefix: string) =>
      shop.table
        .build(QueryCommand)
        .query({ partition: 'USER#u-001', range: { beginsWith: prefix } })
        .entities(shop.order)
    const all = await ordersFrom('ORDER#').options({ reverse: true }).send()
    expect(all.Items?.map(orderIdOf)).toEqual(shopAnswers.ordersNewestFirst)
    const first = await ordersFrom('ORDER#').options({ reverse: true, limit: 3 }).send()
    expect(first.Items?.map(orderIdOf)).toEqual(shopAnswers.threeMostRecent)
    const exclusiveStartKey = first.LastEvaluatedKey ?? {}
    const rest = await ordersFrom('ORDER#').options({ reverse: true, exclusiveStartKey }).send()
    expect(rest.Items?.map(orderIdOf)).toEqual(shopAnswers.ordersNewestFirst.slice(3))
    const june = await ordersFrom('ORDER#2026-06').send()
    expect(june.Items?.map(orderIdOf)).toEqual(shopAnswers.ordersOfJune)
  })

  test('one query returns entities of several kinds', async () => {
    const account = await shop.table
      .build(QueryCommand)
      .query({ partition: 'USER#u-001' })
      .entities(shop.user, shop.order)
      .options({ reverse: true, showEntityAttr: true })
      .send()
    expect(account.Items?.map(({ entity }) => entity)).toEqual(['User', ...Array<string>(5).fill('Order')])
    const whole = await shop.table
      .build(QueryCommand)
      .query({ index: 'GSI1', partition: 'ORDER#o-789' })
      .entities(shop.order, shop.line)
      .options({ showEntityAttr: true })
      .send()
    expect(whole.Items?.map(({ entity }) => entity)).toEqual(['OrderItem', 'OrderItem', 'Order'])
  })

  test('a user is found by email', async () => {
    const byEmail = { index: 'GSI1', partition: 'EMAIL#alice@example.com' } as const
    const found = await shop.table.build(QueryCommand).query(byEmail).entities(shop.user).send()
    expect(found.Items).toEqual([alice])
  })

  test('open orders are listed from an index that includes some attributes', async () => {
    expect((await openOrders()).map((order) => order['total'])).toEqual([149.99, 1299, 159.48])
  })

  test('products of a category come by price, and within a range of prices', async () => {
    const electronics = { index: 'GSI3', partition: 'CATEGORY#electronics' } as const
    const all = await shop.table.build(QueryCommand).query(electronics).send()
    expect(all.Items?.map((item) => item['name'])).toEqual(
      shopAnswers.electronicsByPrice.map((id) => productOf(id).name),
    )
    const between: [string, string] = [priceKey(50), `${priceKey(150)}\u00ff`]
    const some = await shop.table
      .build(QueryCommand)
      .query({ ...electronics, range: { between } })
      .send()
    expect(some.Items?.map((item) => item['price'])).toEqual([74.99, 149.99])
  })

  test('an order is switched on and off in the sparse index', async () => {
    const active = async (): Promise<unknown[]> => {
      const query = shop.table.build(QueryCommand).query({ index: 'GSI4', partition: 'ACTIVE_ORDER' })
      return ((await query.send()).Items ?? []).map((item) => item['SK'])
    }
    expect(await active()).toEqual([])
    const on = { ...orderKey, GSI4PK: 'ACTIVE_ORDER', GSI4SK: orderKey.createdAt }
    await shop.order.build(UpdateItemCommand).item(on).send()
    expect(await active()).toEqual([`ORDER#${orderKey.createdAt}#o-789`])
    await shop.order
      .build(UpdateItemCommand)
      .item({ ...orderKey, GSI4PK: $remove(), GSI4SK: $remove() })
      .send()
    expect(await active()).toEqual([])
  })

  test('a transaction moves an order and its stock together, or neither, and says which part failed', async () => {
    const ship = (quantity: number) =>
      executeTransactWrite(
        shop.order
          .build(UpdateTransaction)
          .item({ ...orderKey, status: 'shipped' })
          .options({ condition: { attr: 'status', eq: 'open' } }),
        shop.product
          .build(UpdateTransaction)
          .item({ productId: 'p-557', stock: $subtract($get('stock'), quantity) })
          .options({ condition: { attr: 'stock', gte: quantity } }),
      )
    await expect(ship(9)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    await ship(8)
    const { Responses } = await executeTransactGet(
      shop.order.build(GetTransaction).key(orderKey),
      shop.product.build(GetTransaction).key({ productId: 'p-557' }),
    )
    expect(Responses).toMatchObject([{ Item: { status: 'shipped' } }, { Item: { stock: 0 } }])
    expect(await openOrders()).toHaveLength(2)
  })

  test('optimistic locking loses no change under contention', async () => {
    const read = async () =>
      (await shop.order.build(GetItemCommand).key(orderKey).options({ consistent: true }).send()).Item
    const before = (await read())?.total ?? 0
    const increment = async (): Promise<boolean> => {
      const { version = 0, total = 0 } = (await read()) ?? {}
      try {
        await shop.order
          .build(UpdateItemCommand)
          .item({ ...orderKey, total: total + 1, version: version + 1 })
          .options({ condition: { attr: 'version', eq: version } })
          .send()
        return true
      } catch (error) {
        expect(error).toBeInstanceOf(ConditionalCheckFailedException)
        return false
      }
    }
    const work = async (): Promise<void> => {
      for (let done = 0; done < contention.incrementsEach;) if (await increment()) done += 1
    }
    await Promise.all(Array.from({ length: contention.workers }, work))
    const total = contention.workers * contention.incrementsEach
    const after = await read()
    expect(after?.version).toBe(total)
    expect(after?.total).toBeCloseTo(before + total)
  })

  test('items are deleted, one or many', async () => {
    const removal = shop.session.build(DeleteItemCommand).key({ sessionId: 's-9f', userId: 'u-001' })
    expect((await removal.options({ returnValues: 'ALL_OLD' }).send()).Attributes).toEqual(session)
    const deletions = orderLines.map((line) => shop.line.build(BatchDeleteRequest).key(line))
    await executeBatchWrite(shop.table.build(BatchWriteCommand).requests(...deletions))
    const left = await shop.table.build(QueryCommand).query({ partition: 'ORDER#o-789' }).entities(shop.line).send()
    expect(left.Items).toEqual([])
  })
})

function orderIdOf({ orderId }: { orderId: string }): string {
  return orderId
}
