import { countsKey } from '../layout/key-space.ts'
import { decodeCounters } from '../store/counters.ts'
import type { Store } from '../store/store.ts'

export interface Counts {
  readonly items: number
  readonly bytes: number
}

/** How much a table or an index contains. */
export async function countsOf(store: Store, id: number): Promise<Counts> {
  const value = await store.view((snapshot) => snapshot.get(countsKey(id)))
  const [items = 0, bytes = 0] = decodeCounters(value)
  return { items, bytes }
}
