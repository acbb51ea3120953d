import type { Entry } from '../backups/stored-pages.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { expirySecondsOf, expiryWrite } from '../expiry/expiry.ts'
import { itemExpiryKey, itemKeyOfExpiry, keySpace, spaceRange } from '../layout/key-space.ts'
import type { Key, MaybePromise, Snapshot, Value, Write } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { Fault, Repair } from './finding.ts'
import type { KnownTable } from './known-table.ts'
import { placeOfEntry } from './place.ts'
import { readStoredItem } from './read-stored-item.ts'
import type { Verification } from './verification.ts'

/** Looks at a table's index of expiries: whether each stands for an item whose time it tells. */
export async function checkExpiries(run: Verification, table: KnownTable): Promise<void> {
  const expiryIndexId = table.definition.timeToLive?.expiryIndexId
  if (expiryIndexId === undefined) return
  await run.eachPage(spaceRange(keySpace.itemExpiry, expiryIndexId), (snapshot, page) =>
    whenThere(table.in(snapshot), (definition) => {
      if (definition?.timeToLive?.expiryIndexId !== expiryIndexId) return 'end'
      return judge(table, definition, expiryIndexId, snapshot, page)
    }),
  )
}

function judge(
  table: KnownTable,
  definition: TableDefinition,
  expiryIndexId: number,
  snapshot: Snapshot,
  page: readonly Entry[],
): MaybePromise<readonly Fault[]> {
  const itemKeys = page.map(({ key }) => itemKeyOfExpiry(table.tableId, key))
  return whenThere(snapshot.getMany(itemKeys), (values) =>
    page.flatMap(({ key }, position): Fault | readonly [] => {
      const itemKey = itemKeys[position] ?? key
      const value = values[position]
      if (isRight(definition, expiryIndexId, key, itemKey, value)) return []
      const item = value && readStoredItem(value).stored?.item
      return {
        kind: 'expiry',
        place: placeOfEntry(definition, key, item),
        problem:
          value === undefined
            ? 'The index of expiry times names an item that does not exist.'
            : 'The index of expiry times has another time than the item.',
        repair: expiryRepair(table, expiryIndexId, key, itemKey),
      }
    }),
  )
}

function isRight(
  { timeToLive }: TableDefinition,
  expiryIndexId: number,
  key: Key,
  itemKey: Key,
  value: Value | undefined,
): boolean {
  if (value === undefined || timeToLive === undefined) return false
  const { stored } = readStoredItem(value)
  // An item that cannot be read is told of elsewhere.
  if (stored === undefined) return true
  const seconds = expirySecondsOf(stored.item, timeToLive.attributeName)
  return seconds !== undefined && Buffer.compare(itemExpiryKey(expiryIndexId, seconds, itemKey), key) === 0
}

/** Adds or removes an expiry entry, as its item now requires. */
export function expiryRepair(table: KnownTable, expiryIndexId: number, expiryKey: Key, itemKey: Key): Repair {
  return {
    isExact: true,
    keys: [table.key, expiryKey, itemKey],
    decide: ([definitionValue, found, value]): readonly Write[] => {
      const timeToLive = table.read(definitionValue)?.timeToLive
      if (timeToLive?.expiryIndexId !== expiryIndexId) return []
      const item = value && readStoredItem(value)
      if (item !== undefined && item.stored === undefined) return []
      const seconds = item?.stored && expirySecondsOf(item.stored.item, timeToLive.attributeName)
      const isWanted =
        seconds !== undefined && Buffer.compare(itemExpiryKey(expiryIndexId, seconds, itemKey), expiryKey) === 0
      if (isWanted) return found === undefined ? [expiryWrite(expiryIndexId, seconds, itemKey)] : []
      return found === undefined ? [] : [{ kind: 'delete', key: expiryKey }]
    },
  }
}
