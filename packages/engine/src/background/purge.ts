import { countsKey, idOfPurgeKey, keySpace, purgeKey, purgeRange, spaceRange } from '../layout/key-space.ts'
import type { Key, Range, Store } from '../store/store.ts'
import { breathe, type Stopping } from './background-work.ts'

export interface Purge {
  readonly id: number
  readonly kind: 'table' | 'index'
}

/** Dropped tables and indexes whose entries are still stored. */
export async function purgesLeft(store: Store): Promise<readonly Purge[]> {
  const purges: Purge[] = []
  await store.view((snapshot) =>
    snapshot.range(purgeRange(), (key, value) => {
      purges.push({ id: idOfPurgeKey(key), kind: Buffer.from(value).toString() === 'table' ? 'table' : 'index' })
      return true
    }),
  )
  return purges
}

export async function purge(store: Store, { id, kind }: Purge, stopping: Stopping): Promise<void> {
  const ranges =
    kind === 'table'
      ? [spaceRange(keySpace.item, id), spaceRange(keySpace.collection, id)]
      : [spaceRange(keySpace.indexEntry, id)]
  for (const range of ranges) {
    while (await deleteSome(store, range)) {
      if (stopping.aborted) return
      await breathe()
    }
  }
  await store.transact([], () => ({
    writes: [
      { kind: 'delete', key: countsKey(id) },
      { kind: 'delete', key: purgeKey(id) },
    ],
    answer: undefined,
  }))
}

const entriesPerTransaction = 500

async function deleteSome(store: Store, range: Range): Promise<boolean> {
  const keys: Key[] = []
  await store.view((snapshot) =>
    snapshot.range({ ...range, limit: entriesPerTransaction }, (key) => {
      keys.push(key)
      return keys.length < entriesPerTransaction
    }),
  )
  if (keys.length === 0) return false
  await store.transact([], () => ({ writes: keys.map((key) => ({ kind: 'delete', key })), answer: undefined }))
  return true
}
