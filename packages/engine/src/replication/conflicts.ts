import type { Item } from '@hashrange/core'
import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import type { Key, Store } from '../store/store.ts'
import type { StoredConflict, StoredWrite } from './conflict-write.ts'

/** Two writes of an item, of which neither had seen the other: the later one won, and the other was lost. */
export interface Conflict {
  readonly accountId: string
  readonly tableName: string
  /** The key of the item. */
  readonly key: Item
  /** The regions in which it was found. */
  readonly foundIn: readonly string[]
  readonly foundAt: Date
  readonly winner: ConflictingWrite
  readonly loser: ConflictingWrite
}

export interface ConflictingWrite {
  readonly region: string
  readonly at: Date
  /** The microseconds within the millisecond of `at`, by which writes of one millisecond are ordered. */
  readonly microsecond: number
  readonly isDeletion: boolean
  /** What the loser had written. Absent if it deleted the item, or if the item is larger than 64 KB. */
  readonly item?: Item
}

/** The newest are kept, for each replica. */
const mostConflicts = 1_000

/** The conflicts of one table or of all, oldest first. Both sides of a conflict may find it, and it is returned once. */
export async function readConflicts(
  { store, catalog }: { readonly store: Store; readonly catalog: Catalog },
  scope?: Scope,
  tableName?: string,
): Promise<readonly Conflict[]> {
  const found = new Map<string, Conflict>()
  for (const { definition } of catalog.all()) {
    const { replication, accountId, region } = definition
    if (replication === undefined) continue
    if (tableName !== undefined && definition.tableName !== tableName) continue
    if (scope !== undefined && (scope.accountId !== accountId || scope.region !== region)) continue
    await store.view((snapshot) =>
      snapshot.range(spaceRange(keySpace.conflict, replication.stampsId), (key, value) => {
        const id = `${replication.globalTableId} ${Buffer.from(key.subarray(5)).toString('hex')}`
        const known = found.get(id)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by us.
        const stored = JSON.parse(value.toString('utf8')) as StoredConflict
        found.set(
          id,
          known === undefined
            ? conflictOf(stored, accountId, definition.tableName, region)
            : { ...known, foundIn: [...known.foundIn, region].toSorted() },
        )
        return true
      }),
    )
  }
  return [...found.values()].toSorted((one, other) => one.loser.at.getTime() - other.loser.at.getTime())
}

function conflictOf(stored: StoredConflict, accountId: string, tableName: string, region: string): Conflict {
  return {
    accountId,
    tableName,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by us.
    key: stored.key as Item,
    foundIn: [region],
    foundAt: new Date(stored.foundAtMs),
    winner: writeOf(stored.winner),
    loser: writeOf(stored.loser),
  }
}

function writeOf({ region, micros, deleted, item }: StoredWrite): ConflictingWrite {
  return {
    region,
    at: new Date(Math.floor(micros / 1000)),
    microsecond: micros % 1000,
    isDeletion: deleted === true,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by us.
    ...(item !== undefined && { item: item as Item }),
  }
}

/** Keeps the newest conflicts of a replica. */
export async function forgetOldConflicts(store: Store, { definition }: Table): Promise<void> {
  const stampsId = definition.replication?.stampsId
  if (stampsId === undefined) return
  const old: Key[] = []
  let count = 0
  await store.view((snapshot) =>
    snapshot.range({ ...spaceRange(keySpace.conflict, stampsId), reverse: true }, (key) => {
      if (++count > mostConflicts) old.push(key)
      return old.length < mostConflicts
    }),
  )
  if (old.length === 0) return
  await store.transact([], () => ({ writes: old.map((key) => ({ kind: 'delete', key })), answer: undefined }))
}
