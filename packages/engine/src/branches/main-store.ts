import type { BranchLayout } from '../layout/branch-layout.ts'
import { branchListKey } from '../layout/branch-keys.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Decision, IsSpare, Key, MaybePromise, OpenSnapshot, Snapshot, Store, Value } from '../store/store.ts'
import { StoreAbove } from '../store/store-above.ts'
import type { BranchBook } from './branch-book.ts'
import { writesWithKept } from './kept-writes.ts'
import { transactWithMore } from './transact-with-more.ts'

/** The data that branches were made from, as the engine uses it. The store underneath also has everything that branches hold. As long as there are no branches, transactions go to the
 *  store below as they are. */
export class MainStore extends StoreAbove {
  readonly #book: BranchBook
  readonly #layout: BranchLayout
  /** Transactions that may need another attempt. */
  readonly #running = new Set<Promise<unknown>>()
  #held: Promise<void> | undefined
  #isClosed = false

  constructor(underneath: Store, book: BranchBook, layout: BranchLayout) {
    super(underneath, ['refresh'])
    this.#book = book
    this.#layout = layout
  }

  override view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return this.#held === undefined ? this.underneath.view(read) : this.#held.then(() => this.view(read))
  }

  override openSnapshot(): MaybePromise<OpenSnapshot> {
    return this.#held === undefined ? this.underneath.openSnapshot() : this.#held.then(() => this.openSnapshot())
  }

  override transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T> {
    if (this.#held !== undefined) return this.#held.then(() => this.transact(keys, decide, isSpare))
    // Whoever reads the version of a table, and finds the one that it knows, also knows whether there are branches.
    const knowsBranches = this.shared !== true || this.#layout.provesDefinitions(keys.at(-1))
    if (knowsBranches && !this.#book.mayHaveBranches) return this.underneath.transact(keys, decide, isSpare)
    if (this.#isClosed) return Promise.reject(new StorageError('io', 'The store is closed.'))
    const result = this.transactKeeping(keys, decide)
    this.#running.add(result)
    const forget = (): void => void this.#running.delete(result)
    result.then(forget, forget)
    return result
  }

  /** Keeps what it changes for every branch, except for one that is being restored. */
  transactKeeping<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    except?: number,
  ): Promise<T> {
    const isShared = this.shared === true
    const read = isShared ? [...keys, branchListKey()] : keys
    return transactWithMore(this.underneath, read, (valueOf) => {
      const branches = this.#book.keptBy(isShared ? valueOf(branchListKey()) : undefined)
      const { writes, ...rest } = decide(keys.map(valueOf))
      const kept = branches.filter(({ id }) => id !== except)
      if (kept.length === 0 || writes.length === 0) return { ...rest, writes }
      return { ...rest, writes: writesWithKept(this.#layout, kept, writes, valueOf, isShared) }
    })
  }

  /** Learns of branches that other servers have made. */
  override readonly refresh = async (): Promise<void> => {
    if (this.shared === true) await this.#book.read(this.underneath)
    await this.underneath.refresh?.()
  }

  /** Lets everybody wait until `work` is done. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    while (this.#held !== undefined) await this.#held
    let release = (): void => undefined
    this.#held = new Promise((resolve) => (release = resolve))
    try {
      return await work()
    } finally {
      this.#held = undefined
      release()
    }
  }

  override async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    await this.underneath.close()
  }
}
