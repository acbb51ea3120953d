import type { Entry } from '../backups/stored-pages.ts'
import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { indexEntryOf, isIndexed } from '../items/index-entry.ts'
import type { StoredItem } from '../items/stored-item.ts'
import { indexEntryKey, itemKey } from '../layout/item-keys.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import type { Key, MaybePromise, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { Count } from './count.ts'
import type { Fault } from './finding.ts'
import { entryRepair, indexWithId, isBeingFilled } from './index-faults.ts'
import type { KnownTable } from './known-table.ts'
import { placeOfEntry, placeOfTable } from './place.ts'
import { readStoredItem } from './read-stored-item.ts'
import type { Verification } from './verification.ts'

/** Checks every entry of an index: whether there is an item for it. Whether an item's entry is correct is checked
 *  with the item. */
export async function checkIndex(
  run: Verification,
  table: KnownTable,
  { indexId, indexName }: IndexDefinition,
): Promise<void> {
  const range = spaceRange(keySpace.indexEntry, indexId)
  const count = new Count(run, indexId, range, { ...placeOfTable(table.definition), index: indexName })
  let isOver = false
  await run.eachPage(range, (snapshot, page) =>
    whenThere(table.in(snapshot), (definition) => {
      const index = definition && indexWithId(definition, indexId)
      if (definition === undefined || index === undefined) {
        isOver = true
        return 'end'
      }
      return whenThere(judge(run, table, definition, index, snapshot, page), (faults) => {
        for (const { value } of page) count.add(value)
        return faults
      })
    }),
  )
  const index = indexWithId(table.definition, indexId)
  // While an index is being filled, its counts include entries that are still missing.
  if (!isOver && index !== undefined && !isBeingFilled(index)) await count.compare()
}

/** An entry as it was read, and the item that it says it belongs to. */
interface ReadEntry {
  readonly entry: Entry
  readonly stored: StoredItem | undefined
  readonly baseKey: Key | undefined
}

function judge(
  run: Verification,
  table: KnownTable,
  definition: TableDefinition,
  index: IndexDefinition,
  snapshot: Snapshot,
  page: readonly Entry[],
): MaybePromise<readonly Fault[]> {
  const entries = page.map((entry): ReadEntry => {
    const { stored } = readStoredItem(entry.value)
    return { entry, stored, baseKey: stored && baseKeyOf(definition, index, entry.key, stored) }
  })
  const owned = entries.filter(({ baseKey }) => baseKey !== undefined)
  return whenThere(snapshot.getMany(owned.map(({ baseKey }) => baseKey ?? table.key)), (values) => {
    const items = new Map(owned.map(({ entry }, position) => [entry, values[position]]))
    return entries.flatMap(({ entry, stored, baseKey }): Fault | readonly [] => {
      const problem = problemOf(definition, index, entry, baseKey, items.get(entry))
      if (problem === undefined || run.wasToldOf(entry.key)) return []
      return {
        kind: 'index-entry',
        place: placeOfEntry(definition, entry.key, stored?.item, index.indexName),
        problem,
        repair: entryRepair(table, index.indexId, entry.key, baseKey),
      }
    })
  })
}

function problemOf(
  definition: TableDefinition,
  index: IndexDefinition,
  { key, value }: Entry,
  baseKey: Key | undefined,
  item: Value | undefined,
): string | undefined {
  if (baseKey === undefined) return 'The index entry is damaged: it does not say which item it is of.'
  if (item === undefined) return 'The index has an entry for an item that does not exist.'
  // An index that contains whole items: the entry is already known to be where it belongs.
  if (item.equals(value)) return undefined
  const { stored } = readStoredItem(item)
  // An unreadable item is reported elsewhere.
  if (stored === undefined) return undefined
  const expected = indexEntryOf(definition, index, baseKey, stored)
  if (expected !== undefined && Buffer.compare(expected.key, key) === 0) return undefined
  return 'The index has an entry that its item does not have any more.'
}

/** The key of the item that this entry belongs to; undefined if it is not where an item with these attributes would
 *  have it. */
function baseKeyOf(
  definition: TableDefinition,
  index: IndexDefinition,
  key: Key,
  stored: StoredItem,
): Key | undefined {
  const { tableId, keySchema, attributeTypes } = definition
  try {
    if (!isIndexed(definition, index, stored.item)) return undefined
    const baseKey = itemKey(tableId, keySchema, attributeTypes, stored.item)
    const expected = indexEntryKey(index.indexId, index.keySchema, attributeTypes, stored.item, baseKey)
    return Buffer.compare(expected, key) === 0 ? baseKey : undefined
  } catch {
    return undefined
  }
}
