import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { sequenceAt } from '../store/sequence.ts'

/** Closes an open shard and opens its children in its place: one child, or two that share its hash range. It happens
 *  in one transaction with the definition, so it takes effect between two writes: earlier changes of an item are in
 *  the parent, later ones in one child. A shard that is no longer open is left as it is. */
export function replaceShard(
  definition: TableDefinition,
  shardId: number,
  children: 1 | 2,
  steadyMs: number,
): TableDefinition {
  const shards = definition.shards ?? []
  const parent = shards.find((shard) => shard.shardId === shardId)
  if (parent === undefined || parent.closedAt !== undefined) return definition
  const sequence = newShardSequence(definition, steadyMs)
  const nextShardId = definition.nextShardId ?? 0
  const middle = Math.floor((parent.fromHash + parent.toHash) / 2)
  const bounds = children === 1 ? [parent.fromHash, parent.toHash] : [parent.fromHash, middle, parent.toHash]
  const opened = bounds.slice(1).map((toHash, part): ShardDefinition => ({
    shardId: nextShardId + part,
    parentShardId: parent.shardId,
    ...(parent.streamLabel !== undefined && { streamLabel: parent.streamLabel }),
    fromHash: bounds[part] ?? toHash,
    toHash,
    openedAt: sequence,
  }))
  return {
    ...definition,
    shards: [...shards.map((shard) => (shard === parent ? { ...parent, closedAt: sequence } : shard)), ...opened],
    nextShardId: nextShardId + opened.length,
  }
}

/** Where shards that are opened now begin: never before those that were opened earlier, even if the clock was set
 *  back. */
export function newShardSequence({ shards = [] }: TableDefinition, steadyMs: number): string {
  let sequence = sequenceAt(steadyMs)
  for (const { openedAt } of shards) if (BigInt(openedAt) > sequence) sequence = BigInt(openedAt)
  return sequence.toString()
}
