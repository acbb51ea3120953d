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

/** A store that briefly remembers what its writes replaced, so that eventually consistent reads can be behind. Its
 *  own reads are current. Nothing of this outlives the process, and writes of other processes are not delayed. */
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

  /** What its writes replace is recorded as an effect of the decision: before they become visible, and only if they
   *  do. */
  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T> {
    return this.#store.transact(keys, (values) => {
      const { writes, answer, effect } = decide(values)
      return { writes, answer, effect: effectOfAll([effect, this.#recent.noting(writes)]) }
    })
  }

  async probe(): Promise<void> {
    await this.#store.probe?.()
  }

  async whatIsMissing(): Promise<string | undefined> {
    return this.#store.whatIsMissing?.()
  }

  verify(run: StoreVerification): Promise<boolean> {
    return this.#store.verify?.(run) ?? Promise.resolve(true)
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}
