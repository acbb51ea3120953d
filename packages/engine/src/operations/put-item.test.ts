import { encodeBase64 } from '@hashrange/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectionKey, itemKey } from '../layout/item-keys.ts'
import { encodeCounters } from '../store/counters.ts'
import { createTableInput, openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { toPlain } from '../wire/raw-json.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', createTableInput('plain', { hash: 'pk', range: 'sk' }))
  await db.run(
    'CreateTable',
    createTableInput('indexed', {
      hash: 'pk',
      range: 'sk',
      global: {
        second: { hash: ['g1'], range: ['n1:N'] },
        first: { hash: ['g1'], range: ['b1:B'] },
      },
      local: { local: { range: 'lsk' } },
    }),
  )
})

afterEach(() => db.close())

const put = (TableName: string, Item: object, more: object = {}): Promise<unknown> =>
  db.run('PutItem', { TableName, Item, ...more })
const refused = async (TableName: string, Item: object, more: object = {}): Promise<string> =>
  (await db.refusal('PutItem', { TableName, Item, ...more })).message
const key = { pk: { S: 'a' }, sk: { S: '1' } }
const invalid = 'One or more parameter values were invalid: '

describe('the key', () => {
  test('is the same in the item as where the item is kept', async () => {
    const sk = { S: '1' }
    await put('plain', { pk: { S: 'half\ud83d' }, sk })
    const { Items } = toPlain(await db.run('Scan', { TableName: 'plain' })) as { Items: object[] }
    expect(Items).toEqual([{ pk: { S: 'half\ufffd' }, sk }])
    const Key = Items[0] ?? {}
    expect(toPlain(await db.run('GetItem', { TableName: 'plain', Key }))).toEqual({ Item: Key })
  })

  test('must be there, of its type and not empty', async () => {
    expect(await refused('plain', { pk: { S: 'a' } })).toBe(`${invalid}Missing the key sk in the item`)
    expect(await refused('plain', { pk: { S: 'a' }, sk: { N: '1' } })).toBe(
      `${invalid}Type mismatch for key sk expected: S actual: N`,
    )
    expect(await refused('plain', { pk: { S: '' }, sk: { S: '1' } })).toBe(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    )
  })

  test('may have 2,048 and 1,024 bytes, and no more', async () => {
    const longest = { pk: { S: 'é'.repeat(1_024) }, sk: { S: '\0'.repeat(1_024) } }
    await put('plain', longest)
    expect(await db.run('GetItem', { TableName: 'plain', Key: longest })).toEqual({ Item: longest })
    expect(await refused('plain', { ...longest, pk: { S: 'x'.repeat(2_049) } })).toBe(
      `${invalid}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
    )
    expect(await refused('plain', { ...longest, sk: { S: 'x'.repeat(1_025) } })).toBe(
      `${invalid}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
    )
  })
})

describe('an index key', () => {
  test('of another type is refused, for the first index by name', async () => {
    expect(await refused('indexed', { ...key, g1: { N: '1' } })).toBe(
      `${invalid}Type mismatch for Index Key g1 Expected: S Actual: N IndexName: first`,
    )
    expect(await refused('indexed', { ...key, n1: { S: '1' }, lsk: { NULL: true } })).toBe(
      `${invalid}Type mismatch for Index Key lsk Expected: S Actual: NULL IndexName: local`,
    )
  })

  test('that is empty is refused', async () => {
    const words =
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported.'
    expect(await refused('indexed', { ...key, b1: { B: '' } })).toBe(
      `${words} The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: first, IndexKey: b1`,
    )
  })

  test('may have 1,024 zero bytes', async () => {
    const zeros = { B: encodeBase64(new Uint8Array(1_024)) }
    const Item = { ...key, g1: { S: 'g' }, b1: zeros }
    await put('indexed', Item)
    const found = await db.run('Query', {
      TableName: 'indexed',
      IndexName: 'first',
      KeyConditionExpression: 'g1 = :g AND b1 = :b',
      ExpressionAttributeValues: { ':g': { S: 'g' }, ':b': zeros },
    })
    expect(found.Items).toEqual([Item])
    expect(await refused('indexed', { ...Item, b1: { B: encodeBase64(new Uint8Array(1_025)) } })).toBe(
      `${invalid}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
    )
  })
})

describe('the size of an item', () => {
  const sized = (sizeBytes: number, more: object = {}): object => ({
    ...key,
    ...more,
    t: { S: 'x'.repeat(sizeBytes - 7) },
  })

  test('is at most 409,600 bytes', async () => {
    await put('plain', sized(409_600))
    expect(await refused('plain', sized(409_601))).toBe('Item size has exceeded the maximum allowed size')
  })

  test('counts the entries in local indexes as well', async () => {
    await put('indexed', sized(409_600))
    const lsk = { lsk: { S: 'l' } }
    // With `lsk` the item is 204,800 bytes, and so is its entry.
    await put('indexed', sized(204_796, lsk))
    expect(await refused('indexed', sized(204_797, lsk))).toBe('Item size has exceeded the maximum allowed size')
  })
})

describe('ReturnValues', () => {
  test('ALL_OLD shows what was replaced, if anything was', async () => {
    expect(await put('plain', { ...key, n: { N: '1' } }, { ReturnValues: 'ALL_OLD' })).toEqual({})
    expect(await put('plain', key, { ReturnValues: 'ALL_OLD' })).toEqual({ Attributes: { ...key, n: { N: '1' } } })
    expect(await put('plain', key, { ReturnValues: 'NONE' })).toEqual({})
  })

  test('what is new is not shown', async () => {
    for (const ReturnValues of ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']) {
      expect(await refused('plain', key, { ReturnValues })).toBe(
        '1 validation error detected: ReturnValues can only be ALL_OLD or NONE',
      )
    }
  })
})

describe('a condition that does not hold', () => {
  const condition = { ConditionExpression: 'attribute_not_exists(pk)' }

  test('leaves the item as it was', async () => {
    await put('plain', { ...key, n: { N: '1' } })
    const error = await db.refusal('PutItem', { TableName: 'plain', Item: key, ...condition })
    expect(error.code).toBe('ConditionalCheckFailedException')
    expect(error.members).toEqual({})
    expect(await db.run('GetItem', { TableName: 'plain', Key: key })).toEqual({ Item: { ...key, n: { N: '1' } } })
  })

  test('shows the item on request, and nothing where there is none', async () => {
    await put('plain', { ...key, n: { N: '1' } })
    const onFailure = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
    const error = await db.refusal('PutItem', { TableName: 'plain', Item: key, ...condition, ...onFailure })
    expect(toPlain(error.members)).toEqual({ Item: { ...key, n: { N: '1' } } })
    const missing = {
      TableName: 'plain',
      Item: { pk: { S: 'b' }, sk: { S: '1' } },
      ConditionExpression: 'attribute_exists(pk)',
    }
    expect((await db.refusal('PutItem', { ...missing, ...onFailure })).members).toEqual({})
  })
})

describe('an item collection', () => {
  const metrics = { ReturnItemCollectionMetrics: 'SIZE' }

  /** Makes the store believe that the collection of `a` is so large. */
  async function pretendSize(bytes: number): Promise<void> {
    const { tableId, keySchema, attributeTypes } = db.engine.requireTable(testScope, 'indexed').definition
    const sizeKey = collectionKey(itemKey(tableId, keySchema, attributeTypes, key))
    const value = encodeCounters([bytes])
    await db.store.transact([], () => ({ writes: [{ kind: 'put', key: sizeKey, value }], answer: undefined }))
  }

  // What was pretended is put right.
  afterEach(() => verifyStore({ store: db.store, repair: true }))

  test('tells its size in gigabytes, on tables with a local index only', async () => {
    const answer = { ItemCollectionMetrics: { ItemCollectionKey: { pk: { S: 'a' } }, SizeEstimateRangeGB: [0, 1] } }
    expect(await put('indexed', key, metrics)).toEqual(answer)
    expect(await put('plain', key, metrics)).toEqual({})
    expect(await put('indexed', key)).toEqual({})
    await pretendSize(3.5 * 2 ** 30)
    expect(await put('indexed', key, metrics)).toMatchObject({
      ItemCollectionMetrics: { SizeEstimateRangeGB: [3, 4] },
    })
  })

  test('cannot grow beyond 10 GB, but may shrink', async () => {
    await put('indexed', { ...key, t: { S: 'xx' } })
    await pretendSize(10 * 2 ** 30)
    const error = await db.refusal('PutItem', { TableName: 'indexed', Item: { ...key, t: { S: 'xxx' } } })
    expect(error).toMatchObject({
      code: 'ItemCollectionSizeLimitExceededException',
      message: 'Collection size exceeded.',
    })
    await put('indexed', { ...key, t: { S: 'yy' } })
    await put('indexed', { ...key, t: { S: 'x' } })
    await put('indexed', { ...key, t: { S: 'xx' } })
    await put('indexed', { pk: { S: 'b' }, sk: { S: '1' }, t: { S: 'xxx' } })
  })

  test('in a transaction this is a reason for cancellation', async () => {
    await pretendSize(10 * 2 ** 30)
    const Put = { TableName: 'indexed', Item: key }
    const other = { Put: { TableName: 'plain', Item: key } }
    const error = await db.refusal('TransactWriteItems', { TransactItems: [other, { Put }] })
    expect(error.members).toEqual({
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ItemCollectionSizeLimitExceeded', Message: 'Collection size exceeded.' },
      ],
    })
    expect(await db.run('GetItem', { TableName: 'plain', Key: key })).toEqual({})
  })

  test('is counted with its entries, and forgotten with its last item', async () => {
    const { tableId, keySchema, attributeTypes } = db.engine.requireTable(testScope, 'indexed').definition
    const sizeKey = collectionKey(itemKey(tableId, keySchema, attributeTypes, key))
    const size = (): unknown => db.store.view((snapshot) => snapshot.get(sizeKey))
    await put('indexed', { ...key, lsk: { S: 'l' } })
    expect(await size()).toEqual(encodeCounters([20]))
    await db.run('UpdateItem', { TableName: 'indexed', Key: key, UpdateExpression: 'REMOVE lsk' })
    expect(await size()).toEqual(encodeCounters([6]))
    await db.run('DeleteItem', { TableName: 'indexed', Key: key })
    expect(await size()).toBeUndefined()
  })
})

describe('attribute names that JavaScript knows', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']

  test('are attributes like any other', async () => {
    const Item = JSON.parse(
      `{"pk":{"S":"a"},"sk":{"S":"1"},${names.map((name) => `"${name}":{"M":{"${name}":{"S":"${name}"}}}`).join(',')}}`,
    ) as object
    await put('plain', Item)
    const text = JSON.stringify(await db.run('GetItem', { TableName: 'plain', Key: key }))
    expect(text).toBe(JSON.stringify({ Item }))
    for (const name of names) {
      const projected = await db.run('GetItem', {
        TableName: 'plain',
        Key: key,
        ProjectionExpression: '#n.#n',
        ExpressionAttributeNames: { '#n': name },
      })
      expect(JSON.stringify(projected)).toBe(`{"Item":{"${name}":{"M":{"${name}":{"S":"${name}"}}}}}`)
    }
  })

  test('are not there unless they were given', async () => {
    await put('plain', key)
    for (const name of names) {
      const read = {
        TableName: 'plain',
        Key: key,
        ProjectionExpression: '#n',
        ExpressionAttributeNames: { '#n': name },
      }
      expect(await db.run('GetItem', read)).toEqual({ Item: {} })
      const condition = {
        ConditionExpression: 'attribute_exists(#n)',
        ExpressionAttributeNames: { '#n': name },
      }
      expect(await refused('plain', key, condition)).toBe('The conditional request failed')
    }
  })

  test('can be keys of tables and indexes', async () => {
    await db.run(
      'CreateTable',
      createTableInput('odd', {
        hash: '__proto__',
        range: 'constructor',
        global: { toString: { hash: ['valueOf'], range: ['__proto__'], projection: 'KEYS_ONLY' as const } },
      }),
    )
    const text = '{"__proto__":{"S":"a"},"constructor":{"S":"b"},"valueOf":{"S":"c"}}'
    const Item = JSON.parse(text) as object
    await put('odd', Item)
    const Key = JSON.parse('{"__proto__":{"S":"a"},"constructor":{"S":"b"}}') as object
    expect(JSON.stringify(await db.run('GetItem', { TableName: 'odd', Key }))).toBe(`{"Item":${text}}`)
    const query = {
      TableName: 'odd',
      IndexName: 'toString',
      KeyConditionExpression: 'valueOf = :c AND #p = :a',
      ExpressionAttributeNames: { '#p': '__proto__' },
      ExpressionAttributeValues: { ':c': { S: 'c' }, ':a': { S: 'a' } },
      Limit: 1,
      ReturnConsumedCapacity: 'INDEXES',
    }
    const page = await db.run('Query', query)
    expect(JSON.stringify(page.Items)).toBe(`[${text}]`)
    expect(Object.keys(page.LastEvaluatedKey ?? {})).toEqual(['__proto__', 'constructor', 'valueOf'])
    expect(page.ConsumedCapacity?.GlobalSecondaryIndexes).toEqual({ toString: { CapacityUnits: 0.5 } })
    expect(await db.run('Query', { ...query, ExclusiveStartKey: page.LastEvaluatedKey })).toMatchObject({
      Count: 0,
    })
    await db.run('DeleteItem', { TableName: 'odd', Key })
    expect(await db.run('Query', query)).toMatchObject({ Count: 0 })
  })

  test('can be names of tables', async () => {
    await db.run('CreateTable', createTableInput('__proto__', { hash: 'pk' }))
    await put('__proto__', { pk: { S: 'a' } })
    const RequestItems = JSON.parse('{"__proto__":{"Keys":[{"pk":{"S":"a"}}]}}') as object
    const answer = await db.run('BatchGetItem', { RequestItems })
    expect(JSON.stringify(answer)).toBe('{"Responses":{"__proto__":[{"pk":{"S":"a"}}]},"UnprocessedKeys":{}}')
  })
})
