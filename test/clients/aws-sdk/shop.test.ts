import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  paginateScan,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import type { PlainItem } from '../domains/plain-item.ts'
import {
  followedOrder,
  orderItem,
  orderKey,
  priceKey,
  productItem,
  productOf,
  session,
  shopAnswers,
  shopItems,
  shopTable,
  userItem,
  users,
} from '../domains/shop.ts'
import { describeOnSdk } from './describe-on-sdk.ts'

const { TableName } = shopTable

describeOnSdk('A shop', ({ sdk, plain }) => {
  const [alice] = users

  test('its table is created with four indexes and becomes active', async () => {
    await sdk().send(new CreateTableCommand(shopTable))
    await waitUntilTableExists({ client: sdk(), maxWaitTime: 20, minDelay: 1 }, { TableName })
    const { Table } = await sdk().send(new DescribeTableCommand({ TableName }))
    expect(Table?.TableStatus).toBe('ACTIVE')
    const indexes = Table?.GlobalSecondaryIndexes?.map((index) => [index.IndexName, index.IndexStatus])
    expect(indexes?.toSorted()).toEqual(['GSI1', 'GSI2', 'GSI3', 'GSI4'].map((name) => [name, 'ACTIVE']))
  })

  test('its items are written in batches of 25 at most', async () => {
    const items = shopItems()
    for (let start = 0; start < items.length; start += 25) {
      const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }))
      await plain().batchWrite({ RequestItems: { [TableName]: puts } })
    }
    let scanned = 0
    for await (const page of paginateScan({ client: sdk(), pageSize: 7 }, { TableName })) {
      scanned += page.Items?.length ?? 0
    }
    expect(scanned).toBe(items.length)
  })

  describe('its readers', () => {
    test('get a profile by user id', async () => {
      expect(await plain().get({ TableName, Key: { PK: 'USER#u-001', SK: 'PROFILE' } })).toEqual(userItem(alice))
    })

    test('get a product by id, and a session', async () => {
      const keys = [
        { PK: 'PRODUCT#p-555', SK: 'METADATA' },
        { PK: `SESSION#${session.sessionId}`, SK: session.userId },
      ]
      const found = (await plain().batchGet({ RequestItems: { [TableName]: { Keys: keys } } }))[TableName]
      expect(found).toHaveLength(2)
      expect(found).toContainEqual(productItem(productOf('p-555')))
      expect(found).toContainEqual(expect.objectContaining(session))
    })

    test('list the orders of a user, newest first', async () => {
      const { items } = await plain().query({ ...ordersOf('u-001'), ScanIndexForward: false })
      expect(items.map((item) => item['orderId'])).toEqual(shopAnswers.ordersNewestFirst)
    })

    test('list the three most recent orders, and page on from there', async () => {
      const newestFirst = { ...ordersOf('u-001'), ScanIndexForward: false, Limit: 3 }
      const first = await plain().query(newestFirst)
      expect(first.items.map((item) => item['orderId'])).toEqual(shopAnswers.threeMostRecent)
      const second = await plain().query({ ...newestFirst, ExclusiveStartKey: first.next })
      expect(second.items.map((item) => item['orderId'])).toEqual(shopAnswers.ordersNewestFirst.slice(3))
      expect(second.next).toBeUndefined()
    })

    test('list the orders of one month by the prefix of their sort key', async () => {
      const { items } = await plain().query(ordersOf('u-001', 'ORDER#2026-06'))
      expect(items.map((item) => item['orderId'])).toEqual(shopAnswers.ordersOfJune)
    })

    test('read a profile and its orders in one query', async () => {
      const { items } = await plain().query({
        TableName,
        KeyConditionExpression: 'PK = :user',
        ExpressionAttributeValues: { ':user': 'USER#u-001' },
        ScanIndexForward: false,
      })
      expect(items.map((item) => item['EntityType'])).toEqual(['User', ...Array<string>(5).fill('Order')])
    })

    test('read the lines of an order, and the order with its lines in one query', async () => {
      const lines = await plain().query({
        TableName,
        KeyConditionExpression: 'PK = :order AND begins_with(SK, :line)',
        ExpressionAttributeValues: { ':order': 'ORDER#o-789', ':line': 'ITEM#' },
      })
      expect(lines.items.map((item) => item['productId'])).toEqual(shopAnswers.linesOfOrder)
      const whole = await plain().query({
        TableName,
        IndexName: 'GSI1',
        KeyConditionExpression: 'GSI1PK = :order',
        ExpressionAttributeValues: { ':order': 'ORDER#o-789' },
      })
      expect(whole.items.map((item) => item['EntityType'])).toEqual(['OrderItem', 'OrderItem', 'Order'])
    })

    test('find a user by email', async () => {
      const { items } = await plain().query({
        TableName,
        IndexName: 'GSI1',
        KeyConditionExpression: 'GSI1PK = :email',
        ExpressionAttributeValues: { ':email': 'EMAIL#alice@example.com' },
      })
      expect(items).toEqual([userItem(alice)])
    })

    test('list all open orders with what their index includes, and nothing else', async () => {
      const { items } = await plain().query(withStatus('open'))
      expect(items.map((item) => String(item['SK']).split('#')[2])).toEqual(shopAnswers.openOrdersOldestFirst)
      const { EntityType: _, orderId: __, GSI1PK: ___, GSI1SK: ____, ...projected } = orderItem(followedOrder)
      expect(items.at(-1)).toEqual(projected)
    })

    test('list the products of a category by price, and within a range of prices', async () => {
      const category = { ':category': 'CATEGORY#electronics' }
      const all = await plain().query({
        TableName,
        IndexName: 'GSI3',
        KeyConditionExpression: 'GSI3PK = :category',
        ExpressionAttributeValues: category,
      })
      expect(all.items.map(productIdOf)).toEqual(shopAnswers.electronicsByPrice)
      expect(all.items[1]).toMatchObject({ name: 'Mechanical keyboard', price: 74.99 })
      expect(all.items[1]).not.toHaveProperty('stock')
      const some = await plain().query({
        TableName,
        IndexName: 'GSI3',
        KeyConditionExpression: 'GSI3PK = :category AND GSI3SK BETWEEN :low AND :high',
        ExpressionAttributeValues: { ...category, ':low': priceKey(50), ':high': `${priceKey(150)}\u00ff` },
      })
      expect(some.items.map(productIdOf)).toEqual(shopAnswers.electronicsFrom50To150)
    })
  })

  describe('its writers', () => {
    const Key = orderKey(followedOrder)
    const active = {
      TableName,
      IndexName: 'GSI4',
      KeyConditionExpression: 'GSI4PK = :active',
      ExpressionAttributeValues: { ':active': 'ACTIVE_ORDER' },
    }

    test('switch an order on and off in the sparse index', async () => {
      expect((await plain().query(active)).items).toEqual([])
      await plain().update({
        TableName,
        Key,
        UpdateExpression: 'SET GSI4PK = :pk, GSI4SK = :sk',
        ExpressionAttributeValues: { ':pk': 'ACTIVE_ORDER', ':sk': followedOrder.createdAt },
      })
      const on = { ...Key, GSI4PK: 'ACTIVE_ORDER', GSI4SK: followedOrder.createdAt }
      expect((await plain().query(active)).items).toEqual([on])
      const left = await plain().update({
        TableName,
        Key,
        UpdateExpression: 'REMOVE GSI4PK, GSI4SK',
        ReturnValues: 'ALL_NEW',
      })
      expect(left).toEqual(orderItem(followedOrder))
      expect((await plain().query(active)).items).toEqual([])
    })

    test('move an order to another status, and with it to another place in the index', async () => {
      const changed = await plain().update({
        TableName,
        Key,
        UpdateExpression: 'SET #status = :shipped, GSI2PK = :gsi2pk',
        ConditionExpression: '#status = :open',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':shipped': 'shipped', ':open': 'open', ':gsi2pk': 'STATUS#shipped' },
        ReturnValues: 'UPDATED_OLD',
      })
      expect(changed).toEqual({ status: 'open', GSI2PK: 'STATUS#open' })
      expect((await plain().query(withStatus('open'))).items).toHaveLength(2)
      expect((await plain().query(withStatus('shipped'))).items.map((item) => item['total'])).toEqual([
        159.48, 74.99,
      ])
    })

    test('remove a session and are told what it was', async () => {
      const removed = await plain().delete({
        TableName,
        Key: { PK: `SESSION#${session.sessionId}`, SK: session.userId },
        ConditionExpression: 'expiresAt > :now',
        ExpressionAttributeValues: { ':now': 1_700_000_000 },
        ReturnValues: 'ALL_OLD',
      })
      expect(removed).toMatchObject(session)
    })
  })

  test('its table is deleted', async () => {
    await sdk().send(new DeleteTableCommand({ TableName }))
    await waitUntilTableNotExists({ client: sdk(), maxWaitTime: 20, minDelay: 1 }, { TableName })
    await expect(plain().get({ TableName, Key: { PK: 'USER#u-001', SK: 'PROFILE' } })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
  })
})

function ordersOf(userId: string, prefix = 'ORDER#') {
  return {
    TableName,
    KeyConditionExpression: 'PK = :user AND begins_with(SK, :prefix)',
    ExpressionAttributeValues: { ':user': `USER#${userId}`, ':prefix': prefix },
  }
}

function withStatus(status: string) {
  return {
    TableName,
    IndexName: 'GSI2',
    KeyConditionExpression: 'GSI2PK = :status',
    ExpressionAttributeValues: { ':status': `STATUS#${status}` },
  }
}

function productIdOf(item: PlainItem): string | undefined {
  return String(item['PK']).split('#')[1]
}
