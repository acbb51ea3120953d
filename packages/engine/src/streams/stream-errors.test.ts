import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hourMs, scope, StreamTable } from './testing/stream-table.ts'

const minuteMs = 60_000
let db: StreamTable
let arn: string
let shardId: string

beforeEach(async () => {
  db = await StreamTable.open()
  arn = await db.create('orders')
  await db.put('orders', 'a', 1)
  shardId = ''
  for (const { ShardId } of (await db.describe(arn)).Shards) {
    if ((await db.readShard(arn, ShardId)).length > 0) shardId = ShardId
  }
})

afterEach(() => db.close())

const invalid = (message: string): object => ({ code: 'ValidationException', message })
const notFound = (message: string): object => ({ code: 'ResourceNotFoundException', message })
const other = 'arn:aws:dynamodb:eu-west-1:123456789012:table/orders/stream/2020-01-01T00:00:00.000'

describe('a stream', () => {
  test('that does not exist is not found', async () => {
    const words = `Requested resource not found: Stream: ${other} not found`
    await expect(db.describe(other)).rejects.toMatchObject(notFound(words))
    await expect(db.iterator(other, shardId, 'LATEST')).rejects.toMatchObject(notFound(words))
    const elsewhere = arn.replace('eu-west-1', 'us-east-1')
    await expect(db.describe(elsewhere)).rejects.toMatchObject({ code: 'ResourceNotFoundException' })
  })

  test('must be named by an ARN of a stream', async () => {
    const garbage = 'x'.repeat(60)
    await expect(db.describe(garbage)).rejects.toMatchObject(invalid('Invalid StreamArn'))
    await expect(db.iterator(garbage, shardId, 'LATEST')).rejects.toMatchObject(invalid('Invalid StreamArn'))
    await expect(db.stream('ListStreams', { ExclusiveStartStreamArn: garbage })).rejects.toMatchObject(
      invalid('Invalid StreamArn'),
    )
    await expect(db.describe('fake-stream')).rejects.toMatchObject(
      invalid(
        "1 validation error detected: Value 'fake-stream' at 'streamArn' failed to satisfy constraint: Member must have length greater than or equal to 37",
      ),
    )
  })

  test('of another account is refused', async () => {
    await expect(db.describe(arn.replace('123456789012', '210987654321'))).rejects.toMatchObject({
      code: 'AccessDeniedException',
    })
  })

  test('is known to its own service alone', () => {
    expect(() => db.engine.execute(scope, 'DynamoDB_20120810', 'ListStreams', {})).toThrow(
      expect.objectContaining({ code: 'UnknownOperationException' }),
    )
    expect(db.engine.knows('DynamoDBStreams_20120810', 'GetRecords')).toBe(true)
  })

  test('limits what is asked for', async () => {
    await expect(db.stream('ListStreams', { Limit: 101 })).rejects.toMatchObject(
      invalid(
        'One or more parameter values were invalid: Limit cannot be greater than the maximum allowed size: 100',
      ),
    )
    await expect(db.describe(arn, { Limit: 101 })).rejects.toMatchObject(
      invalid('One or more parameter values were invalid: Limit cannot be greater than the maximum: 100'),
    )
    await expect(db.describe(arn, { Limit: 0 })).rejects.toMatchObject({ code: 'ValidationException' })
    const iterator = await db.iterator(arn, shardId, 'TRIM_HORIZON')
    await expect(db.records(iterator, 1_001)).rejects.toMatchObject(
      invalid('One or more parameter values were invalid: Limit should be less than or equal to 1000'),
    )
  })
})

describe('an iterator', () => {
  test('needs a shard that exists', async () => {
    await expect(db.iterator(arn, 'shardId-00000000000000000000-00000000', 'LATEST')).rejects.toMatchObject(
      notFound('Requested resource not found: Shard does not exist'),
    )
  })

  test('needs a sequence number just where its type says so', async () => {
    await expect(db.iterator(arn, shardId, 'AT_SEQUENCE_NUMBER')).rejects.toMatchObject({
      code: 'ValidationException',
    })
    await expect(db.iterator(arn, shardId, 'LATEST', '1'.repeat(21))).rejects.toMatchObject({
      code: 'ValidationException',
    })
    await expect(db.iterator(arn, shardId, 'AT_SEQUENCE_NUMBER', 'x'.repeat(21))).rejects.toMatchObject(
      invalid('Invalid SequenceNumber'),
    )
    await expect(db.iterator(arn, shardId, 'SOMEWHERE')).rejects.toMatchObject({ code: 'ValidationException' })
  })

  test('stands within its shard', async () => {
    const [record] = await db.readShard(arn, shardId)
    const number = record?.dynamodb.SequenceNumber ?? ''
    const before = (BigInt(number) - 2n ** 30n).toString()
    await expect(db.iterator(arn, shardId, 'AT_SEQUENCE_NUMBER', before)).rejects.toMatchObject(
      invalid('Invalid SequenceNumber for the shard'),
    )
    await db.disable('orders')
    await expect(db.iterator(arn, shardId, 'AT_SEQUENCE_NUMBER', '9'.repeat(40))).rejects.toMatchObject(
      invalid('Invalid SequenceNumber for the shard'),
    )
    const end = await db.iterator(arn, shardId, 'AFTER_SEQUENCE_NUMBER', number)
    expect(await db.records(end)).toEqual({ Records: [] })
  })

  test('that nobody gave out is invalid', async () => {
    const iterator = await db.iterator(arn, shardId, 'TRIM_HORIZON')
    const at = iterator.lastIndexOf('|') + 5
    const changed = `${iterator.slice(0, at)}${iterator[at] === 'A' ? 'B' : 'A'}${iterator.slice(at + 1)}`
    for (const text of [
      'x',
      '|||',
      '|1|',
      `${arn}|1|AAAA`,
      changed,
      iterator.slice(1),
      `${iterator}|`,
      '\u{1F600}'.repeat(99),
    ]) {
      await expect(db.records(text)).rejects.toMatchObject(invalid('Invalid ShardIterator'))
    }
  })

  test('expires after 15 minutes', async () => {
    const iterator = await db.iterator(arn, shardId, 'TRIM_HORIZON')
    db.clock.nowMs += 15 * minuteMs
    const page = await db.records(iterator)
    expect(page.Records).toHaveLength(1)
    db.clock.nowMs += 1
    await expect(db.records(iterator)).rejects.toMatchObject({ code: 'ExpiredIteratorException' })
    expect((await db.records(page.NextShardIterator ?? '')).Records).toEqual([])
  })
})

describe('what has passed the horizon', () => {
  test('is trimmed data to whoever has a sequence number or an iterator from before', async () => {
    const [record] = await db.readShard(arn, shardId)
    db.clock.nowMs += 24 * hourMs - minuteMs
    const early = await db.iterator(arn, shardId, 'TRIM_HORIZON')
    expect((await db.records(early)).Records).toHaveLength(1)
    db.clock.nowMs += 2 * minuteMs
    const trimmed = { code: 'TrimmedDataAccessException' }
    await expect(db.records(early)).rejects.toMatchObject(trimmed)
    await expect(
      db.iterator(arn, shardId, 'AT_SEQUENCE_NUMBER', record?.dynamodb.SequenceNumber),
    ).rejects.toMatchObject(trimmed)
    const late = await db.iterator(arn, shardId, 'TRIM_HORIZON')
    expect((await db.records(late)).Records).toEqual([])
  })

  test('is no trimmed data to a consumer who has read all there was', async () => {
    db.clock.nowMs += 24 * hourMs - minuteMs
    const page = await db.records(await db.iterator(arn, shardId, 'TRIM_HORIZON'))
    expect(page.Records).toHaveLength(1)
    db.clock.nowMs += 2 * minuteMs
    expect((await db.records(page.NextShardIterator ?? '')).Records).toEqual([])
  })
})
