import type { Scope } from '@hashrange/engine'
import type { GetShardIteratorInput } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { encodeShardIterator } from '../records/shard-iterator.ts'
import { afterLast, sequenceSince } from '../records/start-position.ts'
import { readSequenceNumber } from '../shards/sequence-number.ts'
import { namedStream } from '../streams/named-stream.ts'
import { shardName, shardOfName, type StreamDefinition } from '../streams/stream-definition.ts'
import { invalidArgument, shardMissing, shardNotFound } from '../streams/stream-errors.ts'

export async function getShardIterator(kinesis: Kinesis, scope: Scope, input: GetShardIteratorInput) {
  const streamName = namedStream(scope, input)
  const shard = shardOfName(input.ShardId)
  if (shard === undefined) throw shardNotFound(scope, streamName, input.ShardId)
  let stream = await kinesis.streamBook.require(scope, streamName)
  // It may be newer than what is known of the stream.
  if (!hasShard(stream, shard)) stream = await kinesis.streamBook.require(scope, streamName, true)
  if (!hasShard(stream, shard)) throw shardMissing(scope, streamName, shardName(shard))
  const position = await startPosition(kinesis, scope, stream, shard, input)
  const createdAtMs = kinesis.clock.steady()
  return {
    ShardIterator: encodeShardIterator(scope, { streamName, streamId: stream.id, shard, position, createdAtMs }),
  }
}

function hasShard({ shards }: StreamDefinition, shard: number): boolean {
  return shards.some((candidate) => candidate.shard === shard)
}

async function startPosition(
  kinesis: Kinesis,
  scope: Scope,
  stream: StreamDefinition,
  shard: number,
  input: GetShardIteratorInput,
): Promise<bigint> {
  const { ShardIteratorType: type, StartingSequenceNumber, Timestamp } = input
  switch (type) {
    case 'AT_SEQUENCE_NUMBER':
    case 'AFTER_SEQUENCE_NUMBER': {
      if (StartingSequenceNumber === undefined) throw wrongCombination(type, 'no StartingSequenceNumber')
      const sequence = readStart(scope, stream, shard, StartingSequenceNumber)
      return type === 'AT_SEQUENCE_NUMBER' ? sequence : sequence + 1n
    }
    case 'TRIM_HORIZON':
    case 'LATEST':
      if (StartingSequenceNumber !== undefined) throw wrongCombination(type, 'also a StartingSequenceNumber')
      return type === 'LATEST' ? afterLast(kinesis, stream, shard) : 0n
    case 'AT_TIMESTAMP':
      return positionAt(kinesis, Timestamp)
    default:
      throw new Error(`an unknown kind of iterator: ${String(type)}`)
  }
}

function readStart({ accountId }: Scope, { name, shards }: StreamDefinition, shard: number, text: string): bigint {
  const read = readSequenceNumber(text)
  const used = `StartingSequenceNumber ${text} used in GetShardIterator on shard ${shardName(shard)} in stream ${name} under account ${accountId}`
  if (read === undefined) throw invalidArgument(`${used} is invalid.`)
  if (read.shard !== shard) {
    throw invalidArgument(
      `Invalid StartingSequenceNumber. It encodes ${shardName(read.shard)}, while it was used in a call to a shard with ${shardName(shard)}`,
    )
  }
  const opened = shards.find((candidate) => candidate.shard === shard)?.openedAt
  if (read.sequence < BigInt(opened ?? 0)) {
    throw invalidArgument(`${used} is invalid because it did not come from this stream.`)
  }
  return read.sequence
}

function positionAt(kinesis: Kinesis, seconds: number | undefined): bigint {
  if (seconds === undefined) {
    throw invalidArgument(
      'Must specify timestampInMillis parameter for iterator of type AT_TIMESTAMP. Current request has no timestamp parameter.',
    )
  }
  const { nowMs } = kinesis.clock.look()
  const atMs = seconds * 1000
  // The clock of a client may be a little ahead.
  if (atMs > nowMs + 60_000) {
    throw invalidArgument(
      `The timestampInMillis parameter cannot be greater than the currentTimestampInMillis. timestampInMillis: ${Math.round(atMs)}, currentTimestampInMillis: ${Math.round(nowMs)}`,
    )
  }
  return sequenceSince(kinesis, atMs)
}

function wrongCombination(type: string, specified: string): Error {
  return invalidArgument(
    `Must either specify (1) AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER and StartingSequenceNumber or (2) TRIM_HORIZON or LATEST and no StartingSequenceNumber. Request specified ${type} and ${specified}.`,
  )
}
