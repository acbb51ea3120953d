import type { Decision, Key, MaybePromise, OpenSnapshot, Snapshot, Store, Value } from '../store/store.ts'

/** One store as several servers in this process share it: each opens its own, and what one does all others see. The last to
 *  close it closes the store. */
export class SharedStore {
  readonly #store: Store
  #users = 0

  constructor(store: Store) {
    this.#store = store
  }

  open(): Store {
    this.#users++
    const close = async (): Promise<void> => {
      if (--this.#users === 0) await this.#store.close()
    }
    return new SharedStoreUser(this.#store, close)
  }
}

class SharedStoreUser implements Store {
  readonly shared = true
  readonly #store: Store
  readonly #close: () => Promise<void>

  constructor(store: Store, close: () => Promise<void>) {
    this.#store = store
    this.#close = close
  }

  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return this.#store.view(read)
  }

  openSnapshot(): MaybePromise<OpenSnapshot> {
    return this.#store.openSnapshot()
  }

  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T> {
    return this.#store.transact(keys, decide)
  }

  lastSequence(): MaybePromise<bigint> {
    return this.#store.lastSequence?.() ?? 0n
  }

  close(): Promise<void> {
    return this.#close()
  }
}
