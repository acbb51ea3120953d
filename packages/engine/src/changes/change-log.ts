import type { ShardDefinition, TableDefinition } from '../catalog/table-definition.ts'
import { sequenceAt } from '../store/sequence.ts'

/** What a table's change log keeps of each change. */
export interface ChangeLog {
  readonly keepsOld: boolean
  readonly keepsNew: boolean
  /** The shards that are written to: together they hold every hash once. */
  readonly openShards: readonly ShardDefinition[]
}

/** The log of a table that a stream or point-in-time recovery needs; a table with neither has none, and pays nothing. */
export function changeLogOf(definition: TableDefinition): ChangeLog | undefined {
  const streamed = definition.stream?.enabled === true ? definition.stream.viewType : undefined
  const recoverable = definition.recovery !== undefined
  if (streamed === undefined && !recoverable) return undefined
  return {
    keepsOld: recoverable || streamed === 'OLD_IMAGE' || streamed === 'NEW_AND_OLD_IMAGES',
    keepsNew: recoverable || streamed === 'NEW_IMAGE' || streamed === 'NEW_AND_OLD_IMAGES',
    openShards: (definition.shards ?? []).filter(({ closedAt }) => closedAt === undefined),
  }
}

/** The shard that holds a partition key's changes. `hash` is the first four bytes of the key's hash, as a number. */
export function shardOf(openShards: readonly ShardDefinition[], hash: number): ShardDefinition {
  for (const shard of openShards) if (hash >= shard.fromHash && hash < shard.toHash) return shard
  throw new Error('the open shards leave a gap')
}

/** Opens and closes shards as a changed definition needs: a stream begins with shards of its own, so that it shows nothing
 *  from before it was enabled, and nothing is written to them once it is disabled. */
export function withLogOf(before: TableDefinition | undefined, after: TableDefinition, nowMs: number): TableDefinition {
  const openStream = (definition: TableDefinition | undefined): string | undefined =>
    definition?.stream?.enabled === true ? definition.stream.label : undefined
  const isKept = before !== undefined && changeLogOf(before) !== undefined
  const isNeeded = changeLogOf(after) !== undefined
  if (isKept === isNeeded && openStream(before) === openStream(after)) return after
  const sequence = sequenceAt(nowMs).toString()
  const closed = (after.shards ?? []).map((shard) =>
    shard.closedAt === undefined ? { ...shard, closedAt: sequence } : shard,
  )
  const opened = isNeeded ? newShards(after.nextShardId ?? 0, sequence) : []
  return {
    ...after,
    ...(closed.length + opened.length > 0 && { shards: [...closed, ...opened] }),
    ...(opened.length > 0 && { nextShardId: (after.nextShardId ?? 0) + opened.length }),
  }
}

/** As many as a new table has in the service. */
const firstShards = 4

function newShards(nextShardId: number, openedAt: string): readonly ShardDefinition[] {
  const width = 2 ** 32 / firstShards
  return Array.from({ length: firstShards }, (_, part) => ({
    shardId: nextShardId + part,
    fromHash: width * part,
    toHash: width * (part + 1),
    openedAt,
  }))
}
