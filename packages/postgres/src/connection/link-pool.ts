import { StorageError } from '@hashrange/engine'
import type { Link } from './link.ts'
import { LinkLost } from './sql-error.ts'

export interface LinkPoolOptions {
  readonly size: number
  readonly open: () => Promise<Link>
  /** How long a request waits for a connection, and how long the server may take to answer. */
  readonly timeoutMs: number
}

interface Waiter {
  readonly resolve: (link: Link) => void
  readonly reject: (error: Error) => void
  readonly untilMs: number
}

/** A bounded number of connections, made as they are needed. While the database cannot be reached, whoever asks is refused at
 *  once; every so often one request tries again, so that it recovers by itself. */
export class LinkPool {
  readonly #options: LinkPoolOptions
  readonly #links = new Set<Link>()
  readonly #idle: Link[] = []
  #waiters: Waiter[] = []
  #connecting = 0
  #failedAtMs = Number.NEGATIVE_INFINITY
  #failure: unknown
  #closed = false
  readonly #sweeper: NodeJS.Timeout

  constructor(options: LinkPoolOptions) {
    this.#options = options
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(500, options.timeoutMs / 4))
    this.#sweeper.unref()
  }

  acquire(): Promise<Link> {
    if (this.#closed) return Promise.reject(new StorageError('io', 'The store is closed.'))
    const link = this.#idle.pop()
    if (link !== undefined) return Promise.resolve(link)
    if (this.#isDown() && performance.now() - this.#failedAtMs < retryAfterMs) {
      return Promise.reject(unreachable(this.#failure))
    }
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject, untilMs: performance.now() + this.#options.timeoutMs })
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

  /** Ends the connections that nobody uses; the others end when they are released. */
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
    this.#links.add(link)
    link.onLost(() => this.#lost(link))
    this.release(link)
  }

  /** Those who wait go on waiting for the connections that there are. If there are none, they have waited in vain. */
  #notConnected(error: unknown): void {
    this.#connecting--
    this.#failure = error
    this.#failedAtMs = performance.now()
    if (this.#links.size > 0 || this.#connecting > 0) return
    const refusal = unreachable(error)
    for (const { reject } of this.#waiters.splice(0)) reject(refusal)
  }

  #lost(link: Link): void {
    this.#links.delete(link)
    const position = this.#idle.indexOf(link)
    if (position >= 0) this.#idle.splice(position, 1)
    this.#connectIfUseful()
  }

  #sweep(): void {
    const nowMs = performance.now()
    const overdue = this.#waiters.filter(({ untilMs }) => untilMs <= nowMs)
    if (overdue.length > 0) {
      this.#waiters = this.#waiters.filter(({ untilMs }) => untilMs > nowMs)
      const refusal = new StorageError('unavailable', 'No connection to the database became free in time.')
      for (const { reject } of overdue) reject(refusal)
    }
    for (const link of this.#links) {
      const { busySinceMs } = link
      if (busySinceMs === undefined || nowMs - busySinceMs < this.#options.timeoutMs) continue
      link.destroy('The database did not answer in time.')
    }
  }
}

const retryAfterMs = 200

export function unreachable(cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const known = cause instanceof LinkLost ? reason : `The database cannot be reached (${reason}).`
  return new StorageError('unavailable', known, cause)
}
