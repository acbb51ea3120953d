import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allPages, createTableInput, openTestEngine, type Answer, type TestEngine } from '../testing/test-engine.ts'

const maxLagMs = 1_000
let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine(undefined, { eventualConsistency: { maxLagMs, seed: 7 } })
  await db.run(
    'CreateTable',
    createTableInput('orders', {
      hash: 'pk',
      range: 'sk:N',
      global: { byOwner: { hash: ['owner'], range: ['sk:N'] } },
      local: { byTotal: { range: 'total:N', projection: 'KEYS_ONLY' } },
    }),
  )
})
afterEach(() => db.close())

const order = (sk: number, owner: string, total: number, more: object = {}): Record<string, object> => ({
  pk: { S: 'a' },
  sk: { N: `${sk}` },
  owner: { S: owner },
  total: { N: `${total}` },
  ...more,
})
const put = (item: object): Promise<Answer> => db.run('PutItem', { TableName: 'orders', Item: item })
const keyOf = (sk: number): object => ({ pk: { S: 'a' }, sk: { N: `${sk}` } })
const get = async (sk: number, ConsistentRead = false): Promise<unknown> =>
  (await db.run('GetItem', { TableName: 'orders', Key: keyOf(sk), ConsistentRead })).Item
const ofPartition = (more: object = {}): object => ({
  TableName: 'orders',
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'a' } },
  ...more,
})
const ofOwner = (owner: string): object => ({
  TableName: 'orders',
  IndexName: 'byOwner',
  KeyConditionExpression: '#o = :o',
  ExpressionAttributeNames: { '#o': 'owner' },
  ExpressionAttributeValues: { ':o': { S: owner } },
})
const numbers = (answer: Answer): unknown[] => (answer.Items ?? []).map(({ sk }) => Number(sk?.['N']))

describe('right after a write', () => {
  test('an eventually consistent read does not see it, a strongly consistent one does', async () => {
    await put(order(1, 'ana', 5))
    expect(await get(1)).toBeUndefined()
    expect(await get(1, true)).toEqual(order(1, 'ana', 5))
    db.advance(maxLagMs)
    expect(await get(1)).toEqual(order(1, 'ana', 5))
  })

  test('nor do batches, queries, scans and statements', async () => {
    await put(order(1, 'ana', 5))
    const batch = (ConsistentRead: boolean): Promise<{ Responses: Record<string, object[]> }> =>
      db.run('BatchGetItem', { RequestItems: { orders: { Keys: [keyOf(1)], ConsistentRead } } })
    const Statement = `SELECT * FROM orders WHERE pk = 'a' AND sk = 1`
    const statements = (ConsistentRead: boolean): Promise<{ Responses: readonly { Item?: object }[] }> =>
      db.run('BatchExecuteStatement', { Statements: [{ Statement, ConsistentRead }] })
    const seen = async (ConsistentRead: boolean): Promise<unknown[]> => [
      (await batch(ConsistentRead)).Responses['orders']?.length,
      (await db.run('Query', ofPartition({ ConsistentRead }))).Count,
      (await db.run('Query', ofPartition({ IndexName: 'byTotal', ConsistentRead }))).Count,
      (await db.run('Scan', { TableName: 'orders', ConsistentRead })).Count,
      (await db.run('ExecuteStatement', { Statement, ConsistentRead })).Items?.length,
      (await statements(ConsistentRead)).Responses.filter(({ Item }) => Item !== undefined).length,
    ]
    expect(await seen(false)).toEqual([0, 0, 0, 0, 0, 0])
    expect(await seen(true)).toEqual([1, 1, 1, 1, 1, 1])
    expect((await db.run('Query', ofOwner('ana'))).Count).toBe(0)
    db.advance(maxLagMs)
    expect(await seen(false)).toEqual([1, 1, 1, 1, 1, 1])
    expect((await db.run('Query', ofOwner('ana'))).Count).toBe(1)
  })

  test('transactions read what is there, and conditions see it', async () => {
    await put(order(1, 'ana', 5))
    const read = await db.run<{ Responses: readonly { Item?: object }[] }>('TransactGetItems', {
      TransactItems: [{ Get: { TableName: 'orders', Key: keyOf(1) } }],
    })
    expect(read.Responses[0]?.Item).toEqual(order(1, 'ana', 5))
    const again = { TableName: 'orders', Item: order(1, 'ana', 6), ConditionExpression: 'attribute_not_exists(pk)' }
    expect((await db.refusal('PutItem', again)).code).toBe('ConditionalCheckFailedException')
    const added = await db.run('UpdateItem', {
      TableName: 'orders',
      Key: keyOf(1),
      UpdateExpression: 'ADD #t :one',
      ExpressionAttributeNames: { '#t': 'total' },
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValues: 'ALL_NEW',
    })
    expect(added.Attributes?.['total']).toEqual({ N: '6' })
  })

  test('capacity is that of what was seen', async () => {
    await put(order(1, 'ana', 5, { note: { S: 'x'.repeat(9_000) } }))
    const query = ofPartition({ ReturnConsumedCapacity: 'TOTAL' })
    const before = await db.run('Query', query)
    db.advance(maxLagMs)
    const after = await db.run('Query', query)
    expect([before.ConsumedCapacity?.CapacityUnits, after.ConsumedCapacity?.CapacityUnits]).toEqual([0.5, 1.5])
  })
})

describe('what was there before', () => {
  beforeEach(async () => {
    for (const sk of [1, 2, 3, 4, 5]) await put(order(sk, 'ana', 10 - sk))
    db.advance(maxLagMs)
  })

  test('is still seen after a deletion, in its place, page by page and backwards', async () => {
    await db.run('DeleteItem', { TableName: 'orders', Key: keyOf(1) })
    await db.run('DeleteItem', { TableName: 'orders', Key: keyOf(3) })
    await db.run('DeleteItem', { TableName: 'orders', Key: keyOf(5) })
    await put(order(6, 'ana', 1))
    expect(numbers(await db.run('Query', ofPartition()))).toEqual([1, 2, 3, 4, 5])
    expect(numbers(await db.run('Query', ofPartition({ ScanIndexForward: false })))).toEqual([5, 4, 3, 2, 1])
    const pages = await allPages(db, 'Query', ofPartition({ Limit: 2 }))
    expect(pages.flatMap(numbers)).toEqual([1, 2, 3, 4, 5])
    expect(pages.map(({ ScannedCount }) => ScannedCount)).toEqual([2, 2, 1])
    const backwards = await allPages(db, 'Query', ofPartition({ Limit: 1, ScanIndexForward: false }))
    expect(backwards.flatMap(numbers)).toEqual([5, 4, 3, 2, 1])
    expect(numbers(await db.run('Query', ofPartition({ ConsistentRead: true })))).toEqual([2, 4, 6])
    db.advance(maxLagMs)
    expect(numbers(await db.run('Query', ofPartition()))).toEqual([2, 4, 6])
  })

  test('new items do not use up a page', async () => {
    for (const sk of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]) await put(order(sk, 'ana', 1))
    const page = await db.run('Query', ofPartition({ Limit: 2 }))
    expect(numbers(page)).toEqual([1, 2])
    expect(page.LastEvaluatedKey).toEqual(keyOf(2))
  })

  test('an entry that moves within an index is seen once, before or after', async () => {
    await put(order(3, 'ben', 7))
    for (let waitedMs = 0; waitedMs <= maxLagMs; waitedMs += 25) {
      const [ana, ben] = [
        numbers(await db.run('Query', ofOwner('ana'))),
        numbers(await db.run('Query', ofOwner('ben'))),
      ]
      expect([...ana, ...ben].filter((sk) => sk === 3)).toHaveLength(1)
      db.advance(25)
    }
    expect(numbers(await db.run('Query', ofOwner('ben')))).toEqual([3])
  })

  test('a local index and the items it leads to are of the same moment', async () => {
    await put(order(2, 'ana', 100, { note: { S: 'new' } }))
    for (let waitedMs = 0; waitedMs <= maxLagMs; waitedMs += 25) {
      const { Items } = await db.run('Query', ofPartition({ IndexName: 'byTotal', Select: 'ALL_ATTRIBUTES' }))
      const seen = Items?.filter(({ sk }) => sk?.['N'] === '2')
      expect([[order(2, 'ana', 8)], [order(2, 'ana', 100, { note: { S: 'new' } })]]).toContainEqual(seen)
      db.advance(25)
    }
  })

  test('a write that is refused changes nothing that is seen', async () => {
    const refused = {
      TableName: 'orders',
      Item: order(1, 'eve', 1),
      ConditionExpression: 'attribute_not_exists(pk)',
    }
    await db.refusal('PutItem', refused)
    await db.refusal('TransactWriteItems', {
      TransactItems: [{ Delete: { TableName: 'orders', Key: keyOf(2) } }, { Put: refused }],
    })
    expect(numbers(await db.run('Query', ofPartition()))).toEqual([1, 2, 3, 4, 5])
    expect(await get(1)).toEqual(order(1, 'ana', 9))
  })
})

test('another seed gives other delays, the same seed the same', async () => {
  const seenAfter = async (seed: number): Promise<number[]> => {
    const own = await openTestEngine(undefined, { eventualConsistency: { maxLagMs, seed } })
    await own.run('CreateTable', createTableInput('things', { hash: 'pk' }))
    for (let i = 0; i < 20; i++) await own.run('PutItem', { TableName: 'things', Item: { pk: { S: `${i}` } } })
    const counts: number[] = []
    for (let waitedMs = 0; waitedMs <= maxLagMs; waitedMs += 100) {
      counts.push((await own.run('Scan', { TableName: 'things' })).Count ?? 0)
      own.advance(100)
    }
    await own.close()
    return counts
  }
  const counts = await seenAfter(1)
  expect(counts.at(-1)).toBe(20)
  expect(counts.at(5)).toBeGreaterThan(2)
  expect(counts.at(5)).toBeLessThan(18)
  expect(await seenAfter(1)).toEqual(counts)
  expect(await seenAfter(2)).not.toEqual(counts)
})
