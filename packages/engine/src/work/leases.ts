import { leaseKey } from '../layout/key-space.ts'
import type { Decision, IsSpare, Key, Store, Value } from '../store/store.ts'
import type { Stopping } from './background-work.ts'

/** Work that one server does at a time. `aborted` says that it must stop: because the server stops, or because
 *  another server may have taken over. */
export interface Lease extends Stopping {
  /** Runs a transaction only if this server still has the work. The transaction itself verifies this, so that nothing
   *  from a server that was presumed dead comes between the steps of the one that took over. Otherwise throws
   *  LeaseLost. */
  transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T>
}

export class LeaseLost extends Error {
  constructor(name: string) {
    super(`Another server has taken over "${name}".`)
    this.name = 'LeaseLost'
  }
}

/** Distributes background work among the servers of a store. A server that works on something says so in the store,
 *  and repeats it every few seconds. If another server sees the same entry unchanged for `leaseMs`, by its own clock,
 *  it presumes the first one dead: clocks of different machines are never compared. If this process has the store for
 *  itself, all work is its own and nothing is written. */
export class Leases {
  readonly #store: Store
  readonly #leaseMs: number
  readonly #newId: () => string
  /** What this server does, or is about to do, under each name. */
  readonly #held = new Map<string, Promise<void>>()
  /** What it has seen others hold, and since when that has not changed. */
  readonly #seen = new Map<string, { readonly word: string; readonly sinceMs: number }>()

  constructor(store: Store, leaseMs: number, newId: () => string) {
    this.#store = store
    this.#leaseMs = leaseMs
    this.#newId = newId
  }

  /** Whether this server does the work. */
  isHeld(name: string): boolean {
    return this.#held.has(name)
  }

  /** Does `work` unless another server does it; returns whether it was started here. What this server already does
   *  under the same name comes first. */
  async hold(name: string, stopping: Stopping, work: (lease: Lease) => Promise<void>): Promise<boolean> {
    for (let before = this.#held.get(name); before !== undefined; before = this.#held.get(name)) await before
    const held =
      this.#store.shared === true ? this.#holdShared(name, stopping, work) : this.#holdOwn(stopping, work)
    const ended = held.then(
      () => undefined,
      () => undefined,
    )
    this.#held.set(name, ended)
    try {
      return await held
    } finally {
      if (this.#held.get(name) === ended) this.#held.delete(name)
    }
  }

  async #holdOwn(stopping: Stopping, work: (lease: Lease) => Promise<void>): Promise<boolean> {
    await work(new OwnLease(this.#store, stopping))
    return true
  }

  async #holdShared(name: string, stopping: Stopping, work: (lease: Lease) => Promise<void>): Promise<boolean> {
    try {
      const holder = this.#newId()
      if (!(await this.#acquire(name, holder))) return false
      const lease = new SharedLease(this.#store, name, holder, this.#leaseMs, stopping)
      try {
        await work(lease)
      } finally {
        await lease.release()
      }
      return true
    } catch (error) {
      if (error instanceof LeaseLost) return true
      throw error
    }
  }

  async #acquire(name: string, holder: string): Promise<boolean> {
    const key = leaseKey(name)
    const nowMs = performance.now()
    const seen = this.#seen.get(name)
    const dead = seen !== undefined && nowMs - seen.sinceMs > this.#leaseMs ? seen.word : undefined
    const found = await this.#store.transact([key], ([value]): Decision<string | undefined> => {
      const word = value?.toString('utf8')
      if (word !== undefined && word !== dead) return { writes: [], answer: word }
      return { writes: [{ kind: 'put', key, value: wordOf(holder, 0) }], answer: undefined }
    })
    if (found === undefined) {
      this.#seen.delete(name)
      return true
    }
    if (seen?.word !== found) this.#see(name, found, nowMs)
    return false
  }

  /** What has not been asked for in a long time is most likely over, and can be observed again if it is not. */
  #see(name: string, word: string, nowMs: number): void {
    if (this.#seen.size > 1_000) {
      for (const [other, { sinceMs }] of this.#seen) {
        if (nowMs - sinceMs > 60 * this.#leaseMs) this.#seen.delete(other)
      }
    }
    this.#seen.set(name, { word, sinceMs: nowMs })
  }
}

/** ON DISK: who holds a lease, and how often it was renewed. */
function wordOf(holder: string, beat: number): Value {
  return Buffer.from(`${holder} ${beat}`)
}

function holderOf(value: Value | undefined): string | undefined {
  return value?.toString('utf8').split(' ', 1)[0]
}

class OwnLease implements Lease {
  readonly #store: Store
  readonly #stopping: Stopping

  constructor(store: Store, stopping: Stopping) {
    this.#store = store
    this.#stopping = stopping
  }

  get aborted(): boolean {
    return this.#stopping.aborted
  }

  transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T> {
    return this.#store.transact(keys, decide, isSpare)
  }
}

class SharedLease implements Lease {
  readonly #store: Store
  readonly #name: string
  readonly #key: Key
  readonly #holder: string
  readonly #leaseMs: number
  readonly #stopping: Stopping
  readonly #timer: NodeJS.Timeout
  #beat = 0
  #saidAtMs = performance.now()
  #saying: Promise<void> | undefined
  #isLost = false

  constructor(store: Store, name: string, holder: string, leaseMs: number, stopping: Stopping) {
    this.#store = store
    this.#name = name
    this.#key = leaseKey(name)
    this.#holder = holder
    this.#leaseMs = leaseMs
    this.#stopping = stopping
    this.#timer = setInterval(() => {
      this.#saying ??= this.#say().finally(() => {
        this.#saying = undefined
      })
    }, leaseMs / 4)
    this.#timer.unref()
  }

  /** A server that cannot renew its lease must expect to be presumed dead. */
  get aborted(): boolean {
    return this.#stopping.aborted || this.#isLost || performance.now() - this.#saidAtMs > this.#leaseMs
  }

  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T> {
    const transacted = this.#store.transact([...keys, this.#key], (values) => {
      if (holderOf(values[keys.length]) !== this.#holder) throw new LeaseLost(this.#name)
      return decide(values.slice(0, keys.length))
    })
    return transacted.catch((error: unknown) => {
      if (error instanceof LeaseLost) this.#isLost = true
      throw error
    })
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#saying
    try {
      await this.transact([], () => ({ writes: [{ kind: 'delete', key: this.#key }], answer: undefined }))
    } catch {
      // The lease is lost, or the store is: then the server will be presumed dead.
    }
  }

  async #say(): Promise<void> {
    const atMs = performance.now()
    const value = wordOf(this.#holder, ++this.#beat)
    try {
      await this.transact([], () => ({ writes: [{ kind: 'put', key: this.#key, value }], answer: undefined }))
      this.#saidAtMs = atMs
    } catch {
      // If this continues, `aborted` will be set.
    }
  }
}
