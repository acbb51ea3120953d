import type { Clock } from '../clock.ts'
import { effectOfAll } from '../store/effect.ts'
import type {
  Decision,
  Key,
  MaybePromise,
  OpenSnapshot,
  Snapshot,
  Store,
  StoreVerification,
  Value,
} from '../store/store.ts'
import type { EventualConsistency } from './eventual-consistency.ts'
import { LaggingSnapshot } from './lagging-snapshot.ts'
import { RecentChanges } from './recent-changes.ts'

/** A store that remembers for a moment what its writes replaced, so that reads which need not be current can be behind.
 *  Its own reads are current. Nothing of it outlives the process, and writes of other processes are not delayed. */
export class LaggingStore implements Store {
  readonly #store: Store
  readonly #recent: RecentChanges
  readonly compact?: NonNullable<Store['compact']>

  constructor(store: Store, options: EventualConsistency, clock: Clock) {
    this.#store = store
    this.#recent = new RecentChanges(options, clock)
    if (store.compact !== undefined) this.compact = store.compact.bind(store)
  }

  get shared(): boolean {
    return this.#store.shared ?? false
  }

  /** What an eventually consistent read sees of a snapshot. */
  lagging(snapshot: Snapshot): Snapshot {
    return new LaggingSnapshot(snapshot, this.#recent)
  }

  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return this.#store.view(read)
  }

  openSnapshot(): MaybePromise<OpenSnapshot> {
    return this.#store.openSnapshot()
  }

  /** What its writes replace is noted as an effect of the decision: before they can be seen, and not if they never are. */
  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T> {
    return this.#store.transact(keys, (values) => {
      const { writes, answer, effect } = decide(values)
      return { writes, answer, effect: effectOfAll([effect, this.#recent.noting(writes)]) }
    })
  }

  async probe(): Promise<void> {
    await this.#store.probe?.()
  }

  verify(run: StoreVerification): Promise<boolean> {
    return this.#store.verify?.(run) ?? Promise.resolve(true)
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}
