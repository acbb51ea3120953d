import type { Store } from './store.ts'

/** What runs transactions: the store, or a lease on it. */
export type Transactor = Pick<Store, 'transact'>
