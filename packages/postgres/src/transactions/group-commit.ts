import { StorageError, type Decision, type Key, type Value } from '@hashrange/engine'
import { nameOf, type Dialect } from '../reads/found.ts'

export type Decide<T> = (values: readonly (Value | undefined)[]) => Decision<T>

/** A transaction that waits for its turn. */
export interface Pending {
  readonly keys: readonly Key[]
  readonly names: readonly string[]
  readonly decide: Decide<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  readonly sinceMs: number
  /** When its caller has waited too long for its turn. */
  readonly untilMs: number
  /** Whether it has its answer already. */
  isSettled: boolean
  /** Those of its keys that it did not write, once it has written others. */
  onlyRead: readonly string[] | undefined
}

export interface GroupCommitOptions {
  readonly dialect: Dialect
  /** How many groups run at once. */
  readonly lanes: number
  /** How long a transaction waits for its turn. */
  readonly timeoutMs: number
  readonly run: (group: readonly Pending[], lane: number) => Promise<void>
}

/** Whatever arrives while all lanes are busy shares the next transaction of the database. A few do not open another lane
 *  beside one that is busy: a group costs the database as much as ten writes, and several servers with a few clients each
 *  would pay that for every few writes. Transactions that name the same key follow each other, within a group or in
 *  consecutive groups: within this process there are no conflicts. A key that is known to be only read, such as the version
 *  of a table's definition in every write, blocks nobody. */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  readonly #freeLanes: number[]
  readonly #keysUnderWay = new Set<string>()
  readonly #onlyRead = new Set<string>()
  #queue: Pending[] = []
  #scheduled = false
  #underWay = 0
  /** How long groups take, from the recent ones. */
  #meanMs = 1
  #endedAtMs = Number.NEGATIVE_INFINITY
  /** How many clients there seem to be: those of the last group, and those who waited behind it. */
  #expected = 0
  #impatience: NodeJS.Timeout | undefined
  #whenIdle: (() => void)[] = []

  constructor(options: GroupCommitOptions) {
    this.#options = options
    this.#freeLanes = Array.from({ length: options.lanes }, (_, lane) => lane)
  }

  transact<T>(keys: readonly Key[], decide: Decide<T>): Promise<T> {
    if (this.#queue.length >= queueLimit) {
      return Promise.reject(new StorageError('unavailable', 'Too many writes are waiting for the database.'))
    }
    return new Promise<T>((resolve, reject) => {
      const names = keys.map(nameOf)
      const sinceMs = performance.now()
      this.#queue.push({
        keys,
        names,
        decide,
        resolve: resolve as (answer: unknown) => void,
        reject,
        sinceMs,
        untilMs: sinceMs + this.#options.timeoutMs,
        isSettled: false,
        onlyRead: undefined,
      })
      this.#schedule()
    })
  }

  /** Resolves once nothing is running any more. */
  async idle(): Promise<void> {
    if (this.#queue.length === 0 && this.#underWay === 0) return
    await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  /** After all requests of this turn of the event loop; at once for a client that is alone. */
  #schedule(): void {
    if (this.#scheduled) return
    if (this.#underWay === 0 && this.#expected === 1) {
      this.#fillLanes()
      return
    }
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#fillLanes()
    })
  }

  #fillLanes(): void {
    while (this.#freeLanes.length > 0 && !this.#isWorthWaiting()) {
      const group = this.#take()
      if (group.length === 0) break
      void this.#runLane(this.#freeLanes.pop() ?? 0, group)
    }
    if (this.#queue.length === 0 && this.#underWay === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  /** Whether the few that wait should share a group with others: with those who come while another group is under way, or
   *  with those who have just got their answer and ask again. It is worth a fraction of the time that a group takes; and if
   *  one takes longer than usual, because somebody else holds a lock, nobody waits for it. */
  #isWorthWaiting(): boolean {
    clearTimeout(this.#impatience)
    const [oldest] = this.#queue
    if (oldest === undefined || this.#options.dialect.distributed) return false
    const isAlone = this.#underWay === 0
    const enough = isAlone ? Math.min(worthOfLane, this.#expected * 0.8) : worthOfLane
    if (this.#queue.length >= enough) return false
    const untilMs = isAlone
      ? this.#endedAtMs + Math.min(this.#meanMs / 2, longestGatherMs)
      : oldest.sinceMs + Math.min(2 * this.#meanMs + 1, longestWaitMs)
    const leftMs = untilMs - performance.now()
    if (leftMs <= 0) return false
    this.#impatience = setTimeout(() => this.#fillLanes(), leftMs)
    return true
  }

  async #runLane(lane: number, group: readonly Pending[]): Promise<void> {
    this.#underWay++
    const startedAtMs = performance.now()
    try {
      await this.#options.run(group, lane)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    this.#underWay--
    this.#endedAtMs = performance.now()
    this.#meanMs += (this.#endedAtMs - startedAtMs - this.#meanMs) / 8
    this.#expected = group.length + this.#queue.length
    for (const pending of group) this.#learn(pending)
    this.#freeLanes.push(lane)
    this.#fillLanes()
  }

  /** The next group, in the order of arrival. A transaction that must wait for a key makes those behind it wait for
   *  its other keys. */
  #take(): readonly Pending[] {
    const group: Pending[] = []
    const left: Pending[] = []
    const waitedFor = new Set<string>()
    let shard: number | undefined
    const nowMs = performance.now()
    for (const [position, pending] of this.#queue.entries()) {
      if (group.length === groupLimit) {
        left.push(...this.#queue.slice(position))
        break
      }
      if (pending.untilMs <= nowMs) {
        pending.reject(new StorageError('unavailable', 'The database did not process a write in time.'))
        continue
      }
      if (this.#fits(pending, waitedFor, shard)) {
        group.push(pending)
        shard ??= this.#shardOf(pending)
      } else {
        left.push(pending)
        for (const name of pending.names) waitedFor.add(name)
      }
    }
    this.#queue = left
    for (const { names } of group) {
      for (const name of names) if (!this.#onlyRead.has(name)) this.#keysUnderWay.add(name)
    }
    return group
  }

  #fits(pending: Pending, waitedFor: ReadonlySet<string>, shard: number | undefined): boolean {
    for (const name of pending.names) {
      if (!this.#onlyRead.has(name) && (this.#keysUnderWay.has(name) || waitedFor.has(name))) return false
    }
    return shard === undefined || shard === this.#shardOf(pending)
  }

  #learn({ names, onlyRead }: Pending): void {
    for (const name of names) this.#keysUnderWay.delete(name)
    if (onlyRead === undefined) return
    if (this.#onlyRead.size > knownLimit) this.#onlyRead.clear()
    for (const name of names) this.#onlyRead.delete(name)
    for (const name of onlyRead) this.#onlyRead.add(name)
  }

  /** On several nodes, a group stays within one shard: a commit on several nodes costs more. */
  #shardOf({ keys }: Pending): number | undefined {
    const { distributed, placement } = this.#options.dialect
    return distributed ? placement.shardOf(keys[0] ?? noBytes) : undefined
  }
}

const groupLimit = 64
/** How many transactions are worth a group of their own beside another. */
const worthOfLane = 16
const longestWaitMs = 100
const longestGatherMs = 10
const queueLimit = 10_000
const knownLimit = 4_096
const noBytes = Buffer.alloc(0)
