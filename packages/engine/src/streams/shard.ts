import type { ShardDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { changeLogRange } from '../layout/key-space.ts'
import { sequenceOfKey, timeOfSequence } from '../store/sequence.ts'
import type { Key, Snapshot } from '../store/store.ts'
import { sequenceNumberOf } from './sequence-number.ts'

/** `Shard` on the wire. */
export interface ShardDescription {
  readonly ShardId: string
  readonly ParentShardId?: string
  readonly SequenceNumberRange: {
    readonly StartingSequenceNumber: string
    readonly EndingSequenceNumber?: string
  }
}

/** The shards of a stream in the order in which they were opened, parents before children, without those whose last
 *  record has passed the horizon. */
export function visibleShards(
  table: TableDefinition,
  label: string,
  horizonMs: number,
): readonly ShardDefinition[] {
  return (table.shards ?? []).filter(
    ({ streamLabel, closedAt }) =>
      streamLabel === label && (closedAt === undefined || timeOfSequence(BigInt(closedAt)) >= horizonMs),
  )
}

/** Looks like the service's: when it was opened, in milliseconds, and a part that distinguishes shards of the same
 *  moment. The order of the texts is the order in which shards were opened. */
export function shardName({ openedAt, shardId }: ShardDefinition): string {
  const moment = timeOfSequence(BigInt(openedAt)).toString().padStart(20, '0')
  return `shardId-${moment}-${shardId.toString(16).padStart(8, '0')}`
}

export async function describeShard(
  snapshot: Snapshot,
  table: TableDefinition,
  shard: ShardDefinition,
): Promise<ShardDescription> {
  const parent = table.shards?.find(({ shardId }) => shardId === shard.parentShardId)
  const end = shard.closedAt === undefined ? undefined : await endOfShard(snapshot, table.tableId, shard)
  return {
    ShardId: shardName(shard),
    ...(parent !== undefined && { ParentShardId: shardName(parent) }),
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceNumberOf(BigInt(shard.openedAt)),
      ...(end !== undefined && { EndingSequenceNumber: sequenceNumberOf(end) }),
    },
  }
}

/** The sequence of the last record in a closed shard, or of the moment it was closed if there are none. */
export async function endOfShard(snapshot: Snapshot, tableId: number, shard: ShardDefinition): Promise<bigint> {
  return (await lastSequence(snapshot, tableId, shard.shardId)) ?? BigInt(shard.closedAt ?? shard.openedAt)
}

export async function lastSequence(
  snapshot: Snapshot,
  tableId: number,
  shardId: number,
): Promise<bigint | undefined> {
  let last: Key | undefined
  await snapshot.range({ ...changeLogRange(tableId, shardId), reverse: true, limit: 1 }, (key) => {
    last = key
    return false
  })
  return last && sequenceOfKey(last)
}
