import { parseDefinition } from '../catalog/stored-definition.ts'
import { isBeingRead } from '../cuts/cut-definition.ts'
import {
  countsKey,
  droppedTableKey,
  idOfPurgeKey,
  keySpace,
  partitionModelKey,
  progressKey,
  purgeKey,
  purgeRange,
  spaceRange,
} from '../layout/key-space.ts'
import type { MaybePromise, Store } from '../store/store.ts'
import type { Stopping } from '../work/background-work.ts'
import { deleteRange } from '../work/delete-range.ts'

/** The entries of an identifier that is not a table's are in one of these; the others are empty. */
const otherSpaces = [
  keySpace.indexEntry,
  keySpace.itemExpiry,
  keySpace.itemStamp,
  keySpace.tombstone,
  keySpace.keptItem,
] as const

export interface Purge {
  readonly id: number
  readonly kind: 'table' | 'index'
}

/** Dropped tables and indexes whose entries are still stored, except those that are still being read. */
export function purgesLeft(store: Store): MaybePromise<readonly Purge[]> {
  return store.view(async (snapshot) => {
    const purges: Purge[] = []
    await snapshot.range(purgeRange(), (key, value) => {
      purges.push({ id: idOfPurgeKey(key), kind: Buffer.from(value).toString() === 'table' ? 'table' : 'index' })
      return true
    })
    const dropped = await snapshot.getMany(purges.map(({ id }) => droppedTableKey(id)))
    return purges.filter((_, position) => {
      const value = dropped[position]
      return value === undefined || !isBeingRead(parseDefinition(value))
    })
  })
}

export async function purge(store: Store, { id, kind }: Purge, stopping: Stopping): Promise<void> {
  const ranges =
    kind === 'table'
      ? [spaceRange(keySpace.item, id), spaceRange(keySpace.collection, id)]
      : otherSpaces.map((space) => spaceRange(space, id))
  for (const range of ranges) {
    await deleteRange(store, range, stopping)
    if (stopping.aborted) return
  }
  await store.transact([], () => ({
    writes: [
      { kind: 'delete', key: countsKey(id) },
      { kind: 'delete', key: partitionModelKey(id) },
      { kind: 'delete', key: progressKey(id) },
      { kind: 'delete', key: purgeKey(id) },
    ],
    answer: undefined,
  }))
}
