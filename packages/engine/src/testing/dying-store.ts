import { StorageError } from '../store/storage-error.ts'
import type { Decision, Key, MaybePromise, OpenSnapshot, Snapshot, Store, Value } from '../store/store.ts'

/** A store whose process is killed at a transaction that the test names: from then on nothing it asks for is done, or answered. */
export class DyingStore implements Store {
  readonly #store: Store
  #transactionsLeft = Infinity
  #isLastOneDone = false
  #isDead = false

  constructor(store: Store) {
    this.#store = store
  }

  get shared(): boolean {
    return this.#store.shared ?? false
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** After so many more transactions, the next is its last: it is done, or it is not; it is not acknowledged. */
  dieAfter(transactions: number, isLastOneDone: boolean): void {
    this.#transactionsLeft = transactions
    this.#isLastOneDone = isLastOneDone
  }

  /** Nothing is done from now on. */
  die(): void {
    this.#isDead = true
  }

  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return this.#isDead ? Promise.reject(dead()) : this.#store.view(read)
  }

  openSnapshot(): MaybePromise<OpenSnapshot> {
    return this.#isDead ? Promise.reject(dead()) : this.#store.openSnapshot()
  }

  async transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
  ): Promise<T> {
    if (this.#isDead) throw dead()
    if (--this.#transactionsLeft >= 0) return this.#store.transact(keys, decide)
    this.#isDead = true
    if (this.#isLastOneDone) await this.#store.transact(keys, decide)
    throw dead()
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

function dead(): StorageError {
  return new StorageError('unavailable', 'This process has been killed.')
}
