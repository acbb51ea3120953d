import { receivedCursorKey, replicationCursorKey } from '../layout/replication-keys.ts'
import type { MaybePromise, Snapshot, Write } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'

/** How much of a replica's change log has been sent to another region: for each shard, the sequence of the next entry,
 *  in decimal. A shard that is not named has not been read. ON DISK as JSON. */
export interface ReplicationCursor {
  readonly positions: Readonly<Record<string, string>>
}

/** How much of the change log of a replica in another store has been received, likewise. ON DISK as JSON. */
export interface ReceivedCursor extends ReplicationCursor {
  /** Everything that the other replica had logged before has reached all others: a moment in this store's steady time. */
  readonly sentUntilMs?: number
}

export function readCursor(
  snapshot: Snapshot,
  tableId: number,
  toRegion: string,
): MaybePromise<ReplicationCursor | undefined> {
  return whenThere(snapshot.get(replicationCursorKey(tableId, toRegion)), (value) =>
    value === undefined ? undefined : (JSON.parse(value.toString('utf8')) as ReplicationCursor),
  )
}

export function cursorWrite(tableId: number, toRegion: string, cursor: ReplicationCursor): Write {
  return {
    kind: 'put',
    key: replicationCursorKey(tableId, toRegion),
    value: Buffer.from(JSON.stringify(cursor)),
  }
}

export function cursorEnd(tableId: number, toRegion: string): Write {
  return { kind: 'delete', key: replicationCursorKey(tableId, toRegion) }
}

export async function readReceived(
  snapshot: Snapshot,
  tableId: number,
  fromRegion: string,
): Promise<ReceivedCursor | undefined> {
  const value = await snapshot.get(receivedCursorKey(tableId, fromRegion))
  return value === undefined ? undefined : (JSON.parse(value.toString('utf8')) as ReceivedCursor)
}

export function receivedWrite(tableId: number, fromRegion: string, cursor: ReceivedCursor): Write {
  return {
    kind: 'put',
    key: receivedCursorKey(tableId, fromRegion),
    value: Buffer.from(JSON.stringify(cursor)),
  }
}

export function receivedEnd(tableId: number, fromRegion: string): Write {
  return { kind: 'delete', key: receivedCursorKey(tableId, fromRegion) }
}
