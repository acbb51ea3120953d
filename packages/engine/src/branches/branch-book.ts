import { branchListKey, branchMarkLog } from '../layout/branch-keys.ts'
import { above } from '../layout/key-bounds.ts'
import type { Effect } from '../store/effect.ts'
import { sequenceAt, sequenceOfKey } from '../store/sequence.ts'
import type { Snapshot, Store, Value } from '../store/store.ts'
import { isKept, noBranches, parseBranchList, type BranchDefinition, type BranchList } from './branch-definition.ts'
import type { KeptBranch } from './kept-writes.ts'

/** What a process knows about branches. If it has the store for itself, this is always correct: the list changes as an effect of
 *  the decision that changes it. Otherwise it is what the process knew last, and transactions read the list itself. */
export class BranchBook {
  #list: BranchList = noBranches
  #kept: readonly KeptBranch[] = []
  /** The sequence of the moment at which each branch was made. */
  readonly #cuts = new Map<number, bigint>()
  #readText = ''
  /** How many are being made. Decisions that follow will see them. */
  #beingMade = 0

  get list(): BranchList {
    return this.#list
  }

  /** False if there are certainly none. */
  get mayHaveBranches(): boolean {
    return this.#list.branches.length > 0 || this.#beingMade > 0
  }

  /** Call this before a branch is made, and the result when it has been, or has not. */
  expectBranch(): () => void {
    this.#beingMade++
    return () => this.#beingMade--
  }

  /** The branches that changes are kept for: by the list itself if it was read, else by what is known. */
  keptBy(list: Value | undefined): readonly KeptBranch[] {
    if (list !== undefined) this.#learn(list)
    return this.#kept
  }

  isThere(branchId: number, list: Value | undefined): boolean {
    if (list !== undefined) this.#learn(list)
    return this.#kept.some(({ id }) => id === branchId)
  }

  /** For a decision that changes the list. */
  becoming(list: BranchList): Effect {
    let before = this.#list
    return {
      apply: () => {
        before = this.#list
        this.#set(list)
      },
      undo: () => this.#set(before),
    }
  }

  /** Reads the list: when a store is opened, and whenever other servers may have changed it. */
  async read(store: Store): Promise<BranchList> {
    const value = await store.view((snapshot) => snapshot.get(branchListKey()))
    this.#set(parseBranchList(value))
    await this.learnCuts(store)
    return this.#list
  }

  /** Reads the moments of branches whose moments are not known yet. */
  async learnCuts(store: Store): Promise<void> {
    for (const branch of this.#list.branches.filter(isKept)) await this.#learnCut(store, branch)
    this.#set(this.#list)
  }

  cutOf(branchId: number): bigint | undefined {
    return this.#cuts.get(branchId)
  }

  async #learnCut(store: Store, { id }: BranchDefinition): Promise<void> {
    if (this.#cuts.has(id)) return
    const cut = await store.view((snapshot) => cutIn(snapshot, id))
    if (cut !== undefined) this.#cuts.set(id, cut)
  }

  #learn(list: Value): void {
    const text = list.toString('latin1')
    if (text === this.#readText) return
    this.#set(parseBranchList(list))
    this.#readText = text
  }

  #set(list: BranchList): void {
    this.#list = list
    this.#readText = ''
    for (const { id, cutMs } of list.branches) {
      if (cutMs !== undefined) this.#cuts.set(id, sequenceAt(cutMs + 1) - 1n)
    }
    this.#kept = list.branches.filter(isKept).map(({ id }) => ({ id, cut: this.#cuts.get(id) }))
  }
}

async function cutIn(snapshot: Snapshot, branchId: number): Promise<bigint | undefined> {
  const log = branchMarkLog(branchId)
  let cut: bigint | undefined
  await snapshot.range({ from: log, to: above(log), limit: 1 }, (key) => {
    cut = sequenceOfKey(key)
    return false
  })
  return cut
}
