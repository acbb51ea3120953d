import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { beforeAll, expect, test } from 'vitest'
import { needsAwsCli } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'
import {
  followedOrder,
  orderItem,
  orderKey,
  priceKey,
  shopAnswers,
  shopItems,
  shopTable,
  userItem,
  users,
} from '../domains/shop.ts'
import { awsCommand, type Option } from './aws-command.ts'
import { typedItems } from './typed-items.ts'

const TableName = shopTable.TableName

describeIf(needsAwsCli, 'A shop through the AWS command line', () => {
  const dynamodb = awsCommand(servedDatabase().endpoint)

  /** `aws dynamodb query`, with plain values for the condition's placeholders. */
  const query = async (condition: string, values: Record<string, string>, options: Record<string, Option> = {}) => {
    const answer = await dynamodb('query', {
      'table-name': TableName,
      'key-condition-expression': condition,
      'expression-attribute-values': marshall(values),
      ...options,
    })
    return typedItems(answer['Items']).map((item) => unmarshall(item))
  }

  const inIndex = (name: string, pk: string) => query(`${name}PK = :pk`, { ':pk': pk }, { 'index-name': name })

  beforeAll(async () => {
    const created = await dynamodb('create-table', {
      'table-name': TableName,
      'billing-mode': 'PAY_PER_REQUEST',
      'key-schema': shopTable.KeySchema,
      'attribute-definitions': shopTable.AttributeDefinitions,
      'global-secondary-indexes': shopTable.GlobalSecondaryIndexes,
    })
    expect(created).toMatchObject({ TableDescription: { TableName, TableStatus: 'CREATING' } })
    await dynamodb('wait table-exists', { 'table-name': TableName })
    const puts = shopItems().map((item) => ({ PutRequest: { Item: marshall(item) } }))
    for (let start = 0; start < puts.length; start += 25) {
      const answer = await dynamodb('batch-write-item', {
        'request-items': { [TableName]: puts.slice(start, start + 25) },
      })
      expect(answer['UnprocessedItems']).toEqual({})
    }
  })

  test('the table is listed and described', async () => {
    const [listed, described] = await Promise.all([
      dynamodb('list-tables'),
      dynamodb('describe-table', { 'table-name': TableName }),
    ])
    expect(listed).toEqual({ TableNames: [TableName] })
    expect(described).toMatchObject({ Table: { TableStatus: 'ACTIVE', KeySchema: shopTable.KeySchema } })
  })

  test('items are fetched by their keys', async () => {
    const profile = marshall({ PK: 'USER#u-001', SK: 'PROFILE' })
    const Keys = [marshall({ PK: 'PRODUCT#p-555', SK: 'METADATA' }), profile]
    const [one, many] = await Promise.all([
      dynamodb('get-item', { 'table-name': TableName, key: profile, 'consistent-read': true }),
      dynamodb('batch-get-item', { 'request-items': { [TableName]: { Keys } } }),
    ])
    expect(one).toEqual({ Item: marshall(userItem(users[0])) })
    expect(many).toMatchObject({ Responses: { [TableName]: { length: 2 } }, UnprocessedKeys: {} })
  })

  test('queries answer the access patterns', async () => {
    const beginning = 'PK = :pk AND begins_with(SK, :sk)'
    const ofAlice = { ':pk': 'USER#u-001', ':sk': 'ORDER#' }
    const [all, three, lines, account, byEmail, open, electronics, inRange] = await Promise.all([
      query(beginning, ofAlice, { 'no-scan-index-forward': true }),
      query(beginning, ofAlice, { 'no-scan-index-forward': true, 'max-items': '3' }),
      query(beginning, { ':pk': 'ORDER#o-789', ':sk': 'ITEM#' }),
      query('PK = :pk', { ':pk': 'USER#u-001' }),
      inIndex('GSI1', 'EMAIL#alice@example.com'),
      inIndex('GSI2', 'STATUS#open'),
      inIndex('GSI3', 'CATEGORY#electronics'),
      query(
        'GSI3PK = :pk AND GSI3SK BETWEEN :low AND :high',
        { ':pk': 'CATEGORY#electronics', ':low': priceKey(50), ':high': `${priceKey(150)}\u00ff` },
        { 'index-name': 'GSI3' },
      ),
    ])
    expect(all.map((item) => item['orderId'])).toEqual(shopAnswers.ordersNewestFirst)
    expect(three.map((item) => item['orderId'])).toEqual(shopAnswers.threeMostRecent)
    expect(lines.map((item) => item['productId'])).toEqual(shopAnswers.linesOfOrder)
    expect(account.map((item) => item['EntityType'])).toEqual([...Array<string>(5).fill('Order'), 'User'])
    expect(byEmail.map((item) => item['userId'])).toEqual(['u-001'])
    expect(open.map((item) => item['total'])).toEqual([149.99, 1299, 159.48])
    expect(electronics.map((item) => item['price'])).toEqual([9.5, 74.99, 149.99, 1299])
    expect(inRange.map((item) => item['price'])).toEqual([74.99, 149.99])
  })

  test('the command pages by itself', async () => {
    const scanned = await dynamodb('scan', { 'table-name': TableName, 'page-size': '5' })
    expect(scanned).toMatchObject({ Count: shopItems().length })
  })

  test('an order is switched on and off in the sparse index', async () => {
    const order = { 'table-name': TableName, key: marshall(orderKey(followedOrder)) }
    await dynamodb('update-item', {
      ...order,
      'update-expression': 'SET GSI4PK = :pk, GSI4SK = :sk',
      'expression-attribute-values': marshall({ ':pk': 'ACTIVE_ORDER', ':sk': followedOrder.createdAt }),
    })
    const active = await inIndex('GSI4', 'ACTIVE_ORDER')
    expect(active.map((item) => item['SK'])).toEqual([orderKey(followedOrder).SK])
    const left = await dynamodb('update-item', {
      ...order,
      'update-expression': 'REMOVE GSI4PK, GSI4SK',
      'return-values': 'ALL_NEW',
    })
    expect(left).toEqual({ Attributes: marshall(orderItem(followedOrder)) })
    expect(await inIndex('GSI4', 'ACTIVE_ORDER')).toEqual([])
  })

  test('an item is deleted, and shown as it was', async () => {
    const answer = await dynamodb('delete-item', {
      'table-name': TableName,
      key: marshall({ PK: 'SESSION#s-9f', SK: 'u-001' }),
      'return-values': 'ALL_OLD',
    })
    expect(answer).toMatchObject({ Attributes: { expiresAt: { N: '1800000000' } } })
  })
})
