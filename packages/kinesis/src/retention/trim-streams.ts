import { kinesisRecordRange, kinesisShardKey, timeOfSequence, type Scope, type Stopping } from '@hashrange/engine'
import type { Kinesis } from '../kinesis.ts'
import { horizonOf } from '../records/read-records.ts'
import { iteratorLifetimeMs } from '../records/shard-iterator.ts'
import type { ShardDefinition, StreamDefinition } from '../streams/stream-definition.ts'

/** Removes what is older than the retention period, and closed shards of which nothing is left. The cost depends on what
 *  it removes. */
export async function trimStreams(kinesis: Kinesis, stopping: Stopping): Promise<void> {
  for (const { scope, record } of await kinesis.streamBook.all()) {
    if (stopping.aborted) return
    await trimStream(kinesis, scope, record, stopping)
  }
}

async function trimStream(
  kinesis: Kinesis,
  scope: Scope,
  stream: StreamDefinition,
  stopping: Stopping,
): Promise<void> {
  const horizon = horizonOf(kinesis, stream)
  const keptMs = stream.retentionHours * hourMs
  const keptFromMs = kinesis.clock.ago(keptMs)
  for (const { shard, openedAt } of stream.shards) {
    if (timeOfSequence(BigInt(openedAt)) > keptFromMs) continue
    const range = kinesisRecordRange(stream.id, shard, 0n, horizon)
    if (await holdsAny(kinesis, range)) await kinesis.clock.noteTrim(keptMs, keptFromMs)
    await kinesis.deleteRange(range, stopping)
    if (stopping.aborted) return
  }
  // An iterator that is still valid may name a shard: it goes a little later than its records.
  const goneBeforeMs = kinesis.clock.ago(keptMs + iteratorLifetimeMs)
  const isGone = ({ closedAt }: ShardDefinition): boolean =>
    closedAt !== undefined && timeOfSequence(BigInt(closedAt)) <= goneBeforeMs
  if (!stream.shards.some(isGone)) return
  await kinesis.streamBook.decide(scope, stream.name, [], (current) => {
    if (current?.id !== stream.id) return { definition: current, answer: undefined }
    const gone = current.shards.filter(isGone)
    return {
      definition: { ...current, shards: current.shards.filter((shard) => !isGone(shard)) },
      writes: gone.map(({ shard }) => ({ kind: 'delete', key: kinesisShardKey(stream.id, shard) })),
      answer: undefined,
    }
  })
}

async function holdsAny(
  { view }: Kinesis,
  range: { readonly from: Buffer; readonly to: Buffer },
): Promise<boolean> {
  let found = false
  await view((snapshot) =>
    snapshot.range({ ...range, limit: 1 }, () => {
      found = true
      return false
    }),
  )
  return found
}

const hourMs = 60 * 60 * 1000
