import type { Item } from '@hashrange/core'
import { breathe, type Stopping } from '../work/background-work.ts'
import { currentEntries, storedPages } from '../backups/stored-pages.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { decodeChangeRecord, type ChangeRecord } from '../changes/change-record.ts'
import { itemKey, keyHeaderBytes } from '../layout/item-keys.ts'
import { keyText } from '../store/key-text.ts'
import { changeLogKey } from '../layout/key-space.ts'
import { logEntryKey, sequenceOfKey } from '../store/sequence.ts'
import type { Key, Store, Value } from '../store/store.ts'
import type { HashSegment } from './hash-segment.ts'

/** The first and the last change of one item within some time. Only their positions in the log are kept, not their
 *  contents: a busy table may have many changes. */
export interface ItemChanges {
  first: Key
  last: Key
}

/** The items of a segment that were changed within a time, by their key in the store, as text. */
export async function changedItems(
  store: Store,
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
    for await (const page of storedPages(currentEntries(store), { from: logEntryKey(log, time.from), to })) {
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

/** An item's changes may be in several shards, one after another; their sequence shows their order. */
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

/** What the first and the last change of each item say. */
export async function* recordsOf(
  store: Store,
  items: Iterable<ItemChanges>,
): AsyncGenerator<readonly [first: ChangeRecord, last: ChangeRecord]> {
  let some: ItemChanges[] = []
  for (const item of items) {
    if (some.push(item) < itemsPerRead) continue
    yield* await readRecords(store, some)
    some = []
  }
  yield* await readRecords(store, some)
}

/** Items may have 400 KB, and each has two images in each record. */
const itemsPerRead = 20

async function readRecords(
  store: Store,
  items: readonly ItemChanges[],
): Promise<readonly (readonly [ChangeRecord, ChangeRecord])[]> {
  const entries = items.flatMap(({ first, last }) => [first, last])
  const values = await store.view((snapshot) => snapshot.getMany(entries))
  return items.map((_, position) => [recordOf(values[2 * position]), recordOf(values[2 * position + 1])])
}

function recordOf(value: Value | undefined): ChangeRecord {
  if (value === undefined) throw new Error('an entry of the change log has gone that was being read')
  return decodeChangeRecord(value)
}

export function imageOf(json: { parse(): unknown }): Item {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by us.
  return json.parse() as Item
}
