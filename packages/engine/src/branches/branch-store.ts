import type { BranchLayout } from '../layout/branch-layout.ts'
import { branchListKey } from '../layout/branch-keys.ts'
import { StorageError } from '../store/storage-error.ts'
import { StoreAbove, type StoreAbility } from '../store/store-above.ts'
import type { Decision, Key, MaybePromise, OpenSnapshot, Snapshot, Store, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { BranchSnapshot } from './branch-snapshot.ts'
import { keysBehind, valueInBranch, writesInBranch } from './branch-writes.ts'
import type { KeptBranch } from './kept-writes.ts'
import { transactWithMore } from './transact-with-more.ts'

/** What a branch must know about the others. */
export interface BranchKeeping {
  readonly store: Store
  readonly layout: BranchLayout
  /** Whether the branch still exists, by what the list of branches says, or by what is known if it is not given. */
  isThere(branchId: number, list?: Value): boolean
}

/** What is done to the whole store, with all its branches, or shows the data that they were made from. */
const onlyForAll: readonly StoreAbility[] = ['viewEventually', 'follow', 'verify', 'compact', 'figures', 'refresh']

/** A branch as a store of its own. What it does not have itself, it sees in the data that it was made from; whoever changes
 *  that keeps it for the branch. Closing it leaves the store open. */
export class BranchStore extends StoreAbove {
  readonly branch: KeptBranch
  readonly #keeping: BranchKeeping
  readonly #isReadOnly: boolean
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(keeping: BranchKeeping, branch: KeptBranch, isReadOnly: boolean) {
    super(keeping.store, onlyForAll)
    this.branch = branch
    this.#keeping = keeping
    this.#isReadOnly = isReadOnly
  }

  override view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    this.#assertOpen()
    const { store, layout } = this.#keeping
    const result = store.view((snapshot) => read(new BranchSnapshot(layout, this.branch, snapshot)))
    return result instanceof Promise ? this.#counted(result) : result
  }

  override openSnapshot(): MaybePromise<OpenSnapshot> {
    this.#assertOpen()
    const { store, layout } = this.#keeping
    return whenThere(
      store.openSnapshot(),
      (snapshot) => new BranchSnapshot(layout, this.branch, snapshot, () => snapshot.close()),
    )
  }

  override transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
  ): Promise<T> {
    if (this.#isClosed) return Promise.reject(closed())
    const { store, layout } = this.#keeping
    const { branch } = this
    const behind = keys.flatMap((key) => keysBehind(layout, branch.id, key))
    // Another server may have deleted the branch.
    if (this.shared === true) behind.push(branchListKey())
    return this.#counted(
      transactWithMore(store, behind, (valueOf) => {
        if (!this.#keeping.isThere(branch.id, this.shared === true ? valueOf(branchListKey()) : undefined))
          throw gone()
        const { writes, ...rest } = decide(keys.map((key) => valueInBranch(layout, branch, key, valueOf)))
        if (this.#isReadOnly && writes.length > 0) throw readOnly()
        return { ...rest, writes: writesInBranch(layout, branch, writes, valueOf) }
      }),
    )
  }

  override async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
  }

  #counted<T>(result: Promise<T>): Promise<T> {
    this.#running.add(result)
    const forget = (): void => void this.#running.delete(result)
    result.then(forget, forget)
    return result
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closed()
  }
}

function closed(): StorageError {
  return new StorageError('unavailable', 'The branch is closed.')
}

function gone(): StorageError {
  return new StorageError('unavailable', 'The branch has been deleted.')
}

function readOnly(): StorageError {
  return new StorageError('not-writable', 'A snapshot cannot be written to.')
}
