import type { Catalog } from '../catalog/catalog.ts'
import type { Store } from '../store/store.ts'
import type { StoreClock } from '../time/store-clock.ts'

/** What is needed to read and keep change logs. */
export interface Streaming {
  readonly store: Store
  readonly catalog: Catalog
  readonly clock: StoreClock
  /** How long stream records are kept. */
  readonly streamRetentionMs: number
}
