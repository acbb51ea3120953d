import type { Scope } from '@hashrange/engine'
import type { Kinesis } from '../kinesis.ts'
import { readSequenceNumber } from '../shards/sequence-number.ts'
import { streamOfArn } from '../streams/named-stream.ts'
import { isOpen, shardName, shardOfName, type StreamDefinition } from '../streams/stream-definition.ts'
import { readRecords } from './read-records.ts'
import { afterLast, sequenceSince } from './start-position.ts'

/** A shard, as its consumers know it. */
export interface ReadShard {
  readonly id: string
  /** The shards whose records come before this one's, as far as they are still there. */
  readonly parentIds: readonly string[]
  readonly isClosed: boolean
}

export interface ReadRecord {
  readonly sequence: bigint
  readonly sequenceNumber: string
  readonly atMs: number
  readonly partitionKey: string
  readonly data: Buffer
}

export interface ReadPage {
  readonly records: readonly ReadRecord[]
  /** Undefined if the shard is closed and nothing is left in it. */
  readonly nextPosition: bigint | undefined
}

/** Reads streams without iterators, and without being counted as a client. Throws the service's errors. */
export interface ShardReader {
  /** The accounts and regions that have a stream of this name. */
  scopesOf(streamName: string): Promise<readonly Scope[]>
  /** Parents come before their children. */
  shards(scope: Scope, streamArn: string): Promise<readonly ReadShard[]>
  /** Where a consumer starts that wants everything, only what comes after now, or what was put since a time. */
  start(
    scope: Scope,
    streamArn: string,
    shardId: string,
    from: 'TRIM_HORIZON' | 'LATEST' | { readonly atMs: number },
  ): Promise<bigint>
  read(scope: Scope, streamArn: string, shardId: string, position: bigint, limit: number): Promise<ReadPage>
}

/** A shard that is no longer there has passed the horizon, and all of its records with it. */
const over: ReadPage = { records: [], nextPosition: undefined }

export function shardReader(kinesis: Kinesis): ShardReader {
  const find = (scope: Scope, arn: string, isFresh = false): Promise<StreamDefinition> =>
    kinesis.streamBook.require(scope, streamOfArn(scope, arn), isFresh)
  return {
    scopesOf: async (streamName) =>
      (await kinesis.streamBook.all()).flatMap(({ scope, record }) => (record.name === streamName ? [scope] : [])),
    async shards(scope, arn) {
      const { shards } = await find(scope, arn, true)
      const listed = new Set(shards.map(({ shard }) => shard))
      return shards.map((one) => ({
        id: shardName(one.shard),
        parentIds: [one.parent, one.adjacentParent].flatMap((parent) =>
          parent !== undefined && listed.has(parent) ? [shardName(parent)] : [],
        ),
        isClosed: !isOpen(one),
      }))
    },
    async start(scope, arn, shardId, from) {
      if (from === 'TRIM_HORIZON') return 0n
      if (from !== 'LATEST') return sequenceSince(kinesis, from.atMs)
      return afterLast(kinesis, await find(scope, arn), shardOfName(shardId) ?? -1)
    },
    async read(scope, arn, shardId, position, limit) {
      const shard = shardOfName(shardId)
      const page =
        shard === undefined ? undefined : await readRecords(kinesis, await find(scope, arn), shard, position, limit)
      if (page === undefined) return over
      return {
        records: page.records.map(({ SequenceNumber, ApproximateArrivalTimestamp, PartitionKey, Data }) => ({
          sequence: readSequenceNumber(SequenceNumber)?.sequence ?? 0n,
          sequenceNumber: SequenceNumber,
          atMs: ApproximateArrivalTimestamp.getTime(),
          partitionKey: PartitionKey,
          data: Data,
        })),
        nextPosition: page.nextPosition,
      }
    },
  }
}
