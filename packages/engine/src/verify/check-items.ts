import type { Entry } from '../backups/stored-pages.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { expirySecondsOf } from '../expiry/expiry.ts'
import { indexEntryOf } from '../items/index-entry.ts'
import type { StoredItem } from '../items/stored-item.ts'
import { itemExpiryKey, keySpace, spaceRange } from '../layout/key-space.ts'
import type { Key, MaybePromise, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { CollectionSizes, type KeptItem } from './collection-sizes.ts'
import { Count } from './count.ts'
import { expiryRepair } from './check-expiries.ts'
import type { Fault } from './finding.ts'
import { entryFault, indexesOf } from './index-faults.ts'
import type { KnownTable } from './known-table.ts'
import { placeOfEntry, placeOfTable } from './place.ts'
import { keyProblems, readStoredItem } from './read-stored-item.ts'
import type { Verification } from './verification.ts'

/** Checks every item of a table, and whether everything derived from it exists: its entry in each index, its expiry
 *  entry, and its share in the size of its collection and in the table's counts. */
export async function checkItems(run: Verification, table: KnownTable): Promise<void> {
  const count = new Count(
    run,
    table.tableId,
    spaceRange(keySpace.item, table.tableId),
    placeOfTable(table.definition),
  )
  const collections = new CollectionSizes(run, table)
  await run.eachPage(spaceRange(keySpace.item, table.tableId), (snapshot, page) =>
    whenThere(table.in(snapshot), (definition) => {
      if (definition === undefined) return 'end'
      run.items += page.length
      return whenThere(judge(table, definition, snapshot, page, collections), (faults) => {
        for (const { value } of page) count.add(value)
        return faults
      })
    }),
  )
  await collections.finish()
  await count.compare()
}

/** Something that must be stored because of an item. */
interface Expected {
  readonly key: Key
  readonly fault: (found: Value | undefined) => Fault | undefined
}

function judge(
  table: KnownTable,
  definition: TableDefinition,
  snapshot: Snapshot,
  page: readonly Entry[],
  collections: CollectionSizes,
): MaybePromise<readonly Fault[]> {
  const faults: Fault[] = []
  const expected: Expected[] = []
  const kept: KeptItem[] = []
  for (const { key, value } of page) {
    const { stored, problems } = readStoredItem(value)
    kept.push({ key, stored })
    const wrong =
      stored === undefined
        ? problems
        : [...problems, ...keyProblems(definition, keySpace.item, table.tableId, key, stored.item)]
    for (const problem of wrong) {
      faults.push({
        kind: 'item',
        place: placeOfEntry(definition, key, stored?.item),
        problem: `The item is damaged. ${problem}`,
      })
    }
    if (stored === undefined || wrong.length > 0) continue
    expected.push(...expectedOf(table, definition, key, stored))
  }
  return whenThere(collections.add(snapshot, definition, kept), () =>
    expected.length === 0
      ? faults
      : whenThere(snapshot.getMany(expected.map(({ key }) => key)), (values) => {
          expected.forEach(({ fault }, position) => {
            const found = fault(values[position])
            if (found !== undefined) faults.push(found)
          })
          return faults
        }),
  )
}

function expectedOf(
  table: KnownTable,
  definition: TableDefinition,
  key: Key,
  stored: StoredItem,
): readonly Expected[] {
  const expected: Expected[] = []
  for (const index of indexesOf(definition)) {
    const entry = indexEntryOf(definition, index, key, stored)
    if (entry === undefined) continue
    expected.push({
      key: entry.key,
      fault: (found) => entryFault(table, definition, index, key, stored, entry, found),
    })
  }
  const { timeToLive } = definition
  const seconds = timeToLive && expirySecondsOf(stored.item, timeToLive.attributeName)
  if (timeToLive === undefined || seconds === undefined || timeToLive.filling === true) return expected
  const expiryKey = itemExpiryKey(timeToLive.expiryIndexId, seconds, key)
  expected.push({
    key: expiryKey,
    fault: (found) =>
      found === undefined
        ? {
            kind: 'expiry',
            place: placeOfEntry(definition, expiryKey, stored.item),
            problem:
              'The item has a time to live, but no entry in the index of expiry times, so it would not be deleted.',
            repair: expiryRepair(table, timeToLive.expiryIndexId, expiryKey, key),
          }
        : undefined,
  })
  return expected
}
