import type { BranchLayout } from '../layout/branch-layout.ts'
import { branchListKey } from '../layout/branch-keys.ts'
import { StorageError } from '../store/storage-error.ts'
import type { Decision, Key, MaybePromise, OpenSnapshot, Snapshot, Store, Value } from '../store/store.ts'
import type { BranchBook } from './branch-book.ts'
import { writesWithKept } from './kept-writes.ts'
import { transactWithMore } from './transact-with-more.ts'

/** The data that branches were made from, as the engine uses it. As long as there are no branches, transactions go to the
 *  store below as they are. */
export class MainStore implements Store {
  readonly shared?: boolean
  readonly viewEventually?: NonNullable<Store['viewEventually']>
  readonly probe?: NonNullable<Store['probe']>
  readonly whatIsMissing?: NonNullable<Store['whatIsMissing']>
  readonly follow?: NonNullable<Store['follow']>
  readonly verify?: NonNullable<Store['verify']>
  readonly compact?: NonNullable<Store['compact']>
  readonly time?: NonNullable<Store['time']>
  readonly figures?: NonNullable<Store['figures']>
  readonly lastSequence?: NonNullable<Store['lastSequence']>
  /** With everything that branches hold, for making copies. */
  readonly underneath: Store
  readonly #book: BranchBook
  readonly #layout: BranchLayout
  /** Transactions that may need another attempt. */
  readonly #running = new Set<Promise<unknown>>()
  #held: Promise<void> | undefined
  #isClosed = false

  constructor(underneath: Store, book: BranchBook, layout: BranchLayout) {
    this.underneath = underneath
    this.#book = book
    this.#layout = layout
    if (underneath.shared !== undefined) this.shared = underneath.shared
    if (underneath.viewEventually !== undefined) this.viewEventually = underneath.viewEventually.bind(underneath)
    if (underneath.probe !== undefined) this.probe = underneath.probe.bind(underneath)
    if (underneath.whatIsMissing !== undefined) this.whatIsMissing = underneath.whatIsMissing.bind(underneath)
    if (underneath.follow !== undefined) this.follow = underneath.follow.bind(underneath)
    if (underneath.verify !== undefined) this.verify = underneath.verify.bind(underneath)
    if (underneath.compact !== undefined) this.compact = underneath.compact.bind(underneath)
    if (underneath.time !== undefined) this.time = underneath.time.bind(underneath)
    if (underneath.figures !== undefined) this.figures = underneath.figures.bind(underneath)
    if (underneath.lastSequence !== undefined) this.lastSequence = underneath.lastSequence.bind(underneath)
  }

  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return this.#held === undefined ? this.underneath.view(read) : this.#held.then(() => this.view(read))
  }

  openSnapshot(): MaybePromise<OpenSnapshot> {
    return this.#held === undefined ? this.underneath.openSnapshot() : this.#held.then(() => this.openSnapshot())
  }

  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T> {
    if (this.#held !== undefined) return this.#held.then(() => this.transact(keys, decide))
    // Whoever reads the version of a table, and finds the one that it knows, also knows whether there are branches.
    const knowsBranches = this.shared !== true || this.#layout.provesDefinitions(keys.at(-1))
    if (knowsBranches && !this.#book.mayHaveBranches) return this.underneath.transact(keys, decide)
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
  async refresh(): Promise<void> {
    if (this.shared === true) await this.#book.read(this.underneath)
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

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    await this.underneath.close()
  }
}
