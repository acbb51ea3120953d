import { kinesisShardKey, sequenceAt, steadyAt } from '@hashrange/engine'
import type { Kinesis } from '../kinesis.ts'
import { decodeShardState } from '../shards/shard-state.ts'
import type { StreamDefinition } from '../streams/stream-definition.ts'

/** The sequence from which a shard has what is put after now. */
export async function afterLast({ view }: Kinesis, { id }: StreamDefinition, shard: number): Promise<bigint> {
  const state = decodeShardState(await view((snapshot) => snapshot.get(kinesisShardKey(id, shard))))
  return state === undefined ? 0n : state.last + 1n
}

/** The sequence from which a shard has what was put since a time. */
export function sequenceSince({ clock }: Kinesis, atMs: number): bigint {
  return sequenceAt(Math.max(0, Math.ceil(steadyAt(clock.look().eras, atMs))))
}
