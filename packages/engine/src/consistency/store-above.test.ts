import { expect, test } from 'vitest'
import { LaggingStore } from './lagging-store.ts'
import { StoreAbove } from '../store/store-above.ts'
import type { Store } from '../store/store.ts'

class StoreWithTime implements Store {
  readonly shared = true
  readonly #atMs = 42
  view: Store['view'] = () => Promise.reject(new Error('not asked'))
  openSnapshot: Store['openSnapshot'] = () => Promise.reject(new Error('not asked'))
  transact: Store['transact'] = () => Promise.reject(new Error('not asked'))
  time(): Promise<{ atMs: number; tookMs: number }> {
    return Promise.resolve({ atMs: this.#atMs, tookMs: 0 })
  }
  lastSequence(): bigint {
    return 7n
  }
  async close(): Promise<void> {}
}

test('what the store underneath can do, the one above can, unless it is withheld', async () => {
  const above = new StoreAbove(new StoreWithTime(), ['lastSequence'])
  expect(above.shared).toBe(true)
  expect(await above.time?.()).toEqual({ atMs: 42, tookMs: 0 })
  expect(above.lastSequence).toBeUndefined()
  expect(above.compact).toBeUndefined()
})

test('a store whose eventually consistent reads are behind still uses the clock of the one underneath', async () => {
  const lagging = new LaggingStore(new StoreWithTime(), {}, { now: () => 0 })
  expect(await lagging.time?.()).toEqual({ atMs: 42, tookMs: 0 })
  expect(lagging.lastSequence?.()).toBe(7n)
})
