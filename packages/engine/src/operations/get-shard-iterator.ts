import { ServiceError } from '@hashrange/core'
import type { GetShardIteratorInput } from '../api/stream-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { horizonMsOf } from '../streams/read-records.ts'
import { readSequenceNumber } from '../streams/sequence-number.ts'
import { encodeShardIterator } from '../streams/shard-iterator.ts'
import { shardName, visibleShards } from '../streams/shard.ts'
import { startPosition } from '../streams/start-position.ts'
import { requireStream } from '../streams/stream.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'

export interface GetShardIteratorOutput {
  readonly ShardIterator: string
}

export async function getShardIterator(
  engine: EngineParts,
  scope: Scope,
  input: GetShardIteratorInput,
): Promise<GetShardIteratorOutput> {
  const { StreamArn: streamArn, ShardIteratorType: type } = input
  const sequence = readSequence(input)
  const { table, label } = requireStream(engine, scope, streamArn)
  const shard = visibleShards(table, label, horizonMsOf(engine)).find(
    (candidate) => shardName(candidate) === input.ShardId,
  )
  if (shard === undefined) {
    throw new ServiceError('ResourceNotFoundException', 'Requested resource not found: Shard does not exist')
  }
  const position = await startPosition(engine, table.tableId, shard, type, sequence)
  const { tableId } = table
  const { shardId } = shard
  return {
    ShardIterator: encodeShardIterator({
      streamArn,
      tableId,
      shardId,
      position,
      createdAtMs: engine.clock.steady(),
    }),
  }
}

function readSequence({ ShardIteratorType: type, SequenceNumber: number }: GetShardIteratorInput): bigint {
  const isNeeded = type === 'AT_SEQUENCE_NUMBER' || type === 'AFTER_SEQUENCE_NUMBER'
  if (isNeeded && number === undefined) {
    throw invalidParameter(`SequenceNumber must be specified for ShardIteratorType: ${type}`)
  }
  if (!isNeeded && number !== undefined) {
    throw invalidParameter(`SequenceNumber must not be specified for ShardIteratorType: ${type}`)
  }
  return number === undefined ? 0n : readSequenceNumber(number)
}
