import type { Item } from '@hashrange/core'
import { breathe } from '../background/background-work.ts'
import type { Lease } from '../background/leases.ts'
import type { TableDefinition } from '../catalog/table-definition.ts'
import { decodeChangeRecord, type ChangeRecord } from '../changes/change-record.ts'
import { noItem } from '../cuts/kept-item.ts'
import { storedValueOf } from '../items/stored-item.ts'
import { itemKey } from '../layout/item-keys.ts'
import { keyText } from '../layout/key-bounds.ts'
import { changeLogKey, keySpace, movedItemKey } from '../layout/key-space.ts'
import { logEntryKey, sequenceAt } from '../store/sequence.ts'
import type { Key, Value, Write } from '../store/store.ts'
import { storedPages, type EntryReader } from './stored-pages.ts'

/** Writes down what each item was that has been changed after a moment, under `undoId` and in the order of the items. Of an
 *  item that was changed often the log is read backwards, so that what is written last is what it was at that moment.
 *  Shards are read in the same sense: whatever a shard's children hold came after it. */
export async function collectUndo(
  lease: Lease,
  reader: EntryReader,
  source: TableDefinition,
  afterMs: number,
  undoId: number,
): Promise<void> {
  const shards = (source.shards ?? []).toSorted((one, other) => other.shardId - one.shardId)
  for (const { shardId } of shards) {
    const bounds = {
      from: logEntryKey(changeLogKey(source.tableId, shardId), sequenceAt(afterMs + 1)),
      to: changeLogKey(source.tableId, shardId + 1),
      reverse: true,
    }
    for await (const page of storedPages(reader, bounds)) {
      if (lease.aborted) return
      const undone = new Map<string, Write>()
      for (const { value } of page) {
        const record = decodeChangeRecord(value)
        const key = keyOfUndo(source, undoId, record)
        undone.set(keyText(key), { kind: 'put', key, value: previousOf(record) })
      }
      await lease.transact([], () => ({ writes: [...undone.values()], answer: undefined }))
      await breathe()
    }
  }
}

function keyOfUndo({ keySchema, attributeTypes }: TableDefinition, undoId: number, record: ChangeRecord): Key {
  const key = itemKey(undoId, keySchema, attributeTypes, record.keys.parse() as Item)
  return movedItemKey(keySpace.keptItem, undoId, key)
}

function previousOf({ event, oldImage, oldSizeBytes }: ChangeRecord): Value {
  if (event === 'INSERT') return noItem
  if (oldImage === undefined) throw new Error('a log that recovery needs keeps what items were')
  return storedValueOf(oldImage, oldSizeBytes)
}
