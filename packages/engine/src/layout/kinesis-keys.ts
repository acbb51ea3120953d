import { logEntryKey } from '../store/sequence.ts'
import type { Write } from '../store/store.ts'
import { keySpace, purgeKey } from './key-space.ts'

/** Where a shard of a Kinesis stream is written: whether it is open, and the last sequence in it. `space · stream id ·
 *  shard`, four bytes each. ON DISK. */
export function kinesisShardKey(streamId: number, shard: number): Buffer {
  return shardKey(keySpace.kinesisShard, streamId, shard)
}

/** A record: `space · stream id · shard · sequence`. ON DISK. */
export function kinesisRecordKey(streamId: number, shard: number, sequence: bigint): Buffer {
  return Buffer.from(logEntryKey(shardKey(keySpace.kinesisRecord, streamId, shard), sequence))
}

/** The records of a shard from `from` up to, but without, `to`. */
export function kinesisRecordRange(
  streamId: number,
  shard: number,
  from = 0n,
  to?: bigint,
): { readonly from: Buffer; readonly to: Buffer } {
  return {
    from: kinesisRecordKey(streamId, shard, from),
    to:
      to === undefined
        ? shardKey(keySpace.kinesisRecord, streamId, shard + 1)
        : kinesisRecordKey(streamId, shard, to),
  }
}

/** Marks all shards and records of a stream for removal in the background. */
export function kinesisPurge(streamId: number): Write {
  return { kind: 'put', key: purgeKey(streamId), value: Buffer.from('stream') }
}

function shardKey(space: number, streamId: number, shard: number): Buffer {
  const key = Buffer.allocUnsafe(9)
  key[0] = space
  key.writeUInt32BE(streamId, 1)
  key.writeUInt32BE(shard, 5)
  return key
}
