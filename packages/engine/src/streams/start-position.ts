import { type ServiceError, validationException } from '@hashrange/core'
import type { ShardIteratorType } from '../api/stream-inputs.ts'
import type { ShardDefinition } from '../definitions/table-definition.ts'
import type { Streaming } from './streaming.ts'
import { changeLogKey } from '../layout/key-space.ts'
import { logEntryKey } from '../store/sequence.ts'
import { horizonOf, trimmedDataAccess } from './read-records.ts'
import { endOfShard, lastSequence } from './shard.ts'

/** Where a new iterator of a shard starts. */
export async function startPosition(
  engine: Streaming,
  tableId: number,
  shard: ShardDefinition,
  type: ShardIteratorType,
  sequence: bigint,
): Promise<bigint> {
  switch (type) {
    case 'TRIM_HORIZON': {
      // From the very start where that is allowed: if the clock goes back, records may be from before the shard was
      // opened.
      const horizon = horizonOf(engine)
      return horizon > BigInt(shard.openedAt) ? horizon : 0n
    }
    case 'LATEST': {
      const last = await engine.store.view((snapshot) => lastSequence(snapshot, tableId, shard.shardId))
      return last === undefined ? 0n : last + 1n
    }
    case 'AT_SEQUENCE_NUMBER':
    case 'AFTER_SEQUENCE_NUMBER':
      await assertInShard(engine, tableId, shard, sequence)
      return type === 'AT_SEQUENCE_NUMBER' ? sequence : sequence + 1n
    default:
      throw new Error(`an unknown kind of iterator: ${String(type)}`)
  }
}

async function assertInShard(
  engine: Streaming,
  tableId: number,
  shard: ShardDefinition,
  sequence: bigint,
): Promise<void> {
  if (sequence < horizonOf(engine)) throw trimmedDataAccess()
  await engine.store.view(async (snapshot) => {
    if (sequence < BigInt(shard.openedAt)) {
      const record = await snapshot.get(logEntryKey(changeLogKey(tableId, shard.shardId), sequence))
      if (record === undefined) throw notInShard()
    }
    if (shard.closedAt !== undefined && sequence > (await endOfShard(snapshot, tableId, shard))) throw notInShard()
  })
}

function notInShard(): ServiceError {
  return validationException('Invalid SequenceNumber for the shard')
}
