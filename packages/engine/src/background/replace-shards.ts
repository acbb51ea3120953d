import { unlessNotFound } from '../catalog/catalog-errors.ts'
import type { Table } from '../catalog/table.ts'
import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { replaceShard } from '../changes/replace-shard.ts'
import type { Streaming } from '../streams/streaming.ts'
import { timeOfSequence } from '../store/sequence.ts'
import type { Stopping } from '../work/background-work.ts'

/** More would mean more work for consumers without helping them. */
const maximumOpenShards = 32

/** Splits the shards that take too many changes (see ShardHeat), so that more consumers can share the work. */
export async function splitHotShards(engine: Streaming): Promise<void> {
  const steadyMs = engine.clock.steady()
  for (const table of engine.catalog.all()) {
    if (table.definition.stream?.enabled !== true) continue
    const openShards = table.changeLog?.openShards ?? []
    const hot = openShards.filter(({ heat }) => heat.isTooHot(steadyMs)).map(({ shardId }) => shardId)
    const splits = hot.slice(0, Math.max(0, maximumOpenShards - openShards.length))
    if (splits.length > 0) await replaceShards(engine, table, splits, 2)
  }
}

const rollOverAfterMs = 4 * 60 * 60 * 1000

/** Closes shards of streams that have been open for four hours, as the service does, and opens a new one in place of
 *  each. So shards can be forgotten, and consumers that never look for new shards are noticed soon. */
export async function rollOverShards(engine: Streaming, stopping: Stopping): Promise<void> {
  const ageMs = Math.min(rollOverAfterMs, engine.streamRetentionMs / 6)
  for (const table of engine.catalog.all()) {
    if (stopping.aborted) return
    const openedBeforeMs = engine.clock.ago(ageMs)
    const old = (table.definition.shards ?? []).filter((shard) => isOld(shard, openedBeforeMs))
    if (old.length === 0) continue
    await replaceShards(
      engine,
      table,
      old.map(({ shardId }) => shardId),
      1,
    )
  }
}

function isOld({ closedAt, streamLabel, openedAt }: ShardDefinition, openedBeforeMs: number): boolean {
  return closedAt === undefined && streamLabel !== undefined && timeOfSequence(BigInt(openedAt)) <= openedBeforeMs
}

async function replaceShards(
  engine: Streaming,
  table: Table,
  shardIds: readonly number[],
  children: 1 | 2,
): Promise<void> {
  const steadyMs = engine.clock.steady()
  const replaceAll = (definition: TableDefinition): TableDefinition =>
    shardIds.reduce((changed, shardId) => replaceShard(changed, shardId, children, steadyMs), definition)
  await unlessNotFound(engine.catalog.change(table, replaceAll))
}
