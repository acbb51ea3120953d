import { ServiceError, validationException } from '@hashrange/core'
import type { GetRecordsInput } from '../api/stream-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import type { StreamRecord } from '../streams/describe-record.ts'
import { readRecords } from '../streams/read-records.ts'
import { assertNotExpired, decodeShardIterator, encodeShardIterator } from '../streams/shard-iterator.ts'
import { requireStream } from '../streams/stream.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'

export interface GetRecordsOutput {
  readonly Records: readonly StreamRecord[]
  readonly NextShardIterator?: string
}

const maximumLimit = 1_000

export async function getRecords(
  engine: EngineParts,
  scope: Scope,
  input: GetRecordsInput,
): Promise<GetRecordsOutput> {
  const { ShardIterator: text, Limit: limit = maximumLimit } = input
  const iterator = decodeShardIterator(text)
  assertNotExpired(iterator, engine.clock)
  if (limit > maximumLimit) throw invalidParameter(`Limit should be less than or equal to ${maximumLimit}`)
  const stream = requireStream(engine, scope, iterator.streamArn)
  if (stream.table.tableId !== iterator.tableId) throw validationException('Invalid ShardIterator')
  const isThere = stream.table.shards?.some(
    ({ shardId, streamLabel }) => shardId === iterator.shardId && streamLabel === stream.label,
  )
  if (isThere !== true) {
    throw new ServiceError('ResourceNotFoundException', 'Invalid ShardId in ShardIterator')
  }
  const page = await readRecords(engine, stream, iterator.shardId, iterator.position, limit)
  const { nextPosition } = page
  const records = page.records.map(({ record }) => record)
  if (nextPosition === undefined) return { Records: records }
  return {
    NextShardIterator: encodeShardIterator({
      ...iterator,
      position: nextPosition,
      createdAtMs: engine.clock.steady(),
    }),
    Records: records,
  }
}
