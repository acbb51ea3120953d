import { StorageError } from '../store/storage-error.ts'
import { StoreAbove } from '../store/store-above.ts'
import type { Decision, IsSpare, Key, MaybePromise, OpenSnapshot, Snapshot, Store, Value } from '../store/store.ts'

/** A store whose process is killed at a transaction that the test names: from then on nothing it asks for is done, or answered. */
export class DyingStore extends StoreAbove {
  #transactionsLeft = Infinity
  #isLastOneDone = false
  #isDead = false

  constructor(store: Store) {
    super(store, ['lastSequence', 'time', 'refresh', 'probe', 'viewEventually'])
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

  override view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return this.#isDead ? Promise.reject(dead()) : this.underneath.view(read)
  }

  override openSnapshot(): MaybePromise<OpenSnapshot> {
    return this.#isDead ? Promise.reject(dead()) : this.underneath.openSnapshot()
  }

  override async transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T> {
    if (this.#isDead) throw dead()
    if (--this.#transactionsLeft >= 0) return this.underneath.transact(keys, decide, isSpare)
    this.#isDead = true
    if (this.#isLastOneDone) await this.underneath.transact(keys, decide, isSpare)
    throw dead()
  }
}

function dead(): StorageError {
  return new StorageError('unavailable', 'This process has been killed.')
}
