import { unlessNotFound } from '../catalog/catalog-errors.ts'
import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { isBeingRead } from '../cuts/cut-definition.ts'
import type { Streaming } from '../streams/streaming.ts'
import { changeLogKey, changeLogRange } from '../layout/key-space.ts'
import { unsentToAnySince } from '../replication/outgoing-changes.ts'
import { logEntryKey, sequenceAt, timeOfSequence } from '../store/sequence.ts'
import type { Range, Store } from '../store/store.ts'
import { iteratorLifetimeMs } from '../streams/shard-iterator.ts'
import type { Stopping } from '../work/background-work.ts'
import { deleteRange } from '../work/delete-range.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Removes from the start of each change log what nobody can request any longer. The cost depends on what it removes. */
export async function trimChangeLogs(engine: Streaming, stopping: Stopping): Promise<void> {
  for (const table of engine.catalog.all()) {
    const { definition } = table
    if (isBeingRead(definition)) continue
    const gone = await trimShards(engine, definition, stopping)
    if (stopping.aborted) return
    const keptFromMs = engine.clock.ago(engine.streamRetentionMs + iteratorLifetimeMs)
    const pastStreams = keptStreams(definition, keptFromMs)
    if (gone.size === 0 && pastStreams.length === (definition.pastStreams?.length ?? 0)) continue
    await unlessNotFound(
      engine.catalog.change(table, (current) => forget(current, gone, keptStreams(current, keptFromMs))),
    )
  }
  for (const definition of engine.catalog.dropped()) {
    if (isBeingRead(definition)) continue
    const gone = await trimShards(engine, definition, stopping)
    if (stopping.aborted) return
    if (gone.size === (definition.shards?.length ?? 0)) await engine.catalog.forgetDropped(definition.tableId)
  }
}

/** The identifiers of shards of which nothing is left. */
async function trimShards(
  engine: Streaming,
  definition: TableDefinition,
  stopping: Stopping,
): Promise<ReadonlySet<number>> {
  const gone = new Set<number>()
  const unsentMs = await unsentToAnySince(engine, definition)
  for (const shard of definition.shards ?? []) {
    const keptMs = keepMs(engine, definition, shard)
    const keptFromMs = Math.min(engine.clock.ago(keptMs), unsentMs)
    if (timeOfSequence(BigInt(shard.openedAt)) > keptFromMs) continue
    const isOver = shard.closedAt !== undefined && timeOfSequence(BigInt(shard.closedAt)) <= keptFromMs
    const range = rangeBefore(definition.tableId, shard.shardId, isOver ? undefined : keptFromMs)
    if (keptMs > 0 && (await holdsAny(engine.store, range))) await engine.clock.noteTrim(keptMs, keptFromMs)
    await deleteRange(engine.store, range, stopping)
    if (stopping.aborted) break
    if (isOver) gone.add(shard.shardId)
  }
  return gone
}

/** Changes are kept a little longer than streams show them. While older iterators exist, it must be possible to
 *  distinguish a change that has passed the horizon from one that never happened. */
function keepMs(
  engine: Streaming,
  { recovery, logHolders = [] }: TableDefinition,
  { streamLabel }: ShardDefinition,
): number {
  // Who delivers the log has as much time as the readers of a stream.
  const isRead = streamLabel !== undefined || logHolders.length > 0
  const forStreamMs = isRead ? engine.streamRetentionMs + iteratorLifetimeMs : 0
  const forRecoveryMs = recovery === undefined ? 0 : recovery.periodDays * dayMs
  return Math.max(forStreamMs, forRecoveryMs)
}

function rangeBefore(tableId: number, shardId: number, beforeMs: number | undefined): Range {
  const { from, to } = changeLogRange(tableId, shardId)
  if (beforeMs === undefined) return { from, to }
  return { from, to: logEntryKey(changeLogKey(tableId, shardId), sequenceAt(Math.max(0, beforeMs))) }
}

async function holdsAny(store: Store, range: Range): Promise<boolean> {
  let found = false
  await store.view((snapshot) =>
    snapshot.range({ ...range, limit: 1 }, () => {
      found = true
      return false
    }),
  )
  return found
}

function keptStreams(
  { pastStreams = [] }: TableDefinition,
  keptFromMs: number,
): NonNullable<TableDefinition['pastStreams']> {
  return pastStreams.filter(({ disabledAtMs }) => disabledAtMs > keptFromMs)
}

function forget(
  definition: TableDefinition,
  gone: ReadonlySet<number>,
  pastStreams: NonNullable<TableDefinition['pastStreams']>,
): TableDefinition {
  const { shards = [], pastStreams: _, ...rest } = definition
  return {
    ...rest,
    shards: shards.filter(({ shardId }) => !gone.has(shardId)),
    ...(pastStreams.length > 0 && { pastStreams }),
  }
}
