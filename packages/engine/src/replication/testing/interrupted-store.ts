import { StoreAbove } from '../../store/store-above.ts'
import type { Decision, IsSpare, Key, Store, Value } from '../../store/store.ts'

/** Lets something happen just before a transaction that the test names. */
export class InterruptedStore extends StoreAbove {
  #interruption: { readonly key: Key; readonly before: () => Promise<unknown> } | undefined

  constructor(store: Store) {
    super(store, ['lastSequence', 'time', 'refresh', 'probe', 'viewEventually'])
  }

  /** Before the next transaction that has to do with `key`. */
  interrupt(key: Key, before: () => Promise<unknown>): void {
    this.#interruption = { key, before }
  }

  override async transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T> {
    const interruption = this.#interruption
    if (interruption !== undefined && keys.some((key) => Buffer.compare(key, interruption.key) === 0)) {
      this.#interruption = undefined
      await interruption.before()
    }
    return this.underneath.transact(keys, decide, isSpare)
  }
}
