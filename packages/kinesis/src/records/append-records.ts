import {
  kinesisRecordKey,
  kinesisShardKey,
  sequenceAfter,
  type Decision,
  type Scope,
  type Write,
} from '@hashrange/engine'
import type { Kinesis } from '../kinesis.ts'
import { routerOf } from '../shards/hash-key.ts'
import { sequenceNumberOf } from '../shards/sequence-number.ts'
import { decodeShardState, putShardState } from '../shards/shard-state.ts'
import { shardName, type StreamDefinition } from '../streams/stream-definition.ts'
import { resourceInUse } from '../streams/stream-errors.ts'
import { encodeRecord } from './stored-record.ts'

export interface NewRecord {
  readonly hash: bigint
  readonly partitionKey: string
  readonly data: Buffer
}

export type PutOutcome =
  | { readonly ShardId: string; readonly SequenceNumber: string }
  | { readonly ErrorCode: string; readonly ErrorMessage: string }

/** Writes records into the shards of their hash keys, all of them in one transaction, but for those that the service
 *  would throttle. The transaction reads and replaces the state of each shard: that orders the records, and notices a
 *  shard that was closed meanwhile. */
export async function appendRecords(
  kinesis: Kinesis,
  scope: Scope,
  streamName: string,
  records: readonly NewRecord[],
  { isThrottled = true } = {},
): Promise<{ readonly stream: StreamDefinition; readonly outcomes: readonly PutOutcome[] }> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const stream = await kinesis.streamBook.require(scope, streamName, attempt > 0)
    const outcomes = await tryAppend(kinesis, scope, stream, records, isThrottled && attempt === 0)
    if (outcomes !== undefined) return { stream, outcomes }
  }
  throw resourceInUse(`Stream ${streamName} under account ${scope.accountId} is being resharded. Please try again.`)
}

/** Another attempt is only needed if a shard was closed since its stream was read. */
const mostAttempts = 20

/** Undefined if a shard is no longer there, or closed. */
async function tryAppend(
  kinesis: Kinesis,
  scope: Scope,
  stream: StreamDefinition,
  records: readonly NewRecord[],
  isCharged: boolean,
): Promise<readonly PutOutcome[] | undefined> {
  const router = routerOf(stream)
  const shards = records.map(({ hash }) => router.shardOf(hash).shard)
  const isTaken = records.map(({ data, partitionKey }, index) => {
    const bytes = data.length + Buffer.byteLength(partitionKey)
    return !isCharged || kinesis.throughput?.takesWrite(stream.id, shards[index] ?? 0, bytes) !== false
  })
  const written = [...new Set(shards.filter((_, index) => isTaken[index]))].toSorted((one, other) => one - other)
  const { nowMs, steadyMs } = kinesis.clock.moment()
  const isEncrypted = stream.keyId !== undefined
  const values = records.map(({ partitionKey, data }) =>
    encodeRecord({ atMs: nowMs, isEncrypted, partitionKey, data }),
  )
  const keys = written.map((shard) => kinesisShardKey(stream.id, shard))
  return kinesis.transact(keys, (states): Decision<readonly PutOutcome[] | undefined> => {
    const lasts = new Map<number, bigint>()
    for (const [index, shard] of written.entries()) {
      const state = decodeShardState(states[index])
      if (state?.isOpen !== true) return { writes: [], answer: undefined }
      lasts.set(shard, state.last)
    }
    const writes: Write[] = []
    const outcomes = values.map((value, index): PutOutcome => {
      const shard = shards[index] ?? 0
      if (isTaken[index] !== true) return throttled(scope, stream, shard)
      const sequence = sequenceAfter(lasts.get(shard) ?? 0n, steadyMs)
      lasts.set(shard, sequence)
      writes.push({ kind: 'put', key: kinesisRecordKey(stream.id, shard, sequence), value })
      return { ShardId: shardName(shard), SequenceNumber: sequenceNumberOf(shard, sequence) }
    })
    for (const [shard, last] of lasts) writes.push(putShardState(stream.id, shard, { isOpen: true, last }))
    return { writes, answer: outcomes }
  })
}

function throttled({ accountId }: Scope, { name }: StreamDefinition, shard: number): PutOutcome {
  return {
    ErrorCode: 'ProvisionedThroughputExceededException',
    ErrorMessage: `Rate exceeded for shard ${shardName(shard)} in stream ${name} under account ${accountId}.`,
  }
}
