import { ServiceError } from '@hashrange/core'
import { sequenceNumberOf, toJsonBytes, type Scope, type StreamReader, type TimedRecord } from '@hashrange/engine'
import type { ShardSource, SourceRecord } from './shard-source.ts'

/** A page of a stream has no more. */
const mostRecords = 1_000

/** A stream of DynamoDB as a source. */
export function streamSource(streams: StreamReader, scope: Scope, arn: string): ShardSource {
  return {
    arn,
    shards: () =>
      Promise.resolve(
        streams.shards(scope, arn).map(({ id, parentId, isClosed }) => ({
          id,
          parentIds: parentId === undefined ? [] : [parentId],
          isClosed,
        })),
      ),
    start: async (shardId, from) => (await streams.start(scope, arn, shardId, from)) - 1n,
    async read(shardId, after, limit) {
      try {
        const page = await streams.read(scope, arn, shardId, after + 1n, Math.min(limit, mostRecords))
        return {
          records: page.records.map((record) => sourceRecord(record, arn)),
          after: page.nextPosition === undefined ? after : page.nextPosition - 1n,
          isEnd: page.nextPosition === undefined,
        }
      } catch (error) {
        // What was not consumed within a day is gone, and the rest is consumed.
        if (!(error instanceof ServiceError) || error.code !== 'TrimmedDataAccessException') throw error
        const horizon = await streams.start(scope, arn, shardId, 'TRIM_HORIZON')
        return { records: [], after: horizon - 1n > after ? horizon - 1n : after, isEnd: false }
      }
    },
  }
}

/** Events name who made a change in lower case; the API of streams does not. */
function sourceRecord({ sequence, atMs, record }: TimedRecord, eventSourceARN: string): SourceRecord {
  const { userIdentity, ...rest } = record
  const told = userIdentity && { type: userIdentity.Type, principalId: userIdentity.PrincipalId }
  return {
    sequence,
    sequenceNumber: sequenceNumberOf(sequence),
    atMs,
    orderKey: toJsonBytes(record.dynamodb.Keys).toString('latin1'),
    json: toJsonBytes({ ...rest, ...(told && { userIdentity: told }), eventSourceARN }),
  }
}
