import { ServiceError } from '@hashrange/core'
import { Engine, openLmdbStore, toPlain } from '@hashrange/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError, type Call } from '../../packages/workbench/src/api/api.ts'
import { StreamTail, type TailStart } from '../../packages/workbench/src/views/streams/stream-tail.ts'
import { testScope } from './support/workbench-server.ts'

let engine: Engine
let streamArn: string
let nowMs: number

beforeEach(async () => {
  nowMs = Date.UTC(2026, 5, 15, 12)
  engine = await Engine.open({ store: await openLmdbStore({ memory: true }), clock: { now: () => nowMs } })
  const { TableDescription } = await call<{ TableDescription: { LatestStreamArn: string } }>('CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  streamArn = TableDescription.LatestStreamArn
})
afterEach(() => engine.close())

/** As the page asks, and is refused. */
const call: Call = async <Output>(operation: string, input: object): Promise<Output> => {
  const isOfStreams = ['DescribeStream', 'GetShardIterator', 'GetRecords'].includes(operation)
  const target = isOfStreams ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
  try {
    return toPlain(await engine.execute(testScope, target, operation, input)) as Output
  } catch (error) {
    throw error instanceof ServiceError ? new ApiError(error.code, error.message, 400) : error
  }
}

const put = (id: string) => call('PutItem', { TableName: 'orders', Item: { id: { S: id } } })

const follow = (start: TailStart) => new StreamTail(call, streamArn, start, () => nowMs)

async function ids(tail: StreamTail): Promise<readonly string[]> {
  const { records } = await tail.round()
  return records.map(({ record }) => {
    const { id } = record.dynamodb.Keys
    return id !== undefined && 'S' in id ? id.S : ''
  })
}

async function putAll(names: readonly string[]): Promise<void> {
  for (const name of names) {
    await put(name)
    nowMs += 1000
  }
}

test('from now on, what was before is not shown, and what comes is shown once', async () => {
  await putAll(['a', 'b'])
  const tail = follow({ kind: 'latest' })
  expect(await ids(tail)).toEqual([])
  await putAll(['c', 'd', 'e', 'f', 'g'])
  expect(await ids(tail)).toEqual(['c', 'd', 'e', 'f', 'g'])
  expect(await ids(tail)).toEqual([])
})

test('from the oldest on, all shards are put in the order of time', async () => {
  const names = Array.from({ length: 40 }, (_, position) => `order-${String(position)}`)
  await putAll(names)
  const tail = follow({ kind: 'oldest' })
  expect(await ids(tail)).toEqual(names)
  expect(tail.shardCount.open).toBeGreaterThan(0)
})

test('from a moment on, older records are skipped and counted', async () => {
  await putAll(['a', 'b', 'c'])
  const tail = follow({ kind: 'time', atSeconds: Math.floor(nowMs / 1000) - 1 })
  const { records, skipped } = await tail.round()
  expect(records).toHaveLength(1)
  expect(skipped).toBe(2)
})

test('a pause of hours, beyond the life of iterators, loses nothing and repeats nothing', async () => {
  const tail = follow({ kind: 'latest' })
  await putAll(['before'])
  // The first round begins to follow; nothing is read of any shard yet.
  expect(await ids(tail)).toEqual([])
  await putAll(['a', 'b', 'c', 'd'])
  expect(await ids(tail)).toEqual(['a', 'b', 'c', 'd'])
  const meanwhile = Array.from({ length: 12 }, (_, position) => `paused-${String(position)}`)
  await putAll(meanwhile)
  nowMs += 2 * 60 * 60_000
  const { hasMore, records } = await tail.round()
  expect([hasMore, records.length]).toEqual([true, 0])
  expect(await ids(tail)).toEqual(meanwhile)
  expect(await ids(tail)).toEqual([])
})

test('a stream that was switched off is read to its end, and then rests', async () => {
  const tail = follow({ kind: 'oldest' })
  await putAll(['a', 'b'])
  await call('UpdateTable', { TableName: 'orders', StreamSpecification: { StreamEnabled: false } })
  expect(await ids(tail)).toEqual(['a', 'b'])
  for (let round = 0; round < 3; round++) {
    nowMs += 6_000
    await tail.round()
  }
  expect(tail.shardCount.open).toBe(0)
  expect((await tail.round()).hasMore).toBe(false)
})

test('what the service refuses is told in its words', async () => {
  const tail = new StreamTail(call, streamArn.replace('/orders/', '/others/'), { kind: 'latest' }, () => nowMs)
  await expect(tail.round()).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})
