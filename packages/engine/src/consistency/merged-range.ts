import { following } from '../layout/key-bounds.ts'
import { keyText } from '../store/key-text.ts'
import type { Key, MaybePromise, Range, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { RecentChanges } from './recent-changes.ts'

/** A range read that merges a store's entries, in order, with those that recent changes hide or keep. */
export class MergedRange {
  readonly #snapshot: Snapshot
  readonly #recent: RecentChanges
  readonly #bounds: Range
  readonly #visit: (key: Key, value: Value) => boolean
  /** The changed keys that are still to come. They are read once the store has answered. */
  #changed: readonly string[] | undefined
  #next = 0
  #wanting = true

  constructor(
    snapshot: Snapshot,
    recent: RecentChanges,
    bounds: Range,
    visit: (key: Key, value: Value) => boolean,
  ) {
    this.#snapshot = snapshot
    this.#recent = recent
    this.#bounds = bounds
    this.#visit = visit
  }

  read(): MaybePromise<void> {
    return this.#readFrom(this.#bounds)
  }

  /** Hidden entries count towards the limit of the store's read: if it returned nothing else, it is asked for more. */
  #readFrom(bounds: Range): MaybePromise<void> {
    let delivered = 0
    let last: Key | undefined
    const reading = this.#snapshot.range(bounds, (key, value) => {
      delivered++
      last = key
      return this.#take(key, value)
    })
    const goOn = (): MaybePromise<void> => {
      const { limit } = bounds
      if (!this.#wanting) return undefined
      if (limit === undefined || last === undefined || delivered < limit) return this.#takeChangedBefore(undefined)
      const rest = bounds.reverse === true ? { ...bounds, to: last } : { ...bounds, from: following(last) }
      return this.#readFrom({ ...rest, limit: limit * 2 })
    }
    return whenThere(reading, goOn)
  }

  #take(key: Key, value: Value): boolean {
    const changed = this.#changedKeys()
    if (this.#next >= changed.length) {
      this.#wanting = this.#visit(key, value)
      return this.#wanting
    }
    const text = keyText(key)
    this.#takeChangedBefore(text)
    if (!this.#wanting) return false
    let shown: Value | undefined = value
    if (changed[this.#next] === text) {
      this.#next++
      shown = this.#recent.shown(text, value)
    }
    if (shown !== undefined) this.#wanting = this.#visit(key, shown)
    return this.#wanting
  }

  /** Emits what the store no longer contains before the key `end`, or all of it. */
  #takeChangedBefore(end: string | undefined): void {
    const changed = this.#changedKeys()
    while (this.#wanting) {
      const text = changed[this.#next]
      if (text === undefined || (end !== undefined && !this.#isBefore(text, end))) return
      this.#next++
      const shown = this.#recent.shown(text, undefined)
      if (shown !== undefined) this.#wanting = this.#visit(Buffer.from(text, 'latin1'), shown)
    }
  }

  #isBefore(text: string, end: string): boolean {
    return this.#bounds.reverse === true ? text > end : text < end
  }

  #changedKeys(): readonly string[] {
    this.#changed ??= this.#recent.keysWithin(this.#bounds)
    return this.#changed
  }
}
