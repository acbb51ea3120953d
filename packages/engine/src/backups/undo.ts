import type { Item } from '@hashrange/core'
import { breathe } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { decodeChangeRecord, type ChangeRecord } from '../changes/change-record.ts'
import { noItem } from '../cuts/kept-item.ts'
import { storedValueOf } from '../items/stored-item.ts'
import { itemKey } from '../layout/item-keys.ts'
import { keyText } from '../store/key-text.ts'
import { changeLogKey, keySpace, movedItemKey } from '../layout/key-space.ts'
import { logEntryKey, sequenceAt } from '../store/sequence.ts'
import type { Key, Store, Value, Write } from '../store/store.ts'
import { currentEntries, storedPages } from './stored-pages.ts'

export interface UndoOptions {
  readonly store: Store
  readonly lease: Lease
  /** The table whose changes are undone. A cut of it keeps whatever is changed from now on, and keeps its log from
   *  being trimmed. */
  readonly source: TableDefinition
  /** In steady time. */
  readonly afterSteadyMs: number
  readonly undoId: number
  /** Where the last process or another server stopped. */
  readonly from: UndoPlace | undefined
  /** Written with what is undone. */
  readonly note: (place: UndoPlace) => Write
}

/** Everything after it in the log has been undone. ON DISK as JSON. */
export interface UndoPlace {
  readonly shardId: number
  /** The key, in base64. */
  readonly before: string
}

/** Records what each item was that has been changed after a moment, under `undoId` and in the order of the items. The
 *  log is read backwards, so for an item that was changed often, what is written last is what it was at that moment.
 *  Shards are read in the same direction: whatever a shard's children contain came after it. */
export async function collectUndo(options: UndoOptions): Promise<void> {
  const { store, lease, source, afterSteadyMs, undoId, from, note } = options
  const shards = (source.shards ?? []).toSorted((one, other) => other.shardId - one.shardId)
  for (const { shardId } of shards) {
    if (from !== undefined && shardId > from.shardId) continue
    const bounds = {
      from: logEntryKey(changeLogKey(source.tableId, shardId), sequenceAt(afterSteadyMs + 1)),
      to:
        shardId === from?.shardId ? Buffer.from(from.before, 'base64') : changeLogKey(source.tableId, shardId + 1),
      reverse: true,
    }
    for await (const page of storedPages(currentEntries(store), bounds)) {
      if (lease.aborted) return
      const undone = new Map<string, Write>()
      for (const { value } of page) {
        const record = decodeChangeRecord(value)
        const previous = previousOf(record)
        // Recovery was turned off since the cut: later changes were kept by the writes themselves.
        if (previous === undefined) continue
        const key = keyOfUndo(source, undoId, record)
        undone.set(keyText(key), { kind: 'put', key, value: previous })
      }
      const place = note({ shardId, before: Buffer.from(page.at(-1)?.key ?? bounds.to).toString('base64') })
      await lease.transact([], () => ({ writes: [...undone.values(), place], answer: undefined }))
      await breathe()
    }
  }
}

function keyOfUndo({ keySchema, attributeTypes }: TableDefinition, undoId: number, record: ChangeRecord): Key {
  const key = itemKey(undoId, keySchema, attributeTypes, record.keys.parse() as Item)
  return movedItemKey(keySpace.keptItem, undoId, key)
}

/** Undefined if the log does not contain it. */
function previousOf({ event, oldImage, oldSizeBytes }: ChangeRecord): Value | undefined {
  if (event === 'INSERT') return noItem
  return oldImage && storedValueOf(oldImage, oldSizeBytes)
}
