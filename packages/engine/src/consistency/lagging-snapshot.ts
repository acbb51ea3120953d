import { keyText } from '../store/key-text.ts'
import type { Key, MaybePromise, Range, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { MergedRange } from './merged-range.ts'
import type { RecentChanges } from './recent-changes.ts'

/** A snapshot as an eventually consistent read sees it: some recent changes are missing. The store is always read
 *  first, and the recent changes after it. Changes are recorded before they become visible in the store, so whatever
 *  is too new in the snapshot is known by then, however long the store took. */
export class LaggingSnapshot implements Snapshot {
  readonly #snapshot: Snapshot
  readonly #recent: RecentChanges

  constructor(snapshot: Snapshot, recent: RecentChanges) {
    this.#snapshot = snapshot
    this.#recent = recent
  }

  get(key: Key): MaybePromise<Value | undefined> {
    return whenThere(this.#snapshot.get(key), (value) => this.#recent.shown(keyText(key), value))
  }

  getMany(keys: readonly Key[]): MaybePromise<readonly (Value | undefined)[]> {
    return whenThere(this.#snapshot.getMany(keys), (values) => this.#shown(keys, values))
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean): MaybePromise<void> {
    return new MergedRange(this.#snapshot, this.#recent, bounds, visit).read()
  }

  #shown(keys: readonly Key[], values: readonly (Value | undefined)[]): readonly (Value | undefined)[] {
    return keys.map((key, position) => this.#recent.shown(keyText(key), values[position]))
  }
}
