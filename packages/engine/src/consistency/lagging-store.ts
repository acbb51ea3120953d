import type { Clock } from '../clock.ts'
import { effectOfAll } from '../store/effect.ts'
import { StoreAbove } from '../store/store-above.ts'
import type { Decision, Key, Snapshot, Store, Value } from '../store/store.ts'
import type { EventualConsistency } from './eventual-consistency.ts'
import { LaggingSnapshot } from './lagging-snapshot.ts'
import { RecentChanges } from './recent-changes.ts'

/** A store that briefly remembers what its writes replaced, so that eventually consistent reads can be behind. Its
 *  own reads are current. Nothing of this outlives the process, and writes of other processes are not delayed. */
export class LaggingStore extends StoreAbove {
  readonly #recent: RecentChanges

  constructor(store: Store, options: EventualConsistency, clock: Clock) {
    // What it delays is its own affair: nothing else may be behind as well.
    super(store, ['viewEventually'])
    this.#recent = new RecentChanges(options, clock)
  }

  /** What an eventually consistent read sees of a snapshot. */
  lagging(snapshot: Snapshot): Snapshot {
    return new LaggingSnapshot(snapshot, this.#recent)
  }

  /** What its writes replace is recorded as an effect of the decision: before they become visible, and only if they
   *  do. */
  override transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
  ): Promise<T> {
    return this.underneath.transact(keys, (values) => {
      const { writes, answer, effect } = decide(values)
      return { writes, answer, effect: effectOfAll([effect, this.#recent.noting(writes)]) }
    })
  }
}
