import { parseDefinition } from '../catalog/stored-definition.ts'
import { isBeingRead } from '../cuts/cut-definition.ts'
import {
  countsKey,
  droppedTableKey,
  idOfPurgeKey,
  keySpace,
  progressKey,
  purgeKey,
  purgeRange,
  spaceRange,
} from '../layout/key-space.ts'
import { partitionModelKey } from '../layout/metering-keys.ts'
import type { MaybePromise, Store } from '../store/store.ts'
import type { Stopping } from '../work/background-work.ts'
import { deleteRange } from '../work/delete-range.ts'

/** The entries of an identifier that is neither a table's nor a Kinesis stream's are in one of several spaces; the
 *  others are empty. */
const spacesOf = {
  table: [keySpace.item, keySpace.collection, keySpace.replicationCursor],
  index: [
    keySpace.indexEntry,
    keySpace.itemExpiry,
    keySpace.itemStamp,
    keySpace.tombstone,
    keySpace.conflict,
    keySpace.missedWrite,
    keySpace.keptItem,
  ],
  stream: [keySpace.kinesisShard, keySpace.kinesisRecord],
} as const

export interface Purge {
  readonly id: number
  readonly kind: 'table' | 'index' | 'stream'
}

/** Dropped tables, indexes and Kinesis streams whose entries are still stored, except those that are still being read. */
export function purgesLeft(store: Store): MaybePromise<readonly Purge[]> {
  return store.view(async (snapshot) => {
    const purges: Purge[] = []
    await snapshot.range(purgeRange(), (key, value) => {
      purges.push({ id: idOfPurgeKey(key), kind: kindOf(Buffer.from(value).toString()) })
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
  for (const space of spacesOf[kind]) {
    await deleteRange(store, spaceRange(space, id), stopping)
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

function kindOf(value: string): Purge['kind'] {
  return value === 'table' || value === 'stream' ? value : 'index'
}
