import { kinesisRecordRange, kinesisShardKey, sequenceAt, sequenceOfKey } from '@hashrange/engine'
import type { Kinesis } from '../kinesis.ts'
import { sequenceNumberOf } from '../shards/sequence-number.ts'
import { decodeShardState } from '../shards/shard-state.ts'
import type { StreamDefinition } from '../streams/stream-definition.ts'
import { decodeRecord } from './stored-record.ts'

/** `Record` on the wire. */
export interface KinesisRecord {
  readonly SequenceNumber: string
  readonly ApproximateArrivalTimestamp: Date
  readonly Data: Buffer
  readonly PartitionKey: string
  readonly EncryptionType?: 'KMS'
}

export interface RecordPage {
  readonly records: readonly KinesisRecord[]
  readonly sizeBytes: number
  /** Where reading continues; undefined if the shard is closed and nothing is left in it. */
  readonly nextPosition: bigint | undefined
  readonly millisBehindLatest: number
}

/** A page ends before the record that would exceed this many bytes, unless it is the first. */
const pageBytes = 10 * 2 ** 20

/** Reads the records of a shard from `position` on; undefined if the shard is gone. The cost depends on what it returns,
 *  wherever in the shard that is. */
export async function readRecords(
  kinesis: Kinesis,
  stream: StreamDefinition,
  shard: number,
  position: bigint,
  limit: number,
): Promise<RecordPage | undefined> {
  const { clock } = kinesis
  const nowMs = clock.now()
  const horizon = horizonOf(kinesis, stream)
  const start = position > horizon ? position : horizon
  return kinesis.view(async (snapshot) => {
    // This is read from the same snapshot as the records: a shard that is closed in it gets no more.
    const state = decodeShardState(await snapshot.get(kinesisShardKey(stream.id, shard)))
    if (state === undefined) return undefined
    const records: KinesisRecord[] = []
    let sizeBytes = 0
    let nextPosition = start
    let isExhausted = true
    let behindMs = 0
    const range = kinesisRecordRange(stream.id, shard, start)
    await snapshot.range({ ...range, limit: limit + 1 }, (key, value) => {
      const { atMs, data, partitionKey, isEncrypted } = decodeRecord(value)
      isExhausted = records.length < limit && (records.length === 0 || sizeBytes + value.length <= pageBytes)
      if (!isExhausted) {
        behindMs = Math.max(0, Math.round(nowMs - atMs))
        return false
      }
      sizeBytes += value.length
      const sequence = sequenceOfKey(key)
      records.push({
        SequenceNumber: sequenceNumberOf(shard, sequence),
        ApproximateArrivalTimestamp: new Date(atMs),
        Data: data,
        PartitionKey: partitionKey,
        ...(isEncrypted && { EncryptionType: 'KMS' as const }),
      })
      nextPosition = sequence + 1n
      return true
    })
    return {
      records,
      sizeBytes,
      nextPosition: !state.isOpen && isExhausted ? undefined : nextPosition,
      millisBehindLatest: behindMs,
    }
  })
}

/** The oldest sequence that a stream shows. */
export function horizonOf({ clock }: Pick<Kinesis, 'clock'>, { retentionHours }: StreamDefinition): bigint {
  return sequenceAt(Math.max(0, clock.ago(retentionHours * hourMs)))
}

const hourMs = 60 * 60 * 1000
