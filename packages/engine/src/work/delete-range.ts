import type { Key, Range, Store } from '../store/store.ts'
import type { Transactor } from '../store/transactor.ts'
import { breathe, type Stopping } from './background-work.ts'

/** Removes all entries between the bounds, in small transactions. */
export async function deleteRange(
  store: Store,
  range: Range,
  stopping: Stopping,
  through: Transactor = store,
): Promise<void> {
  while (!stopping.aborted && (await deleteSome(store, range, through))) await breathe()
}

const entriesPerTransaction = 500

/** Deletes the first entries of a range; false if there are none. The cost depends on what it deletes. */
export async function deleteSome(store: Store, range: Range, through: Transactor = store): Promise<boolean> {
  const keys: Key[] = []
  await store.view((snapshot) =>
    snapshot.range({ ...range, limit: entriesPerTransaction }, (key) => {
      keys.push(key)
      return keys.length < entriesPerTransaction
    }),
  )
  if (keys.length === 0) return false
  await through.transact([], () => ({ writes: keys.map((key) => ({ kind: 'delete', key })), answer: undefined }))
  return true
}
