import { expect, test } from 'vitest'
import { base64, openKinesisEngine } from './testing/kinesis-engine.ts'

const StreamName = 'orders'

test('records come back in the order in which they were put, and iterators of all kinds start where they say', async () => {
  const { kinesis, readShard, advance, close } = await openKinesisEngine()
  await kinesis('CreateStream', { StreamName, ShardCount: 1 })
  const numbers: string[] = []
  for (let count = 0; count < 5; count++) {
    const put = await kinesis('PutRecord', { StreamName, PartitionKey: `k${count}`, Data: base64(`d${count}`) })
    numbers.push(put.SequenceNumber)
    advance(1_000)
  }
  expect(numbers).toEqual(numbers.toSorted())
  expect(numbers[0]).toMatch(/^\d{56}$/)
  const shard = 'shardId-000000000000'
  const texts = async (position?: Record<string, unknown>): Promise<string[]> =>
    (await readShard(StreamName, shard, position)).map(({ Data }) => Data.toString())
  expect(await texts()).toEqual(['d0', 'd1', 'd2', 'd3', 'd4'])
  const at = { ShardIteratorType: 'AT_SEQUENCE_NUMBER', StartingSequenceNumber: numbers[2] }
  expect(await texts(at)).toEqual(['d2', 'd3', 'd4'])
  expect(await texts({ ...at, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' })).toEqual(['d3', 'd4'])
  expect(await texts({ ShardIteratorType: 'LATEST' })).toEqual([])
  const [, , , third] = await readShard(StreamName, shard)
  const Timestamp = (third?.ApproximateArrivalTimestamp.getTime() ?? 0) / 1000
  expect(await texts({ ShardIteratorType: 'AT_TIMESTAMP', Timestamp })).toEqual(['d3', 'd4'])

  const { ShardIterator } = await kinesis('GetShardIterator', {
    StreamName,
    ShardId: shard,
    ShardIteratorType: 'LATEST',
  })
  await kinesis('PutRecord', { StreamName, PartitionKey: 'k', Data: base64('new') })
  const page = await kinesis('GetRecords', { ShardIterator })
  expect(page.Records.map(({ Data }) => Data.toString())).toEqual(['new'])
  const limited = await kinesis('GetShardIterator', {
    StreamName,
    ShardId: shard,
    ShardIteratorType: 'TRIM_HORIZON',
  })
  const first = await kinesis('GetRecords', { ShardIterator: limited.ShardIterator, Limit: 2 })
  expect(first.Records).toHaveLength(2)
  expect(first.MillisBehindLatest).toBe(3_000)
  await close()
})

test('iterators expire after five minutes, and are neither guessed nor moved to another stream', async () => {
  const { kinesis, kinesisRefusal, advance, close } = await openKinesisEngine()
  await kinesis('CreateStream', { StreamName, ShardCount: 1 })
  await kinesis('CreateStream', { StreamName: 'others', ShardCount: 1 })
  const { ShardIterator } = await kinesis('GetShardIterator', {
    StreamName,
    ShardId: 'shardId-000000000000',
    ShardIteratorType: 'LATEST',
  })
  const moved = ShardIterator.replace('orders', 'others')
  expect(await kinesisRefusal('GetRecords', { ShardIterator: moved })).toMatchObject({
    code: 'InvalidArgumentException',
    message: 'Invalid ShardIterator.',
  })
  expect(await kinesisRefusal('GetRecords', { ShardIterator: 'a/b%41' })).toMatchObject({
    code: 'InvalidArgumentException',
  })
  advance(299_000)
  await kinesis('GetRecords', { ShardIterator })
  advance(2_000)
  expect(await kinesisRefusal('GetRecords', { ShardIterator })).toMatchObject({ code: 'ExpiredIteratorException' })
  await close()
})

test('a reshard closes parents and leads readers to their children', async () => {
  const { kinesis, kinesisRefusal, close } = await openKinesisEngine()
  await kinesis('CreateStream', { StreamName, ShardCount: 1 })
  const { ShardIterator } = await kinesis('GetShardIterator', {
    StreamName,
    ShardId: 'shardId-000000000000',
    ShardIteratorType: 'TRIM_HORIZON',
  })
  await kinesis('PutRecord', { StreamName, PartitionKey: 'a', Data: base64('before') })
  const middle = (2n ** 127n).toString()
  const ShardToSplit = 'shardId-000000000000'
  await kinesis('SplitShard', { StreamName, ShardToSplit, NewStartingHashKey: middle })
  expect(
    await kinesisRefusal('SplitShard', { StreamName, ShardToSplit, NewStartingHashKey: middle }),
  ).toMatchObject({ code: 'ResourceInUseException' })
  const after = await kinesis('PutRecord', { StreamName, PartitionKey: 'a', ExplicitHashKey: '0', Data: '' })
  expect(after.ShardId).toBe('shardId-000000000001')
  const page = await kinesis('GetRecords', { ShardIterator })
  expect(page.Records).toHaveLength(1)
  expect(page.NextShardIterator).toBeUndefined()
  expect(page.ChildShards?.map(({ ShardId }) => ShardId)).toEqual(['shardId-000000000001', 'shardId-000000000002'])
  await kinesis('MergeShards', {
    StreamName,
    ShardToMerge: 'shardId-000000000002',
    AdjacentShardToMerge: 'shardId-000000000001',
  })
  const { Shards } = await kinesis('ListShards', { StreamName })
  expect(Shards.at(-1)).toMatchObject({
    ShardId: 'shardId-000000000003',
    ParentShardId: 'shardId-000000000002',
    AdjacentParentShardId: 'shardId-000000000001',
    HashKeyRange: { StartingHashKey: '0', EndingHashKey: (2n ** 128n - 1n).toString() },
  })
  const latest = await kinesis('ListShards', { StreamName, ShardFilter: { Type: 'AT_LATEST' } })
  expect(latest.Shards.map(({ ShardId }) => ShardId)).toEqual(['shardId-000000000003'])
  const horizon = await kinesis('ListShards', { StreamName, ShardFilter: { Type: 'AT_TRIM_HORIZON' } })
  expect(horizon.Shards.map(({ ShardId }) => ShardId)).toEqual(['shardId-000000000000'])
  await close()
})

test('lists of shards continue with a token', async () => {
  const { kinesis, kinesisRefusal, advance, close } = await openKinesisEngine()
  await kinesis('CreateStream', { StreamName, ShardCount: 5 })
  const first = await kinesis('ListShards', { StreamName, MaxResults: 3 })
  const second = await kinesis('ListShards', { NextToken: first.NextToken, MaxResults: 3 })
  expect([...first.Shards, ...second.Shards]).toHaveLength(5)
  expect(second.NextToken).toBeUndefined()
  advance(301_000)
  expect(await kinesisRefusal('ListShards', { NextToken: first.NextToken })).toMatchObject({
    code: 'ExpiredNextTokenException',
  })
  await close()
})

test('records are kept for the retention period, and closed shards with them', async () => {
  const { kinesis, kinesisRefusal, readShard, advance, trim, countKeys, close } = await openKinesisEngine()
  await kinesis('CreateStream', { StreamName, ShardCount: 1 })
  const put = (): Promise<unknown> => kinesis('PutRecord', { StreamName, PartitionKey: 'a', Data: base64('x') })
  await put()
  await kinesis('SplitShard', {
    StreamName,
    ShardToSplit: 'shardId-000000000000',
    NewStartingHashKey: '7',
  })
  advance(23 * 3_600_000)
  await put()
  await trim()
  expect(await readShard(StreamName, 'shardId-000000000000')).toHaveLength(1)
  advance(2 * 3_600_000)
  expect(await readShard(StreamName, 'shardId-000000000000')).toHaveLength(0)
  await trim()
  const { Shards } = await kinesis('ListShards', { StreamName })
  expect(Shards.map(({ ShardId }) => ShardId)).toEqual(['shardId-000000000001', 'shardId-000000000002'])
  expect(await readShard(StreamName, 'shardId-000000000002')).toHaveLength(1)
  expect(await countKeys({ from: Buffer.of(0x6b), to: Buffer.of(0x6c) })).toBe(1)
  expect(
    await kinesisRefusal('IncreaseStreamRetentionPeriod', { StreamName, RetentionPeriodHours: 9_000 }),
  ).toMatchObject({ code: 'InvalidArgumentException' })
  await kinesis('IncreaseStreamRetentionPeriod', { StreamName, RetentionPeriodHours: 48 })
  advance(25 * 3_600_000)
  expect(await readShard(StreamName, 'shardId-000000000002')).toHaveLength(1)
  await close()
})

test('a deleted stream is gone, with its records, and another of its name is another', async () => {
  const { kinesis, kinesisRefusal, engine, countKeys, close } = await openKinesisEngine()
  await kinesis('CreateStream', { StreamName, ShardCount: 2 })
  await kinesis('PutRecord', { StreamName, PartitionKey: 'a', Data: base64('x') })
  const { ShardIterator } = await kinesis('GetShardIterator', {
    StreamName,
    ShardId: 'shardId-000000000000',
    ShardIteratorType: 'TRIM_HORIZON',
  })
  await kinesis('DeleteStream', { StreamName })
  expect(await kinesisRefusal('PutRecord', { StreamName, PartitionKey: 'a', Data: '' })).toMatchObject({
    code: 'ResourceNotFoundException',
    message: 'Stream orders under account 123456789012 not found.',
  })
  await engine.background.idle()
  expect(await countKeys({ from: Buffer.of(0x68), to: Buffer.of(0x6c) })).toBe(0)
  await kinesis('CreateStream', { StreamName, ShardCount: 1 })
  expect(await kinesisRefusal('GetRecords', { ShardIterator })).toMatchObject({ code: 'ResourceNotFoundException' })
  await close()
})

test('with throttling enforced, a batch fails in part', async () => {
  const { kinesis, advance, close } = await openKinesisEngine(undefined, { throttling: 'enforce' })
  await kinesis('CreateStream', { StreamName, ShardCount: 1 })
  const Data = Buffer.alloc(400_000).toString('base64')
  const Records = Array.from({ length: 4 }, () => ({ PartitionKey: 'a', Data }))
  const put = () => kinesis<{ FailedRecordCount: number; Records: object[] }>('PutRecords', { StreamName, Records })
  const answer = await put()
  expect(answer.FailedRecordCount).toBe(2)
  expect(answer.Records[3]).toMatchObject({
    ErrorCode: 'ProvisionedThroughputExceededException',
    ErrorMessage: 'Rate exceeded for shard shardId-000000000000 in stream orders under account 123456789012.',
  })
  advance(1_000)
  expect((await put()).FailedRecordCount).toBe(2)
  await close()
})

test('what is wrong with a request is said in the words of Kinesis', async () => {
  const { kinesis, kinesisRefusal, close } = await openKinesisEngine()
  expect(await kinesisRefusal('CreateStream', { StreamName: 'a%41', ShardCount: 1 })).toMatchObject({
    code: 'ValidationException',
    message: expect.stringContaining("Value 'a%41' at 'streamName' failed to satisfy constraint") as string,
  })
  // Without a mode and a number of shards, a stream is on demand.
  await kinesis('CreateStream', { StreamName })
  expect(await kinesis('DescribeStreamSummary', { StreamName })).toMatchObject({
    StreamDescriptionSummary: { StreamModeDetails: { StreamMode: 'ON_DEMAND' }, OpenShardCount: 4 },
  })
  expect(await kinesisRefusal('CreateStream', { StreamName, ShardCount: 1 })).toMatchObject({
    code: 'ResourceInUseException',
    message: 'Stream orders under account 123456789012 already exists.',
  })
  expect(await kinesisRefusal('CreateStream', { StreamName: 'big', ShardCount: 100_000 })).toMatchObject({
    code: 'LimitExceededException',
  })
  const put = { StreamName, PartitionKey: 'a', Data: '' }
  expect(await kinesisRefusal('PutRecord', { ...put, ExplicitHashKey: (2n ** 128n).toString() })).toMatchObject({
    code: 'InvalidArgumentException',
  })
  expect(await kinesisRefusal('PutRecord', { ...put, Data: 'not base64' })).toMatchObject({
    code: 'SerializationException',
  })
  const tooLong = Buffer.alloc(2 ** 20 + 1).toString('base64')
  expect(await kinesisRefusal('PutRecord', { ...put, Data: tooLong })).toMatchObject({
    code: 'ValidationException',
  })
  const ResourceARN = 'arn:aws:kinesis:eu-west-1:123456789012:stream/orders'
  expect(await kinesisRefusal('TagResource', { ResourceARN, Tags: { ['k'.repeat(129)]: 'v' } })).toMatchObject({
    code: 'ValidationException',
  })
  await kinesis('TagResource', {
    ResourceARN,
    Tags: JSON.parse('{"__proto__":"x","a":"b"}') as object,
  })
  expect(await kinesis('ListTagsForStream', { StreamName })).toMatchObject({
    Tags: [
      { Key: '__proto__', Value: 'x' },
      { Key: 'a', Value: 'b' },
    ],
  })
  await close()
})
