import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let database: TestEngine
beforeEach(async () => {
  database = await openTestEngine(undefined, { throttling: 'enforce' })
})
afterEach(() => database.close())

const provisioned = (ReadCapacityUnits: number, WriteCapacityUnits: number): object => ({
  ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits },
})

/** A table with one global index. */
async function create(throughput: object, indexThroughput: object = throughput): Promise<void> {
  await database.run('CreateTable', {
    TableName: 'Orders',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: ['id', 'day'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byDay',
        KeySchema: [{ AttributeName: 'day', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ...indexThroughput,
      },
    ],
    ...throughput,
  })
}

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `order-${String(n)}`)
const item = (id: string, more: object = {}): object => ({ id: { S: id }, ...more })
const put = (id: string, more: object = {}): object => ({ TableName: 'Orders', Item: item(id, more) })

/** Writes a batch, and tells how many of it got through. */
async function writeBatch(count: number, more: object = {}): Promise<number> {
  const requests = ids(count).map((id) => ({ PutRequest: { Item: item(id, more) } }))
  const answer = (await database.run('BatchWriteItem', { RequestItems: { Orders: requests } })) as {
    readonly UnprocessedItems: { readonly Orders?: readonly object[] }
  }
  return count - (answer.UnprocessedItems.Orders?.length ?? 0)
}

/** Carries out requests at once, and tells how many were let in. */
async function together(requests: readonly (readonly [operation: string, input: object])[]): Promise<number> {
  const settled = await Promise.allSettled(requests.map(([operation, input]) => database.run(operation, input)))
  return settled.filter(({ status }) => status === 'fulfilled').length
}

const stored = async (): Promise<unknown> => {
  database.advance(300_000)
  const answer = (await database.run('Scan', { TableName: 'Orders', Select: 'COUNT' })) as {
    readonly Count: number
  }
  return answer.Count
}

describe('what is let in counts at once', () => {
  test('a batch of 25 writes gets through as far as there are units, and the rest comes back', async () => {
    await create(provisioned(10, 1))
    expect(await writeBatch(25)).toBe(1)
    // What is not used is saved up.
    database.advance(7_000)
    expect(await writeBatch(25)).toBe(7)
    expect(await stored()).toBe(7)
  })

  test('large items of a batch count as what they are', async () => {
    await create(provisioned(10, 10))
    expect(await writeBatch(25, { text: { S: 'x'.repeat(4_000) } })).toBe(3)
  })

  test('an index that takes one write holds up the others of a batch', async () => {
    await create(provisioned(10, 100), provisioned(10, 1))
    expect(await writeBatch(25, { day: { S: 'monday' } })).toBe(1)
    expect(await stored()).toBe(1)
  })

  test('writes that are under way at the same time', async () => {
    await create(provisioned(10, 3))
    expect(await together(ids(20).map((id) => ['PutItem', put(id)]))).toBe(3)
    expect(await stored()).toBe(3)
  })

  test.each([
    ['GetItem', (id: string) => ({ TableName: 'Orders', Key: item(id), ConsistentRead: true })],
    [
      'Query',
      (id: string) => ({
        TableName: 'Orders',
        ConsistentRead: true,
        KeyConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': { S: id } },
      }),
    ],
    ['ExecuteStatement', (id: string) => ({ Statement: `SELECT * FROM "Orders" WHERE id = '${id}'` })],
  ])('%s that are under way at the same time', async (operation, input) => {
    await create(provisioned(2, 10))
    // Half a unit is held of each until it is known what it costs.
    const letIn = await together(ids(20).map((id) => [operation, input(id)]))
    expect(letIn).toBeGreaterThanOrEqual(2)
    expect(letIn).toBeLessThanOrEqual(4)
  })

  test('a batch of reads gets through as far as there are units', async () => {
    await create(provisioned(3, 10))
    const Keys = ids(25).map((id) => item(id))
    const answer = await database.run('BatchGetItem', { RequestItems: { Orders: { Keys, ConsistentRead: true } } })
    expect(answer).toMatchObject({ UnprocessedKeys: { Orders: { Keys: Keys.slice(3) } } })
  })

  test('transactions that are under way at the same time, but not the parts of one', async () => {
    await create(provisioned(10, 1))
    const transaction = (n: number): readonly [string, object] => [
      'TransactWriteItems',
      { TransactItems: [0, 1].map((part) => ({ Put: put(`${String(n)}-${String(part)}`) })) },
    ]
    expect(await together([1, 2, 3].map(transaction))).toBe(1)
    expect(await stored()).toBe(2)
  })
})

describe('what was held is given back', () => {
  test('when the write has cost more, it costs that, and not the hold besides', async () => {
    await create(provisioned(10, 5))
    await database.run('PutItem', put('large', { text: { S: 'x'.repeat(4_000) } }))
    expect(await writeBatch(25)).toBe(1)
  })

  test('when a write has failed for another reason', async () => {
    await create(provisioned(10, 2))
    const wrong = {
      TableName: 'Orders',
      Key: item('a'),
      UpdateExpression: 'SET total = missing + :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    }
    for (let n = 0; n < 5; n++) {
      expect(await database.refusal('UpdateItem', wrong)).toMatchObject({ code: 'ValidationException' })
    }
    expect(await writeBatch(25)).toBe(2)
  })

  test('when an index has refused the write', async () => {
    await create(provisioned(10, 3), provisioned(10, 1))
    await database.run('PutItem', put('a', { day: { S: 'monday' } }))
    for (let n = 0; n < 5; n++) await database.refusal('PutItem', put('b', { day: { S: 'monday' } }))
    expect(await writeBatch(25)).toBe(2)
  })
})
