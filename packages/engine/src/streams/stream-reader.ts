import type { Scope } from '../scope.ts'
import { sequenceAt } from '../store/sequence.ts'
import { horizonMsOf, readRecords, type RecordPage } from './read-records.ts'
import { shardName, visibleShards } from './shard.ts'
import { startPosition } from './start-position.ts'
import { requireStream } from './stream.ts'
import type { Streaming } from './streaming.ts'

/** A shard of a stream, as its consumers know it. */
export interface StreamShard {
  readonly id: string
  /** The shard whose records come before this one's. It may no longer be there. */
  readonly parentId: string | undefined
  /** Whether nothing will be added to it. */
  readonly isClosed: boolean
}

/** Reads streams without iterators, and without being counted as a client. Throws the service's errors. */
export interface StreamReader {
  /** Parents come before their children. */
  shards(scope: Scope, streamArn: string): readonly StreamShard[]
  /** Where a consumer starts that wants everything, only what comes after now, or what was changed since a time. */
  start(
    scope: Scope,
    streamArn: string,
    shardId: string,
    from: 'TRIM_HORIZON' | 'LATEST' | { readonly atMs: number },
  ): Promise<bigint>
  read(scope: Scope, streamArn: string, shardId: string, position: bigint, limit: number): Promise<RecordPage>
}

export function streamReader(engine: Streaming): StreamReader {
  const find = (scope: Scope, streamArn: string, shardId: string) => {
    const stream = requireStream(engine, scope, streamArn)
    const shard = visibleShards(stream.table, stream.label, horizonMsOf(engine)).find(
      (candidate) => shardName(candidate) === shardId,
    )
    return { stream, shard }
  }
  return {
    shards(scope, streamArn) {
      const { table, label } = requireStream(engine, scope, streamArn)
      const shards = visibleShards(table, label, horizonMsOf(engine))
      const names = new Map(shards.map((shard) => [shard.shardId, shardName(shard)]))
      return shards.map((shard) => ({
        id: shardName(shard),
        parentId: shard.parentShardId === undefined ? undefined : names.get(shard.parentShardId),
        isClosed: shard.closedAt !== undefined,
      }))
    },
    async start(scope, streamArn, shardId, from) {
      const { stream, shard } = find(scope, streamArn, shardId)
      if (shard === undefined) return 0n
      if (typeof from === 'string') return startPosition(engine, stream.table.tableId, shard, from, 0n)
      const horizon = await startPosition(engine, stream.table.tableId, shard, 'TRIM_HORIZON', 0n)
      const position = sequenceAt(Math.max(0, engine.clock.steady() - Math.max(0, engine.clock.now() - from.atMs)))
      return position > horizon ? position : horizon
    },
    async read(scope, streamArn, shardId, position, limit) {
      const { stream, shard } = find(scope, streamArn, shardId)
      // A shard that is no longer there has passed the horizon, and all of its records with it.
      if (shard === undefined) return { records: [], nextPosition: undefined }
      return readRecords(engine, stream, shard.shardId, position, limit)
    },
  }
}
