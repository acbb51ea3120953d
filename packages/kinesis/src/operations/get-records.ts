import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { GetRecordsInput } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { readRecords } from '../records/read-records.ts'
import { assertNotExpired, decodeShardIterator, encodeShardIterator } from '../records/shard-iterator.ts'
import { childShards } from '../shards/describe-shard.ts'
import { namedStream } from '../streams/named-stream.ts'
import { shardName } from '../streams/stream-definition.ts'
import { invalidArgument, shardMissing } from '../streams/stream-errors.ts'

const mostRecords = 10_000

export async function getRecords(kinesis: Kinesis, scope: Scope, input: GetRecordsInput) {
  const iterator = decodeShardIterator(scope, input.ShardIterator)
  const { streamName, shard } = iterator
  if (input.StreamARN !== undefined && namedStream(scope, input) !== streamName) {
    throw invalidArgument('Invalid ShardIterator.')
  }
  assertNotExpired(iterator, kinesis.clock)
  const stream = await kinesis.streamBook.find(scope, streamName)
  if (stream?.id !== iterator.streamId) throw shardMissing(scope, streamName, shardName(shard))
  if (kinesis.throughput?.takesRead(stream.id, shard) === false) {
    throw new ServiceError(
      'ProvisionedThroughputExceededException',
      `Rate exceeded for shard ${shardName(shard)} in stream ${streamName} under account ${scope.accountId}.`,
    )
  }
  const page = await readRecords(kinesis, stream, shard, iterator.position, input.Limit ?? mostRecords)
  if (page === undefined) throw shardMissing(scope, streamName, shardName(shard))
  kinesis.throughput?.charge(stream.id, shard, page.sizeBytes)
  const { records, nextPosition: position, millisBehindLatest } = page
  if (position !== undefined) {
    const next = { ...iterator, position, createdAtMs: kinesis.clock.steady() }
    return {
      Records: records,
      NextShardIterator: encodeShardIterator(scope, next),
      MillisBehindLatest: millisBehindLatest,
    }
  }
  const { shards } = await kinesis.streamBook.require(scope, streamName, true)
  return { Records: records, MillisBehindLatest: millisBehindLatest, ChildShards: childShards(shards, shard) }
}
