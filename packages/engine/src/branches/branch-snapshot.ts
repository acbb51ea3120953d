import { branchCounterKey, branchEntryKey, keyInBranch } from '../layout/branch-keys.ts'
import type { BranchLayout } from '../layout/branch-layout.ts'
import { keyText } from '../store/key-text.ts'
import type { Key, MaybePromise, OpenSnapshot, Range, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { isBeforeCut, keysBehind, valueInBranch } from './branch-writes.ts'
import { combinedCounters, combinedValue } from './combined-value.ts'
import type { KeptBranch } from './kept-writes.ts'
import { mergedRange, type ReadSource } from './merged-range.ts'

/** What a branch sees of a snapshot of the store. */
export class BranchSnapshot implements OpenSnapshot {
  readonly #layout: BranchLayout
  readonly #branch: KeptBranch
  readonly #snapshot: Snapshot
  readonly close: () => void

  constructor(layout: BranchLayout, branch: KeptBranch, snapshot: Snapshot, close: () => void = () => undefined) {
    this.#layout = layout
    this.#branch = branch
    this.#snapshot = snapshot
    this.close = close
  }

  get(key: Key): MaybePromise<Value | undefined> {
    return whenThere(this.getMany([key]), ([value]) => value)
  }

  getMany(keys: readonly Key[]): MaybePromise<readonly (Value | undefined)[]> {
    const behind = keys.flatMap((key) => keysBehind(this.#layout, this.#branch.id, key))
    return whenThere(this.#snapshot.getMany(behind), (values) => {
      const found = new Map(behind.map((key, index) => [keyText(key), values[index]]))
      return keys.map((key) => valueInBranch(this.#layout, this.#branch, key, (one) => found.get(keyText(one))))
    })
  }

  /** Where a branch has nothing of its own, as right after it was made, its ranges are those of the data. */
  range(bounds: Range, visit: (key: Key, value: Value) => boolean): MaybePromise<void> {
    const { from, to } = bounds
    const { counterRanges } = this.#layout
    const hasCounters = counterRanges.some(
      (range) => Buffer.compare(range.from, to) < 0 && Buffer.compare(from, range.to) < 0,
    )
    if (hasCounters) return this.#merged([this.#data, this.#entries, this.#counters], bounds, visit)
    return whenThere(this.#hasEntries(bounds), (hasEntries) =>
      hasEntries ? this.#merged([this.#data, this.#entries], bounds, visit) : this.#data(bounds, visit),
    )
  }

  #merged(
    sources: readonly ReadSource[],
    bounds: Range,
    visit: (key: Key, value: Value) => boolean,
  ): MaybePromise<void> {
    const combine = (key: Key, [ofData, entry, counter]: readonly (Value | undefined)[]): Value | undefined =>
      this.#layout.isCounter(key) ? combinedCounters(ofData, counter) : combinedValue(ofData, entry)
    return mergedRange(sources, bounds, combine, visit)
  }

  #hasEntries({ from, to }: Range): MaybePromise<boolean> {
    let hasEntries = false
    const range = { from, to, limit: 1 }
    return whenThere(
      this.#entries(range, () => {
        hasEntries = true
        return false
      }),
      () => hasEntries,
    )
  }

  /** What the data has, and the branch may see. */
  readonly #data: ReadSource = (bounds, visit) => {
    const { limit, ...range } = bounds
    let left = limit ?? Number.POSITIVE_INFINITY
    // What is hidden does not count.
    return this.#snapshot.range(range, (key, value) => {
      if (!this.#layout.isBranched(key) || !isBeforeCut(this.#layout, this.#branch.cut, key)) return true
      return visit(key, value) && --left > 0
    })
  }

  readonly #entries: ReadSource = (bounds, visit) => this.#own(branchEntryKey, bounds, visit)

  readonly #counters: ReadSource = (bounds, visit) => this.#own(branchCounterKey, bounds, visit)

  #own(
    keyOf: (branchId: number, key: Key) => Key,
    bounds: Range,
    visit: (key: Key, value: Value) => boolean,
  ): MaybePromise<void> {
    const { id } = this.#branch
    // Their values say whether there is anything.
    const range = { ...bounds, from: keyOf(id, bounds.from), to: keyOf(id, bounds.to), keysOnly: false }
    return this.#snapshot.range(range, (key, value) => visit(keyInBranch(key), value))
  }
}
