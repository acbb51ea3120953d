import { decodeSequence, encodeSequence, kinesisShardKey, type Value, type Write } from '@hashrange/engine'

/** What a write into a shard reads and replaces: it is the one place that says whether the shard is open, and orders
 *  what is written to it. */
export interface ShardState {
  readonly isOpen: boolean
  /** The last sequence that was given out, or the one at which it was opened. */
  readonly last: bigint
}

/** format (1 byte), whether it is closed (1 byte), last sequence (8 bytes). ON DISK. */
function encodeShardState({ isOpen, last }: ShardState): Value {
  return Buffer.concat([Buffer.of(1, isOpen ? 0 : 1), encodeSequence(last)])
}

export function decodeShardState(value: Value | undefined): ShardState | undefined {
  if (value === undefined) return undefined
  return { isOpen: value[1] === 0, last: decodeSequence(value.subarray(2)) }
}

export function putShardState(streamId: number, shard: number, state: ShardState): Write {
  return { kind: 'put', key: kinesisShardKey(streamId, shard), value: encodeShardState(state) }
}
