import { shardName, type ShardDefinition } from '../streams/stream-definition.ts'
import { sequenceNumberOf } from './sequence-number.ts'

/** `Shard` on the wire. */
export function describeShard({
  shard,
  parent,
  adjacentParent,
  fromHash,
  toHash,
  openedAt,
  closedAt,
}: ShardDefinition) {
  return {
    ShardId: shardName(shard),
    ...(parent !== undefined && { ParentShardId: shardName(parent) }),
    ...(adjacentParent !== undefined && { AdjacentParentShardId: shardName(adjacentParent) }),
    HashKeyRange: { StartingHashKey: fromHash, EndingHashKey: toHash },
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceNumberOf(shard, BigInt(openedAt)),
      ...(closedAt !== undefined && { EndingSequenceNumber: sequenceNumberOf(shard, BigInt(closedAt)) }),
    },
  }
}

/** `ChildShard` on the wire: where readers continue when a shard has ended. */
export function childShards(shards: readonly ShardDefinition[], shard: number) {
  return shards
    .filter(({ parent, adjacentParent }) => parent === shard || adjacentParent === shard)
    .map((child) => ({
      ShardId: shardName(child.shard),
      ParentShards: [child.parent, child.adjacentParent].flatMap((parent) =>
        parent === undefined ? [] : [shardName(parent)],
      ),
      HashKeyRange: { StartingHashKey: child.fromHash, EndingHashKey: child.toHash },
    }))
}
