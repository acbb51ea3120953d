import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daxClient, type DaxClient } from './dax-client.ts'

const TableName = 'Everything'
const Key = { Id: { N: '-0.00123' } }

/** DAX's form of items, expressions and answers says the same as DynamoDB's. */
describe('through DAX', () => {
  let db: Database
  let dax: DaxClient

  beforeAll(async () => {
    db = await open()
    await db.execute('CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'Id', KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: 'Id', AttributeType: 'N' },
        { AttributeName: 'Group', AttributeType: 'B' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'ByGroup',
          KeySchema: [{ AttributeName: 'Group', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    dax = daxClient((await db.listen({ daxPort: 0 })).daxEndpoint)
  })
  afterAll(async () => {
    dax.shutdown()
    await db.close()
  })

  test('every type of value arrives and comes back', async () => {
    const Item: Record<string, AttributeValue> = {
      ...Key,
      Text: { S: 'é😀' },
      Empty: { S: '' },
      Small: { N: '7' },
      Negative: { N: '-300' },
      Ratio: { N: '3.14159' },
      Bytes: { B: Buffer.from([0, 255]) },
      Texts: { SS: ['a', 'b'] },
      Numbers: { NS: ['1', '2.5'] },
      Binaries: { BS: [Buffer.from('x')] },
      List: { L: [{ N: '1' }, { NULL: true }, { M: { deep: { L: [{ BOOL: false }] } } }] },
      Map: { M: { member: { S: 'c' } } },
    }
    await dax.putItem({ TableName, Item })
    for (const ConsistentRead of [false, true]) {
      expect((await dax.getItem({ TableName, Key, ConsistentRead })).Item).toEqual(Item)
      const projected = { ProjectionExpression: 'List[2].deep[0], #m.member, Ratio', ConsistentRead }
      const read = await dax.getItem({ TableName, Key, ...projected, ExpressionAttributeNames: { '#m': 'Map' } })
      expect(read.Item).toEqual({
        List: { L: [{ M: { deep: { L: [{ BOOL: false }] } } }] },
        Map: { M: { member: { S: 'c' } } },
        Ratio: { N: '3.14159' },
      })
    }
    const stored = await db.execute('GetItem', { TableName, Key, ProjectionExpression: 'Ratio, Numbers' })
    expect(stored['Item']).toEqual({ Ratio: { N: '3.14159' }, Numbers: { NS: ['1', '2.5'] } })
  })

  test('expressions mean what they say', async () => {
    await dax.putItem({ TableName, Item: { Id: { N: '5' }, a: { N: '1' }, l: { L: [] }, s: { S: 'abc' } } })
    const holds = async (condition: string): Promise<boolean> => {
      const values = { ':one': { N: '1' }, ':two': { N: '2' }, ':b': { S: 'b' } }
      const used = Object.entries(values).filter(([name]) => condition.includes(name))
      const { Count } = await dax.scan({
        TableName,
        FilterExpression: `Id = :five AND (${condition})`,
        ExpressionAttributeValues: { ...Object.fromEntries(used), ':five': { N: '5' } },
      })
      return Count === 1
    }
    expect(await holds('a = :one OR a = :two AND s = :b')).toBe(true)
    expect(await holds('(a = :one OR a = :two) AND s = :b')).toBe(false)
    expect(await holds('NOT (a = :one AND contains(s, :b))')).toBe(false)
    expect(await holds('NOT a = :two AND size(s) > :two')).toBe(true)
    expect(await holds('a BETWEEN :one AND :two AND a IN (:two, :one)')).toBe(true)
    expect(await holds('attribute_exists(s) AND attribute_not_exists(l[0]) AND NOT begins_with(s, :b)')).toBe(true)
    const { Attributes } = await dax.updateItem({
      TableName,
      Key: { Id: { N: '5' } },
      UpdateExpression:
        'SET l = list_append(l, :l), n = if_not_exists(n, :one) - :two, a = a + :one REMOVE s ADD q :one',
      ExpressionAttributeValues: { ':l': { L: [{ S: 'x' }] }, ':one': { N: '1' }, ':two': { N: '2' } },
      ReturnValues: 'ALL_NEW',
    })
    expect(Attributes).toEqual({
      Id: { N: '5' },
      a: { N: '2' },
      l: { L: [{ S: 'x' }] },
      n: { N: '-1' },
      q: { N: '1' },
    })
  })

  test('pages of an index follow each other, and capacity is reported', async () => {
    const Group = { B: Buffer.from('g') }
    for (const id of ['11', '12', '13']) await dax.putItem({ TableName, Item: { Id: { N: id }, Group } })
    const ids: (string | undefined)[] = []
    let ExclusiveStartKey: Record<string, AttributeValue> | undefined
    do {
      const page = await dax.query({
        TableName,
        IndexName: 'ByGroup',
        KeyConditionExpression: '#g = :g',
        ExpressionAttributeNames: { '#g': 'Group' },
        ExpressionAttributeValues: { ':g': Group },
        Limit: 2,
        ExclusiveStartKey,
        ReturnConsumedCapacity: 'INDEXES',
      })
      expect(page.ConsumedCapacity?.GlobalSecondaryIndexes?.['ByGroup']?.CapacityUnits).toBe(0.5)
      ids.push(...(page.Items ?? []).map((item) => item['Id']?.N))
      ExclusiveStartKey = page.LastEvaluatedKey
    } while (ExclusiveStartKey !== undefined)
    expect(new Set(ids)).toEqual(new Set(['11', '12', '13']))
  })

  test('a cancelled transaction says why, with the item', async () => {
    const item = { Id: { N: '21' }, v: { S: 'there' } }
    await dax.putItem({ TableName, Item: item })
    const refused = dax.transactWriteItems({
      TransactItems: [
        { Put: { TableName, Item: { Id: { N: '22' } } } },
        {
          ConditionCheck: {
            TableName,
            Key: { Id: { N: '21' } },
            ConditionExpression: 'attribute_not_exists(v)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
      ],
    })
    await expect(refused).rejects.toMatchObject({
      code: 'TransactionCanceledException',
      cancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: item }],
    })
  })

  test("a table that does not exist is refused in DynamoDB's words", async () => {
    await expect(dax.getItem({ TableName: 'Nothing', Key })).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
      message: expect.stringContaining('Requested resource not found') as string,
    })
  })
})

test('a closed database verifies who connects, and what they may do, also for what is in a cache', async () => {
  const reader = { accessKeyId: 'AKIAREADER0000000001', secretAccessKey: 'r'.repeat(40) }
  const stranger = { accessKeyId: 'AKIASTRANGER00000001', secretAccessKey: 's'.repeat(40) }
  const read = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: '*' }
  const keysOf = ({ accessKeyId: id, secretAccessKey: secret }: typeof reader) => [{ id, secret }]
  const users = {
    reader: { accessKeys: keysOf(reader), policies: { read: { Version: '2012-10-17', Statement: [read] } } },
    stranger: { accessKeys: keysOf(stranger) },
  }
  const db = await open({ auth: { identities: { users } } })
  await db.execute('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'Id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'Id', AttributeType: 'N' }],
  })
  await db.execute('PutItem', { TableName, Item: { ...Key, secret: { S: 'x' } } })
  const { daxEndpoint } = await db.listen({ daxPort: 0 })
  const clients = [reader, stranger].map((key) => daxClient(daxEndpoint, key))
  const [ofReader, ofStranger] = clients
  expect((await ofReader?.getItem({ TableName, Key }))?.Item).toMatchObject({ secret: { S: 'x' } })
  await expect(ofReader?.putItem({ TableName, Item: Key })).rejects.toThrow('not authorized to perform')
  await expect(ofStranger?.getItem({ TableName, Key })).rejects.toThrow('not authorized to perform')
  for (const client of clients) client.shutdown()
  await db.close()
})
