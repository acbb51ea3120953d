import { replicationCursorKey } from '../layout/replication-keys.ts'
import type { MaybePromise, Snapshot, Write } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'

/** How much of a replica's change log has been sent to another region: for each shard, the sequence of the next entry,
 *  in decimal. A shard that is not named has not been read. ON DISK as JSON. */
export interface ReplicationCursor {
  readonly positions: Readonly<Record<string, string>>
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
