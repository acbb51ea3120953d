import { randomUUID } from 'node:crypto'
import { openLmdbStore } from '../store/lmdb-store.ts'
import { StoreAbove } from '../store/store-above.ts'
import type { Store } from '../store/store.ts'
import { AskingTwiceStore } from './asking-twice-store.ts'
import { SharedStore } from './shared-store.ts'

/** A store of nobody else's, or one that is the same each time the path is opened. */
export type TestPlace = { readonly memory: true } | { readonly path: string }

/** The store that tests of the engine run on: LMDB, unless the run has been set up for another. It asks every decision
 *  twice. */
export async function openTestStore(place: TestPlace = { memory: true }): Promise<Store> {
  return new AskingTwiceStore(await openStore(place))
}

/** Has the tests run on another store, which several servers can share; called before they are loaded. */
export function useTestStore(open: (place: TestPlace) => Promise<Store>): void {
  openStore = open
  isShared = true
}

/** Opens one store as often as it is asked to: each time for another server. */
export async function openSharedTestStore(): Promise<() => Promise<Store>> {
  if (isShared) {
    const place = { path: `shared-${randomUUID()}` }
    return () => openTestStore(place)
  }
  const shared = new SharedStore(await openTestStore())
  return () => Promise.resolve(shared.open())
}

/** Opens one store again and again, for one server after the other, each of which has it for itself. */
export async function openTestStoreAgain(): Promise<() => Promise<Store>> {
  if (isShared) return openSharedTestStore()
  const store = await openTestStore()
  return () => Promise.resolve(new LeftOpen(store))
}

/** A server that is killed does not close its store. It is in memory, and ends with the process. */
class LeftOpen extends StoreAbove {
  override close(): Promise<void> {
    return Promise.resolve()
  }
}

let isShared = false

let openStore: (place: TestPlace) => Promise<Store> = openLmdbStore
