import { ServiceError } from '@hashrange/core'
import { decodeChangeRecord } from '../changes/change-record.ts'
import type { Streaming } from './streaming.ts'
import { changeLogKey, changeLogRange } from '../layout/key-space.ts'
import { logEntryKey, sequenceAt, sequenceOfKey } from '../store/sequence.ts'
import type { Snapshot } from '../store/store.ts'
import { describeRecord, type StreamRecord } from './describe-record.ts'
import type { Stream } from './stream.ts'

export interface TimedRecord {
  readonly sequence: bigint
  /** When the change was made, in milliseconds since 1970. */
  readonly atMs: number
  readonly record: StreamRecord
}

export interface RecordPage {
  readonly records: readonly TimedRecord[]
  /** Where reading continues; undefined if the shard is closed and nothing is left in it. */
  readonly nextPosition: bigint | undefined
}

/** A page ends before the record that would exceed this many stored bytes, unless it is the first. */
const pageBytes = 2 ** 20

/** Reads the records of a shard from `position` on. The cost depends on what it returns, wherever in the shard that
 *  is. */
export async function readRecords(
  engine: Streaming,
  stream: Stream,
  shardId: number,
  position: bigint,
  limit: number,
): Promise<RecordPage> {
  const { tableId } = stream.table
  const horizon = horizonOf(engine)
  const start = position > horizon ? position : horizon
  return engine.store.view(async (snapshot) => {
    if (position < horizon && (await holdsRecords(snapshot, tableId, shardId, position, horizon))) {
      throw trimmedDataAccess()
    }
    // This is read before the records, so that later records of an open shard are not missed.
    const isClosed = await isClosedIn(snapshot, engine, stream, shardId)
    const records: TimedRecord[] = []
    let sizeBytes = 0
    let nextPosition = start
    let isExhausted = true
    const range = {
      from: logEntryKey(changeLogKey(tableId, shardId), start),
      to: changeLogRange(tableId, shardId).to,
    }
    await snapshot.range({ ...range, limit: limit + 1 }, (key, value) => {
      sizeBytes += value.length
      isExhausted = records.length < limit && (records.length === 0 || sizeBytes <= pageBytes)
      if (!isExhausted) return false
      const sequence = sequenceOfKey(key)
      const change = decodeChangeRecord(value)
      records.push({ sequence, atMs: change.atMs, record: describeRecord(stream, shardId, sequence, change) })
      nextPosition = sequence + 1n
      return true
    })
    return { records, nextPosition: isClosed && isExhausted ? undefined : nextPosition }
  })
}

/** The time from which streams show changes, in steady time. */
export function horizonMsOf({ clock, streamRetentionMs }: Streaming): number {
  return clock.ago(streamRetentionMs)
}

/** The oldest sequence that streams show. */
export function horizonOf(engine: Streaming): bigint {
  return sequenceAt(Math.max(0, horizonMsOf(engine)))
}

export function trimmedDataAccess(): ServiceError {
  return new ServiceError('TrimmedDataAccessException', 'The data you are trying to access has been trimmed')
}

/** Requests see a shard closed, and its records, before that is committed. Only what is committed counts here. */
async function isClosedIn(
  snapshot: Snapshot,
  engine: Streaming,
  stream: Stream,
  shardId: number,
): Promise<boolean> {
  if (stream.table.shards?.find((shard) => shard.shardId === shardId)?.closedAt === undefined) return false
  const definition = await engine.catalog.definitionIn(snapshot, stream.table)
  return definition?.shards?.find((shard) => shard.shardId === shardId)?.closedAt !== undefined
}

async function holdsRecords(
  snapshot: Snapshot,
  tableId: number,
  shardId: number,
  from: bigint,
  to: bigint,
): Promise<boolean> {
  const log = changeLogKey(tableId, shardId)
  let found = false
  await snapshot.range({ from: logEntryKey(log, from), to: logEntryKey(log, to), limit: 1 }, () => {
    found = true
    return false
  })
  return found
}
