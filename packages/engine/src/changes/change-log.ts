import { partitionsFor, provisionedPartitions } from '../partitions/partition-limits.ts'
import type { PastStream, ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { changeLogKey } from '../layout/key-space.ts'
import type { Key } from '../store/store.ts'
import { newShardSequence } from './replace-shard.ts'
import { ShardHeat } from './shard-heat.ts'

/** What a table's change log keeps of each change. */
export interface ChangeLog {
  readonly keepsOld: boolean
  readonly keepsNew: boolean
  /** The shards that are written to: together they cover every hash once. */
  readonly openShards: readonly OpenShard[]
}

export interface OpenShard {
  readonly shardId: number
  readonly fromHash: number
  readonly toHash: number
  /** The log to which its changes are appended. */
  readonly log: Key
  readonly heat: ShardHeat
}

/** The log of a table that a stream, point-in-time recovery or a service needs. Other tables have none, and pay nothing.
 *  Shards that were already open in `previous` keep their measurements. */
export function changeLogOf(definition: TableDefinition, previous?: ChangeLog): ChangeLog | undefined {
  const streamed = definition.stream?.enabled === true ? definition.stream.viewType : undefined
  const keepsAll = definition.recovery !== undefined || (definition.logHolders?.length ?? 0) > 0
  if (streamed === undefined && !keepsAll) return undefined
  return {
    keepsOld: keepsAll || streamed === 'OLD_IMAGE' || streamed === 'NEW_AND_OLD_IMAGES',
    keepsNew: keepsAll || streamed === 'NEW_IMAGE' || streamed === 'NEW_AND_OLD_IMAGES',
    openShards: (definition.shards ?? [])
      .filter(({ closedAt }) => closedAt === undefined)
      .map((shard) => openShardOf(definition.tableId, shard, previous)),
  }
}

function openShardOf(tableId: number, shard: ShardDefinition, previous: ChangeLog | undefined): OpenShard {
  const { shardId, fromHash, toHash } = shard
  return (
    previous?.openShards.find((open) => open.shardId === shardId) ?? {
      shardId,
      fromHash,
      toHash,
      log: changeLogKey(tableId, shardId),
      heat: new ShardHeat((fromHash + toHash) / 2),
    }
  )
}

/** The shard for the changes of a partition key. `hash` is the first four bytes of the key's hash, as a number. */
export function shardOf(openShards: readonly OpenShard[], hash: number): OpenShard {
  for (const shard of openShards) if (hash >= shard.fromHash && hash < shard.toHash) return shard
  throw new Error('the open shards leave a gap')
}

/** Opens and closes shards as a changed definition requires: a stream starts with shards of its own, so that it shows
 *  nothing from before it was enabled, and nothing is written to them once it is disabled. */
export function withLogOf(
  before: TableDefinition | undefined,
  after: TableDefinition,
  steadyMs: number,
): TableDefinition {
  const isKept = before !== undefined && changeLogOf(before) !== undefined
  const isNeeded = changeLogOf(after) !== undefined
  const streamLabel = enabledLabel(after)
  if (isKept === isNeeded && enabledLabel(before) === streamLabel) return after
  const sequence = newShardSequence(after, steadyMs)
  const closed = (after.shards ?? []).map((shard) =>
    shard.closedAt === undefined ? { ...shard, closedAt: sequence } : shard,
  )
  const opened = isNeeded ? firstShards(after, sequence, streamLabel) : []
  const pastStreams = pastStreamsOf(before, after, steadyMs)
  return {
    ...after,
    ...(pastStreams.length > 0 && { pastStreams }),
    ...(closed.length + opened.length > 0 && { shards: [...closed, ...opened] }),
    ...(opened.length > 0 && { nextShardId: (after.nextShardId ?? 0) + opened.length }),
  }
}

/** What remains of a deleted table: its log, closed, and the streams that show it. */
export function withLogClosed(definition: TableDefinition, steadyMs: number): TableDefinition {
  const { stream, recovery: _, logHolders: __, ...rest } = definition
  return withLogOf(
    definition,
    stream === undefined ? rest : { ...rest, stream: { ...stream, enabled: false } },
    steadyMs,
  )
}

function enabledLabel(definition: TableDefinition | undefined): string | undefined {
  return definition?.stream?.enabled === true ? definition.stream.label : undefined
}

/** A stream that is enabled again in the same millisecond has the same name, and is the same stream. */
function pastStreamsOf(
  before: TableDefinition | undefined,
  after: TableDefinition,
  steadyMs: number,
): readonly PastStream[] {
  const past = (after.pastStreams ?? []).filter(({ label }) => label !== enabledLabel(after))
  const disabled = before?.stream
  if (disabled?.enabled !== true || disabled.label === enabledLabel(after)) return past
  return [...past, { viewType: disabled.viewType, label: disabled.label, disabledAtMs: steadyMs }]
}

/** As many as the initial partitions of the table, as in the service: one for a small provisioned table, four on
 *  demand. */
function firstShardCount({ billing: { mode, throughput, warmThroughput } }: TableDefinition): number {
  const { readUnitsPerSecond = 0, writeUnitsPerSecond = 0 } = warmThroughput ?? {}
  const warm = partitionsFor(readUnitsPerSecond, writeUnitsPerSecond)
  const least = mode === 'PROVISIONED' ? provisionedPartitions(throughput.readUnits, throughput.writeUnits) : 4
  return Math.min(Math.max(least, warm), mostFirstShards)
}

/** Readers look into every shard, and hot ones are split anyway. */
const mostFirstShards = 64

function firstShards(
  definition: TableDefinition,
  openedAt: string,
  streamLabel: string | undefined,
): readonly ShardDefinition[] {
  const count = firstShardCount(definition)
  const nextShardId = definition.nextShardId ?? 0
  const start = (part: number): number => Math.floor((2 ** 32 * part) / count)
  return Array.from({ length: count }, (_, part) => ({
    shardId: nextShardId + part,
    ...(streamLabel !== undefined && { streamLabel }),
    fromHash: start(part),
    toHash: start(part + 1),
    openedAt,
  }))
}
