import { branchLayout, type BranchLayout } from '../layout/branch-layout.ts'
import { branchListKey, branchMarkLog, branchRanges } from '../layout/branch-keys.ts'
import { timeOfSequence } from '../store/sequence.ts'
import type { Decision, Store, Write } from '../store/store.ts'
import { deleteRange } from '../work/delete-range.ts'
import {
  encodeBranchList,
  isBranchName,
  isKept,
  noBranches,
  parseBranchList,
  type BranchDefinition,
  type BranchList,
} from './branch-definition.ts'
import { BranchBook } from './branch-book.ts'
import { BranchStore } from './branch-store.ts'
import { MainStore } from './main-store.ts'
import { restoreBranch } from './restore-branch.ts'

export interface NewBranch {
  readonly name: string
  readonly kind: BranchDefinition['kind']
  /** Steady time. */
  readonly atMs: number
  /** The same, whenever it is needed. */
  readonly steady?: () => number
  /** Calendar time; the same unless told. */
  readonly createdAtMs?: number
  /** It disappears when the store is next opened, unless it was deleted before. */
  readonly isTemporary?: boolean
  /** On a shared store: makes every server look at its definitions again before it writes. */
  readonly announce?: () => Promise<void>
}

/** The branches and snapshots of a store: made in one small transaction, however much there is, and kept apart from the data by
 *  what `MainStore` writes from then on. */
export class Branches {
  /** The data itself: what the engine is opened on. */
  readonly main: MainStore
  readonly #store: Store
  readonly #layout: BranchLayout
  readonly #book: BranchBook

  private constructor(store: Store, layout: BranchLayout, book: BranchBook) {
    this.#store = store
    this.#layout = layout
    this.#book = book
    this.main = new MainStore(store, book, layout)
  }

  /** Also finishes what a process that was killed has left, if nobody else can be doing it. */
  static async open(store: Store, layout: BranchLayout = branchLayout): Promise<Branches> {
    const book = new BranchBook()
    const branches = new Branches(store, layout, book)
    const { branches: found } = await book.read(store)
    if (store.shared === true) {
      await branches.#makeList()
      return branches
    }
    for (const { id, status } of found) if (status === 'RESTORING') await branches.#finishRestore(id)
    const left = found.filter(({ status, isTemporary }) => isTemporary === true || status === 'DELETING')
    for (const { id } of left) await branches.#remove(id)
    return branches
  }

  /** Those that can be used, oldest first. */
  async list(): Promise<readonly BranchDefinition[]> {
    const { branches } = this.#store.shared === true ? await this.#book.read(this.#store) : this.#book.list
    return branches.filter(isKept)
  }

  async find(name: string): Promise<BranchDefinition | undefined> {
    return (await this.list()).find((branch) => branch.name === name)
  }

  async create(wanted: NewBranch): Promise<BranchDefinition> {
    if (!isBranchName(wanted.name)) throw badName(wanted.name)
    const made = this.#book.expectBranch()
    try {
      const id = this.#store.shared === true ? await this.#createShared(wanted) : await this.#add(wanted, 'ACTIVE')
      await this.#book.learnCuts(this.#store)
      const branch = this.#book.list.branches.find((one) => one.id === id)
      if (branch === undefined) throw noBranch(wanted.name)
      return branch
    } finally {
      made()
    }
  }

  /** Deletes a branch or a snapshot. Its space is free when this returns. If it fails in between, it can be tried again. */
  async delete(name: string, kind: BranchDefinition['kind']): Promise<void> {
    const id = await this.#changeList((list): ListChange<number> => {
      const named = list.branches.filter((one) => one.name === name && one.kind === kind)
      const branch = named.find(({ status }) => status !== 'DELETING') ?? named[0]
      if (branch === undefined) throw noBranch(name, kind)
      if (branch.status === 'RESTORING') throw beingRestored()
      return { list: withChange(list, branch.id, { status: 'DELETING' }), answer: branch.id }
    })
    await this.#remove(id)
  }

  /** Removes what servers of a shared store have left unfinished when they were killed. A deletion can be finished beside a server
   *  that is still at it. Whether a branch is still being made, only its age can tell. */
  async removeAbandoned(createdBeforeMs: number): Promise<void> {
    if (this.#store.shared !== true) return
    const { branches } = await this.#book.read(this.#store)
    for (const branch of branches) {
      if (isKept(branch) || (branch.status === 'PREPARING' && branch.createdAtMs > createdBeforeMs)) continue
      await this.#changeList((list) => ({
        list: withChange(list, branch.id, { status: 'DELETING' }),
        answer: undefined,
      }))
      await this.#remove(branch.id)
    }
  }

  /** A branch or a snapshot as a store. Closing it leaves this one open. */
  storeOf({ id, kind }: BranchDefinition): BranchStore {
    const keeping = {
      store: this.#store,
      layout: this.#layout,
      isThere: this.#book.isThere.bind(this.#book),
    }
    return new BranchStore(keeping, { id, cut: this.#book.cutOf(id) }, kind === 'snapshot')
  }

  /** Makes the data what it was when a snapshot was made. The time it takes depends on how much has changed since. Everybody
   *  else waits; `reload` is called when the data can be read again, and before anything is written. */
  async restore(name: string, reload: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    if (this.#store.shared === true) {
      throw new BranchError(
        'Several servers may be using this database, so a snapshot cannot be restored. Use a branch instead, or a backup of its tables.',
      )
    }
    await this.main.hold(async () => {
      const id = await this.#changeList((list): ListChange<number> => {
        const snapshot = list.branches.find((one) => one.name === name && one.kind === 'snapshot' && isKept(one))
        if (snapshot === undefined) throw noBranch(name, 'snapshot')
        return { list: withChange(list, snapshot.id, { status: 'RESTORING' }), answer: snapshot.id }
      })
      await this.#finishRestore(id)
    })
    await reload()
  }

  async #finishRestore(id: number): Promise<void> {
    const branch = { id, cut: this.#book.cutOf(id) }
    await restoreBranch({ main: this.main, layout: this.#layout, branch })
    await this.#changeList((list) => ({ list: withChange(list, id, { status: 'ACTIVE' }), answer: undefined }))
  }

  /** Adds a branch to the list, and returns its identifier. */
  #add(wanted: NewBranch, status: 'PREPARING' | 'ACTIVE'): Promise<number> {
    const { name, kind, atMs, createdAtMs = atMs, isTemporary } = wanted
    return this.#changeList((list): ListChange<number> => {
      assertFree(list, name, kind)
      const id = list.nextId
      const branch: BranchDefinition = {
        id,
        name,
        kind,
        status,
        createdAtMs,
        ...(isTemporary === true && { isTemporary }),
      }
      const next = { nextId: id + 1, branches: [...list.branches, branch] }
      return { list: next, answer: id, beside: status === 'ACTIVE' ? [markOf(id, atMs)] : [] }
    })
  }

  /** First every server is told that there will be a branch: from then on all their transactions read the list, so that all of
   *  them see the same moment. The moment must be after every entry that any log has by then. If it took too long to be
   *  sure of that, it is done again. */
  async #createShared(wanted: NewBranch): Promise<number> {
    const { atMs, steady = () => atMs, announce } = wanted
    for (let marginMs = firstMarginMs; ; marginMs *= 4) {
      const id = await this.#add(wanted, 'PREPARING')
      await announce?.()
      const begunAtMs = performance.now()
      const last = timeOfSequence((await this.#store.lastSequence?.()) ?? 0n)
      const cutMs = Math.ceil(Math.max(steady(), last)) + marginMs
      await this.#changeList((list) => ({
        list: withChange(list, id, { status: 'ACTIVE', cutMs }),
        answer: undefined,
      }))
      // Half of the time is for servers whose clocks differ.
      if (performance.now() - begunAtMs < marginMs / 2) return id
      await this.#changeList((list) => ({ list: withChange(list, id, { status: 'DELETING' }), answer: undefined }))
      await this.#remove(id)
    }
  }

  async #remove(id: number): Promise<void> {
    const never = { aborted: false }
    for (const range of branchRanges(id)) await deleteRange(this.#store, range, never)
    await this.#changeList((list) => ({
      list: { ...list, branches: list.branches.filter((branch) => branch.id !== id) },
      answer: undefined,
    }))
  }

  /** A list that is absent cannot be locked by those who read it. */
  async #makeList(): Promise<void> {
    await this.#store.transact([branchListKey()], ([value]): Decision<void> => ({
      writes: value === undefined ? [putList(noBranches)] : [],
      answer: undefined,
    }))
  }

  #changeList<T>(change: (list: BranchList) => ListChange<T>): Promise<T> {
    return this.#store.transact([branchListKey()], ([value]): Decision<T> => {
      const { list, answer, beside = [] } = change(parseBranchList(value))
      return { writes: [putList(list), ...beside], answer, effect: this.#book.becoming(list) }
    })
  }
}

/** Each change of a key is kept for each of them. */
const mostBranches = 100

/** How far the moment of a branch is ahead of the time, where each log is numbered for itself. */
const firstMarginMs = 500

interface ListChange<T> {
  readonly list: BranchList
  readonly answer: T
  readonly beside?: readonly Write[]
}

function putList(list: BranchList): Write {
  return { kind: 'put', key: branchListKey(), value: encodeBranchList(list) }
}

function markOf(id: number, atMs: number): Write {
  return { kind: 'append', log: branchMarkLog(id), atMs, value: Buffer.alloc(0) }
}

function withChange(list: BranchList, id: number, change: Partial<BranchDefinition>): BranchList {
  return {
    ...list,
    branches: list.branches.map((branch) => (branch.id === id ? { ...branch, ...change } : branch)),
  }
}

function assertFree({ branches }: BranchList, name: string, kind: BranchDefinition['kind']): void {
  if (branches.some(({ status }) => status === 'RESTORING')) throw beingRestored()
  if (branches.some((branch) => branch.name === name && branch.kind === kind && branch.status !== 'DELETING'))
    throw new BranchError(`There is already a ${kind} named ${name}.`)
  if (branches.length >= mostBranches) {
    throw new BranchError(
      `There are already ${mostBranches} branches and snapshots. Delete some that are no longer needed.`,
    )
  }
}

function beingRestored(): BranchError {
  return new BranchError('A snapshot is being restored. Try again when that has finished.')
}

function badName(name: string): BranchError {
  return new BranchError(
    `"${name}" cannot be a name. Use up to 63 letters, digits, dots, hyphens and underscores, and begin with a letter or a digit.`,
  )
}

function noBranch(name: string, kind = 'branch'): BranchError {
  return new BranchError(`There is no ${kind} named ${name}.`)
}

/** What is wrong with a request about branches. */
export class BranchError extends Error {
  override readonly name = 'BranchError'
}
