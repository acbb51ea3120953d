import type { Item } from '@hashrange/core'
import { breathe, type Stopping } from '../background/background-work.ts'
import { storedPages } from '../backups/stored-pages.ts'
import type { TableDefinition } from '../catalog/table-definition.ts'
import { decodeChangeRecord, type ChangeRecord } from '../changes/change-record.ts'
import { itemKey, keyHeaderBytes } from '../layout/item-keys.ts'
import { keyText } from '../layout/key-bounds.ts'
import { changeLogKey } from '../layout/key-space.ts'
import { logEntryKey, sequenceOfKey } from '../store/sequence.ts'
import type { Key, Snapshot } from '../store/store.ts'
import type { HashSegment } from './hash-segment.ts'

/** The first and the last change of one item within some time. Only where they stand in the log is kept, not what they
 *  say: a busy table's changes may be many. */
export interface ItemChanges {
  first: Key
  last: Key
}

/** The items of a segment that were changed within a time, by their key in the store, as text. */
export async function changedItems(
  snapshot: Snapshot,
  definition: TableDefinition,
  segment: HashSegment,
  time: { readonly from: bigint; readonly to: bigint },
  stopping: Stopping,
): Promise<Map<string, ItemChanges>> {
  const { tableId, keySchema, attributeTypes } = definition
  const changed = new Map<string, ItemChanges>()
  for (const shard of definition.shards ?? []) {
    if (shard.toHash <= segment.fromHash || shard.fromHash >= segment.toHash) continue
    if (shard.closedAt !== undefined && BigInt(shard.closedAt) < time.from) continue
    const log = changeLogKey(tableId, shard.shardId)
    const to = logEntryKey(log, time.to)
    for await (const page of storedPages(snapshot, { from: logEntryKey(log, time.from), to })) {
      if (stopping.aborted) throw new Error('stopping')
      for (const { key: entry, value } of page) {
        const key = itemKey(tableId, keySchema, attributeTypes, imageOf(decodeChangeRecord(value).keys))
        const hash = Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUInt32BE(keyHeaderBytes)
        if (hash >= segment.fromHash && hash < segment.toHash) remember(changed, keyText(key), entry)
      }
      await breathe()
    }
  }
  return changed
}

/** An item's changes may lie in several shards, one after the other; their sequence tells their order. */
function remember(changed: Map<string, ItemChanges>, key: string, entry: Key): void {
  const known = changed.get(key)
  if (known === undefined) {
    changed.set(key, { first: entry, last: entry })
    return
  }
  const sequence = sequenceOfKey(entry)
  if (sequence < sequenceOfKey(known.first)) known.first = entry
  if (sequence > sequenceOfKey(known.last)) known.last = entry
}

export async function recordAt(snapshot: Snapshot, entry: Key): Promise<ChangeRecord> {
  const value = await snapshot.get(entry)
  if (value === undefined) throw new Error('a snapshot has lost an entry of a log')
  return decodeChangeRecord(value)
}

export function imageOf(json: { parse(): unknown }): Item {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by us.
  return json.parse() as Item
}
