import type { Entry } from '../backups/stored-pages.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { stampInside } from '../items/stored-item.ts'
import { keySpace, movedItemKey, spaceRange } from '../layout/key-space.ts'
import { itemKeyOfTombstone, itemStampKey, tombstoneKey } from '../layout/replication-keys.ts'
import { decodeItemStamp, itemStampDamage } from '../stamps/item-stamp.ts'
import type { Key, MaybePromise, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { Fault } from './finding.ts'
import type { KnownTable } from './known-table.ts'
import { placeOfEntry } from './place.ts'
import type { Verification } from './verification.ts'

/** Looks at the stamps of a replica's items: whether each stands beside an item or in its place, and whether the
 *  tombstones are those that the stamps name. */
export async function checkStamps(run: Verification, table: KnownTable): Promise<void> {
  const stampsId = table.definition.replication?.stampsId
  if (stampsId === undefined) return
  const check = (
    space: typeof keySpace.itemStamp | typeof keySpace.tombstone,
    judge: (
      definition: TableDefinition,
      snapshot: Snapshot,
      page: readonly Entry[],
    ) => MaybePromise<readonly Fault[]>,
  ): Promise<void> =>
    run.eachPage(spaceRange(space, stampsId), (snapshot, page) =>
      whenThere(table.in(snapshot), (definition) =>
        definition?.replication?.stampsId === stampsId ? judge(definition, snapshot, page) : 'end',
      ),
    )
  await check(keySpace.itemStamp, (definition, snapshot, page) => judgeStamps(definition, stampsId, snapshot, page))
  await check(keySpace.tombstone, (definition, snapshot, page) =>
    judgeTombstones(definition, stampsId, snapshot, page),
  )
}

function judgeStamps(
  definition: TableDefinition,
  stampsId: number,
  snapshot: Snapshot,
  page: readonly Entry[],
): MaybePromise<readonly Fault[]> {
  const itemKeys = page.map(({ key }) => movedItemKey(keySpace.item, definition.tableId, key))
  const tombstoneKeys = page.map(({ key, value }) => tombstoneOf(stampsId, key, value) ?? key)
  return whenThere(snapshot.getMany([...itemKeys, ...tombstoneKeys]), (values) =>
    page.flatMap(({ key, value }, position): Fault | readonly [] => {
      const problem = stampProblem(stampsId, value, values[position], values[page.length + position])
      return problem === undefined ? [] : { kind: 'stamp', place: placeOfEntry(definition, key), problem }
    }),
  )
}

function stampProblem(
  stampsId: number,
  stamp: Value,
  item: Value | undefined,
  tombstone: Value | undefined,
): string | undefined {
  const damage = itemStampDamage(stamp)
  if (damage !== undefined) return `The stamp of an item is damaged: ${damage}.`
  if (decodeItemStamp(stamp).tombstone === undefined) {
    if (item === undefined) return 'A stamp belongs to an item that does not exist.'
    return stampInside(item, stampsId) === undefined ? undefined : 'An item has two stamps.'
  }
  if (item !== undefined) return 'The stamp of an item says that it was deleted.'
  return tombstone === undefined ? 'A tombstone is missing: the stamp would never be removed.' : undefined
}

function judgeTombstones(
  definition: TableDefinition,
  stampsId: number,
  snapshot: Snapshot,
  page: readonly Entry[],
): MaybePromise<readonly Fault[]> {
  const stampKeys = page.map(({ key }) => itemStampKey(stampsId, itemKeyOfTombstone(definition.tableId, key)))
  return whenThere(snapshot.getMany(stampKeys), (values) =>
    page.flatMap(({ key }, position): Fault | readonly [] => {
      const value = values[position]
      const named = value && tombstoneOf(stampsId, stampKeys[position] ?? key, value)
      if (named !== undefined && Buffer.compare(named, key) === 0) return []
      const problem = 'A tombstone belongs to no deletion that the stamps record.'
      return { kind: 'stamp', place: placeOfEntry(definition, key), problem }
    }),
  )
}

function tombstoneOf(stampsId: number, stampKey: Key, value: Value): Key | undefined {
  if (itemStampDamage(value) !== undefined) return undefined
  const { tombstone } = decodeItemStamp(value)
  return tombstone && tombstoneKey(stampsId, tombstone.atSteadyMs, stampKey)
}
