import { StorageError, type Key } from '@hashrange/engine'
import type { Call, Link } from '../connection/link.ts'
import type { LinkPool } from '../connection/link-pool.ts'
import { LinkLost, type SqlError } from '../connection/sql-error.ts'
import { readKeys, type Dialect, type Found } from './found.ts'

/** Who waits for an answer. */
export interface Reader {
  readonly resolve: (found: readonly (Found | undefined)[]) => void
  readonly reject: (error: unknown) => void
}

interface Wanted {
  readonly keys: readonly Key[]
  readonly reader: Reader
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
    return new Promise((resolve, reject) => this.readFor({ resolve, reject }, keys))
  }

  readFor(reader: Reader, keys: readonly Key[]): void {
    this.#queue.push({ keys, reader, untilMs: performance.now() + this.#timeoutMs })
    this.#schedule()
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
    return this.#queue.splice(0, count).filter(({ untilMs, reader }) => {
      if (untilMs > nowMs) return true
      reader.reject(new StorageError('unavailable', 'The database did not process a read in time.'))
      return false
    })
  }

  async #runBatch(batch: readonly Wanted[]): Promise<void> {
    if (batch.length === 0) return
    const keys = batch.length === 1 ? (batch[0]?.keys ?? []) : batch.flatMap((wanted) => wanted.keys)
    try {
      const answers = await this.#readTwice(keys)
      let from = 0
      for (const { keys: own, reader } of batch) {
        reader.resolve(batch.length === 1 ? answers : answers.slice(from, (from += own.length)))
      }
    } catch (error) {
      // If one of several nodes does not answer, only those who need it are concerned.
      if (batch.length > 1 && this.#dialect.distributed) for (const wanted of batch) await this.#runBatch([wanted])
      else for (const { reader } of batch) reader.reject(error)
    }
  }

  /** A connection may have ended while it was idle, and reading again is harmless. */
  async #readTwice(keys: readonly Key[]): Promise<readonly (Found | undefined)[]> {
    for (let isAgain = false; ; isAgain = true) {
      const link = this.#pool.takeIdle() ?? (await this.#pool.acquire(true))
      try {
        const { calls, answers } = readKeys(this.#dialect, keys)
        const error = await (this.#dialect.node === undefined
          ? link.runOne(calls)
          : this.#runHeld(link, calls, keys))
        if (error !== undefined) throw error
        return answers
      } catch (error) {
        if (isAgain || !(error instanceof LinkLost)) throw error
      } finally {
        this.#pool.release(link)
      }
    }
  }

  /** What was read on a node is true if the node still has it afterwards. */
  async #runHeld(link: Link, calls: readonly Call[], keys: readonly Key[]): Promise<SqlError | undefined> {
    const { node, placement } = this.#dialect
    const shards = keys.map((key) => placement.shardOf(key))
    const [error, moved] = await link.run(calls, node === undefined ? [] : [node.hold(shards, false)])
    return error ?? moved
  }
}

const batchKeys = 64
