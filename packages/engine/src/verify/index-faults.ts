import { equalItems } from '@hashrange/core'
import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { indexEntryOf, type IndexEntry } from '../items/index-entry.ts'
import type { StoredItem } from '../items/stored-item.ts'
import type { Key, Value, Write } from '../store/store.ts'
import type { Fault, Repair } from './finding.ts'
import type { KnownTable } from './known-table.ts'
import { placeOfEntry } from './place.ts'
import { readStoredItem } from './read-stored-item.ts'

/** Whether an index is still being filled: then entries may be missing, but none may be wrong. */
export function isBeingFilled({ status }: IndexDefinition): boolean {
  return status === 'CREATING'
}

/** What is wrong with the entry of an item in an index; `found` is what is at its key. */
export function entryFault(
  table: KnownTable,
  definition: TableDefinition,
  index: IndexDefinition,
  baseKey: Key,
  stored: StoredItem,
  entry: IndexEntry,
  found: Value | undefined,
): Fault | undefined {
  if (found === undefined ? isBeingFilled(index) : isSameEntry(entry.stored, found)) return undefined
  return {
    kind: 'index-entry',
    place: placeOfEntry(definition, entry.key, stored.item, index.indexName),
    problem:
      found === undefined ? 'The index has no entry for the item.' : 'The index entry is not what its item says.',
    repair: entryRepair(table, index.indexId, entry.key, baseKey),
  }
}

/** Equal except for the order of attributes, which a write that changes nothing else leaves as it was. */
function isSameEntry(expected: StoredItem, found: Value): boolean {
  if (expected.plainValue.equals(found)) return true
  const { stored, problems } = readStoredItem(found)
  return stored !== undefined && problems.length === 0 && equalItems(expected.item, stored.item)
}

/** Corrects an entry according to its item, or removes it if the item has none. Without a `baseKey` the owner of the
 *  entry is unknown, and it is removed. */
export function entryRepair(table: KnownTable, indexId: number, entryKey: Key, baseKey: Key | undefined): Repair {
  return {
    isExact: true,
    keys: [table.key, entryKey, ...(baseKey === undefined ? [] : [baseKey])],
    decide: ([definitionValue, found, itemValue]): readonly Write[] => {
      const definition = table.read(definitionValue)
      const index = definition && indexWithId(definition, indexId)
      if (definition === undefined || index === undefined) return []
      const item = itemValue && readStoredItem(itemValue)
      // An unreadable item says nothing about its entries.
      if (item !== undefined && item.stored === undefined) return []
      const entry = item?.stored && baseKey && indexEntryOf(definition, index, baseKey, item.stored)
      if (entry === undefined || Buffer.compare(entry.key, entryKey) !== 0) {
        return found === undefined ? [] : [{ kind: 'delete', key: entryKey }]
      }
      return found !== undefined && isSameEntry(entry.stored, found)
        ? []
        : [{ kind: 'put', key: entryKey, value: entry.stored.plainValue }]
    },
  }
}

export function indexesOf({ localIndexes, globalIndexes }: TableDefinition): readonly IndexDefinition[] {
  return [...localIndexes, ...globalIndexes.filter(({ status }) => status !== 'DELETING')]
}

export function indexWithId(definition: TableDefinition, indexId: number): IndexDefinition | undefined {
  return indexesOf(definition).find((index) => index.indexId === indexId)
}
