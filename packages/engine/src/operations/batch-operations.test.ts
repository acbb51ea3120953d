import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', createTableInput('first', { hash: 'pk' }))
  await db.run('CreateTable', createTableInput('second', { hash: 'pk', range: 'sk' }))
})

afterEach(() => db.close())

const keys = (count: number): object[] => Array.from({ length: count }, (_, n) => ({ pk: { S: `${n}` } }))
const duplicates = 'Provided list of item keys contains duplicates'

interface BatchAnswer {
  readonly Responses: Readonly<Record<string, readonly object[]>>
  readonly UnprocessedKeys: Readonly<Record<string, { readonly Keys: readonly object[] }>>
}

describe('BatchGetItem', () => {
  test('finds what is there, by table, and projects', async () => {
    await db.run('PutItem', { TableName: 'first', Item: { pk: { S: '1' }, n: { N: '1' }, m: { N: '2' } } })
    await db.run('PutItem', { TableName: 'second', Item: { pk: { S: '1' }, sk: { S: 'a' } } })
    const answer = await db.run('BatchGetItem', {
      RequestItems: {
        first: { Keys: keys(3), ProjectionExpression: 'n' },
        second: {
          Keys: [
            { pk: { S: '1' }, sk: { S: 'a' } },
            { pk: { S: '1' }, sk: { S: 'b' } },
          ],
        },
      },
    })
    expect(answer).toEqual({
      Responses: { first: [{ n: { N: '1' } }], second: [{ pk: { S: '1' }, sk: { S: 'a' } }] },
      UnprocessedKeys: {},
    })
  })

  test('refuses a key twice, whether or not there is such a table, and more than 100', async () => {
    const Keys = [
      { pk: { S: '1' }, sk: { S: 'a' } },
      { sk: { S: 'a' }, pk: { S: '1' } },
    ]
    for (const table of ['second', 'nowhere']) {
      const twice = { RequestItems: { [table]: { Keys } } }
      expect((await db.refusal('BatchGetItem', twice)).message).toBe(duplicates)
    }
    await db.run('BatchGetItem', { RequestItems: { first: { Keys: keys(100) } } })
    expect((await db.refusal('BatchGetItem', { RequestItems: { first: { Keys: keys(101) } } })).code).toBe(
      'ValidationException',
    )
  })

  test('answers once with an item whose key stands there in two spellings', async () => {
    await db.run('CreateTable', createTableInput('numbers', { hash: 'pk:N' }))
    await db.run('PutItem', { TableName: 'numbers', Item: { pk: { N: '1' } } })
    const Keys = [{ pk: { N: '1' } }, { pk: { N: '1.0' } }, { pk: { N: '2' } }]
    expect(
      await db.run('BatchGetItem', { RequestItems: { numbers: { Keys } }, ReturnConsumedCapacity: 'TOTAL' }),
    ).toEqual({
      Responses: { numbers: [{ pk: { N: '1' } }] },
      UnprocessedKeys: {},
      ConsumedCapacity: [{ TableName: 'numbers', CapacityUnits: 1 }],
    })
  })

  test('leaves what passes 16 MB for the next request', async () => {
    const t = { S: 'x'.repeat(400_000) }
    await Promise.all(keys(50).map((Item) => db.run('PutItem', { TableName: 'first', Item: { ...Item, t } })))
    const request = { Keys: keys(50), ProjectionExpression: 'pk', ConsistentRead: true }
    const answer = await db.run<BatchAnswer>('BatchGetItem', { RequestItems: { first: request } })
    const left = answer.UnprocessedKeys['first']
    expect(left).toMatchObject({ ProjectionExpression: 'pk', ConsistentRead: true })
    expect(answer.Responses['first']?.length).toBeGreaterThanOrEqual(40)
    const rest = await db.run<BatchAnswer>('BatchGetItem', { RequestItems: answer.UnprocessedKeys })
    expect(rest.UnprocessedKeys).toEqual({})
    expect([...(answer.Responses['first'] ?? []), ...(rest.Responses['first'] ?? [])]).toEqual(keys(50))
  })
})

describe('BatchWriteItem', () => {
  const puts = (count: number): object[] => keys(count).map((Item) => ({ PutRequest: { Item } }))

  test('puts and deletes', async () => {
    await db.run('PutItem', { TableName: 'second', Item: { pk: { S: 'a' }, sk: { S: 'b' } } })
    const RequestItems = {
      first: puts(25).slice(1),
      second: [{ DeleteRequest: { Key: { pk: { S: 'a' }, sk: { S: 'b' } } } }],
    }
    expect(await db.run('BatchWriteItem', { RequestItems })).toEqual({ UnprocessedItems: {} })
    expect(await db.run('Scan', { TableName: 'first', Select: 'COUNT' })).toMatchObject({ Count: 24 })
    expect(await db.run('Scan', { TableName: 'second', Select: 'COUNT' })).toMatchObject({ Count: 0 })
  })

  test('refuses more than 25, an item twice, and does nothing then', async () => {
    expect((await db.refusal('BatchWriteItem', { RequestItems: { first: puts(26) } })).code).toBe(
      'ValidationException',
    )
    const twice = [...puts(2), { DeleteRequest: { Key: { pk: { S: '1' } } } }]
    expect((await db.refusal('BatchWriteItem', { RequestItems: { first: twice } })).message).toBe(duplicates)
    const broken = [...puts(2), { PutRequest: { Item: { n: { N: '1' } } } }]
    expect((await db.refusal('BatchWriteItem', { RequestItems: { first: broken } })).message).toBe(
      'The provided key element does not match the schema',
    )
    expect(await db.run('Scan', { TableName: 'first', Select: 'COUNT' })).toMatchObject({ Count: 0 })
  })

  test('tells the size of collections, by table', async () => {
    await db.run(
      'CreateTable',
      createTableInput('local', { hash: 'pk', range: 'sk', local: { local: { range: 'l' } } }),
    )
    const RequestItems = { local: [{ PutRequest: { Item: { pk: { S: 'a' }, sk: { S: 'b' } } } }], first: puts(1) }
    expect(await db.run('BatchWriteItem', { RequestItems, ReturnItemCollectionMetrics: 'SIZE' })).toEqual({
      UnprocessedItems: {},
      ItemCollectionMetrics: {
        local: [{ ItemCollectionKey: { pk: { S: 'a' } }, SizeEstimateRangeGB: [0, 1] }],
      },
    })
  })
})
