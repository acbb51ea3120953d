import { StorageError } from '@hashrange/engine'
import type { Link } from './link.ts'
import { unreachable, type Affected, type Outage } from './outage.ts'
import { Unanswered } from './sql-error.ts'

export interface LinkPoolOptions {
  readonly size: number
  readonly open: () => Promise<Link>
  /** How long a request waits for a connection. */
  readonly patienceMs: number
  /** How long the database may take to answer. It cancels a statement itself a little earlier, if it is alive. */
  readonly answerMs: number
  readonly outage: Outage
}

interface Waiter {
  readonly resolve: (link: Link) => void
  readonly reject: (error: Error) => void
  readonly untilMs: number
}

/** A limited number of connections, created as they are needed. If none can be created although the database answers
 *  others, requests are rejected at once; from time to time one request tries again. */
export class LinkPool implements Affected {
  readonly #options: LinkPoolOptions
  readonly #links = new Set<Link>()
  readonly #idle: Link[] = []
  #waiters: Waiter[] = []
  #connecting = 0
  #failedAtMs = Number.NEGATIVE_INFINITY
  #failure: unknown
  #closed = false
  readonly #sweepMs: number
  readonly #sweeper: NodeJS.Timeout
  #sweptAtMs = performance.now()

  constructor(options: LinkPoolOptions) {
    this.#options = options
    this.#sweepMs = Math.min(250, options.answerMs / 4)
    this.#sweeper = setInterval(() => this.#sweep(), this.#sweepMs)
    this.#sweeper.unref()
    options.outage.concerns(this)
  }

  get size(): number {
    return this.#links.size
  }

  get answeredAtMs(): number {
    return Math.max(...[...this.#links].map((link) => link.answeredAtMs))
  }

  get figures(): PoolFigures {
    return { connections: this.#links.size, idle: this.#idle.length, waiting: this.#waiters.length }
  }

  /** Whether requests are rejected because the database was silent when it was asked. */
  get isSilent(): boolean {
    return this.#options.outage.isSilent
  }

  /** A connection that is there already, for those who are spared a promise. */
  takeIdle(): Link | undefined {
    return this.#closed || this.#options.outage.refusal !== undefined ? undefined : this.#idle.pop()
  }

  /** What is short and bounded in number does not wait behind long reads (`isShort`). */
  acquire(isShort = false): Promise<Link> {
    if (this.#closed) return Promise.reject(new StorageError('io', 'The store is closed.'))
    const { refusal } = this.#options.outage
    if (refusal !== undefined) return Promise.reject(refusal)
    const link = this.#idle.pop()
    if (link !== undefined) return Promise.resolve(link)
    if (this.#isDown() && performance.now() - this.#failedAtMs < retryAfterMs) {
      return Promise.reject(unreachable(this.#failure))
    }
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject, untilMs: performance.now() + this.#options.patienceMs }
      if (isShort) this.#waiters.unshift(waiter)
      else this.#waiters.push(waiter)
      this.#connectIfUseful()
    })
  }

  release(link: Link): void {
    if (link.isLost) return
    if (link.isOutdated) {
      link.destroy()
      return
    }
    if (this.#closed) {
      link.end()
      this.#links.delete(link)
      return
    }
    const waiter = this.#waiters.shift()
    if (waiter === undefined) this.#idle.push(link)
    else waiter.resolve(link)
  }

  /** Adds a connection that was created to see whether the database answers. */
  adopt(link: Link): void {
    this.#links.add(link)
    link.onLost(() => this.#lost(link))
    this.release(link)
  }

  /** Idle connections may have been cut off along with the rest. */
  refuse(error: StorageError): void {
    for (const { reject } of this.#waiters.splice(0)) reject(error)
    for (const link of this.#idle.splice(0)) link.destroy()
  }

  /** Ends idle connections; the others end when they are released. */
  close(): void {
    this.#closed = true
    clearInterval(this.#sweeper)
    for (const { reject } of this.#waiters.splice(0)) reject(new StorageError('io', 'The store is closed.'))
    for (const link of this.#idle.splice(0)) {
      link.end()
      this.#links.delete(link)
    }
  }

  #isDown(): boolean {
    return this.#failure !== undefined && this.#links.size === 0 && this.#connecting === 0
  }

  #connectIfUseful(): void {
    if (this.#closed || this.#waiters.length <= this.#connecting) return
    if (this.#links.size + this.#connecting >= this.#options.size) return
    this.#connecting++
    this.#options.open().then(
      (link) => this.#connected(link),
      (error: unknown) => this.#notConnected(error),
    )
  }

  #connected(link: Link): void {
    this.#connecting--
    this.#failure = undefined
    this.adopt(link)
  }

  /** Waiting requests keep waiting for the existing connections. If there are none, they have waited in vain. */
  #notConnected(error: unknown): void {
    this.#connecting--
    this.#failure = error
    this.#failedAtMs = performance.now()
    if (this.#links.size > 0 || this.#connecting > 0) return
    const refusal = unreachable(error)
    for (const { reject } of this.#waiters.splice(0)) reject(refusal)
    this.#options.outage.suspect(error)
  }

  #lost(link: Link): void {
    this.#links.delete(link)
    const position = this.#idle.indexOf(link)
    if (position >= 0) this.#idle.splice(position, 1)
    this.#connectIfUseful()
  }

  #sweep(): void {
    const nowMs = performance.now()
    const sinceMs = nowMs - this.#sweptAtMs
    this.#sweptAtMs = nowMs
    // Then this process stood still. What has arrived meanwhile is read before anybody is blamed.
    if (sinceMs > 2 * this.#sweepMs) return
    const overdue = this.#waiters.filter(({ untilMs }) => untilMs <= nowMs)
    if (overdue.length > 0) {
      this.#waiters = this.#waiters.filter(({ untilMs }) => untilMs > nowMs)
      const refusal = new StorageError('unavailable', 'No connection to the database became free in time.')
      for (const { reject } of overdue) reject(refusal)
    }
    for (const link of this.#links) {
      const { busySinceMs } = link
      if (busySinceMs === undefined || nowMs - busySinceMs < this.#options.answerMs) continue
      const unanswered = new Unanswered()
      link.destroy(unanswered)
      // Each server asks for the version every second.
      this.#options.outage.suspectSilence(unanswered, this.#options.answerMs / 2)
    }
  }
}

const retryAfterMs = 200

/** How many connections there are, how many of them are idle, and how many requests wait for one. */
export interface PoolFigures {
  readonly connections: number
  readonly idle: number
  readonly waiting: number
}
