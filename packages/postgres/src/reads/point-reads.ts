import { StorageError, type Key } from '@hashrange/engine'
import type { LinkPool } from '../connection/link-pool.ts'
import { LinkLost } from '../connection/sql-error.ts'
import { readKeys, type Dialect, type Found } from './found.ts'

interface Wanted {
  readonly keys: readonly Key[]
  readonly resolve: (found: readonly (Found | undefined)[]) => void
  readonly reject: (error: unknown) => void
  readonly untilMs: number
}

/** Reads keys, all those of one request from one snapshot. Requests that arrive while the connections are busy share
 *  the next statement. */
export class PointReads {
  readonly #pool: LinkPool
  readonly #dialect: Dialect
  readonly #lanes: number
  readonly #timeoutMs: number
  #queue: Wanted[] = []
  #running = 0
  #scheduled = false
  #lastSize = 1

  constructor(pool: LinkPool, dialect: Dialect, lanes: number, timeoutMs: number) {
    this.#pool = pool
    this.#dialect = dialect
    this.#lanes = lanes
    this.#timeoutMs = timeoutMs
  }

  read(keys: readonly Key[]): Promise<readonly (Found | undefined)[]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ keys, resolve, reject, untilMs: performance.now() + this.#timeoutMs })
      this.#schedule()
    })
  }

  /** After all requests of this turn of the event loop; at once for a client that is alone. */
  #schedule(): void {
    if (this.#scheduled) return
    if (this.#running === 0 && this.#lastSize === 1) {
      void this.#runLane()
      return
    }
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      while (this.#queue.length > 0 && this.#running < this.#lanes) void this.#runLane()
    })
  }

  async #runLane(): Promise<void> {
    this.#running++
    while (this.#queue.length > 0) await this.#runBatch(this.#take())
    this.#running--
  }

  #take(): readonly Wanted[] {
    let keys = 0
    let count = 0
    while (count < this.#queue.length && (count === 0 || keys < batchKeys)) {
      keys += this.#queue[count]?.keys.length ?? 0
      count++
    }
    const nowMs = performance.now()
    this.#lastSize = count
    return this.#queue.splice(0, count).filter(({ untilMs, reject }) => {
      if (untilMs > nowMs) return true
      reject(new StorageError('unavailable', 'The database did not process a read in time.'))
      return false
    })
  }

  async #runBatch(batch: readonly Wanted[]): Promise<void> {
    if (batch.length === 0) return
    const keys = batch.length === 1 ? (batch[0]?.keys ?? []) : batch.flatMap((wanted) => wanted.keys)
    try {
      const answers = await this.#readOnce(keys).catch((error: unknown) => {
        // A connection may have ended while it was idle, and reading again is harmless.
        if (error instanceof LinkLost) return this.#readOnce(keys)
        throw error
      })
      let from = 0
      for (const { keys: own, resolve } of batch) resolve(answers.slice(from, (from += own.length)))
    } catch (error) {
      // If one of several nodes does not answer, only those who need it are concerned.
      if (batch.length > 1 && this.#dialect.distributed) for (const wanted of batch) await this.#runBatch([wanted])
      else for (const { reject } of batch) reject(error)
    }
  }

  async #readOnce(keys: readonly Key[]): Promise<readonly (Found | undefined)[]> {
    const link = await this.#pool.acquire(true)
    try {
      const { calls, answers } = readKeys(this.#dialect, keys)
      const [error] = await link.run(calls)
      if (error !== undefined) throw error
      return answers
    } finally {
      this.#pool.release(link)
    }
  }
}

const batchKeys = 64
