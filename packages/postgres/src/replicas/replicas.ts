import type { StoreFigure } from '@hashrange/engine'
import type { Replica } from './replica.ts'

export interface ReplicasOptions {
  readonly replicas: readonly Replica[]
  readonly maxLagMs: number
  /** The primary's current log position. */
  readonly written: () => Promise<bigint>
}

/** The replicas of a database. A server reads from one of them, and stays with it: consecutive reads then never go
 *  back in time. It changes to another, or to the primary, if that one is too far behind or does not answer. */
export class Replicas {
  readonly #options: ReplicasOptions
  readonly #timer: NodeJS.Timeout
  #current: Replica | undefined
  #isLooking = false
  #reads = 0
  #passedOver = 0
  #failures = 0

  constructor(options: ReplicasOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#look(), Math.min(200, options.maxLagMs / 5))
    this.#timer.unref()
  }

  /** The replica to read from; undefined while the primary must be used. */
  choose(): Replica | undefined {
    const nowMs = performance.now()
    if (this.#current?.isUsable(nowMs) !== true) this.#current = this.#another(nowMs)
    if (this.#current === undefined) this.#passedOver++
    else this.#reads++
    return this.#current
  }

  /** The primary did a read that a replica could not do. */
  noteFailure(): void {
    this.#failures++
  }

  figures(): readonly StoreFigure[] {
    const nowMs = performance.now()
    const { replicas } = this.#options
    const one = (value: number): StoreFigure['samples'] => [{ labels: {}, value }]
    return [
      {
        name: 'replica_lag_seconds',
        help: 'How far a replica is behind the primary, at most.',
        type: 'gauge',
        samples: replicas.flatMap((replica) => {
          const lagMs = replica.lagMs(nowMs)
          return Number.isFinite(lagMs) ? [{ labels: { replica: replica.name }, value: lagMs / 1000 }] : []
        }),
      },
      {
        name: 'replica_usable',
        help: 'Whether a replica answers and is not too far behind: 1, or 0 while the primary is read instead.',
        type: 'gauge',
        samples: replicas.map((replica) => ({
          labels: { replica: replica.name },
          value: replica.isUsable(nowMs) ? 1 : 0,
        })),
      },
      {
        name: 'replica_reads',
        help: 'Reads that were sent to a replica.',
        type: 'counter',
        samples: one(this.#reads),
      },
      {
        name: 'replica_passed_over',
        help: 'Reads that a replica could have served, but that were sent to the primary because none was usable.',
        type: 'counter',
        samples: one(this.#passedOver),
      },
      {
        name: 'replica_failures',
        help: 'Reads that a replica did not answer, and that were repeated on the primary.',
        type: 'counter',
        samples: one(this.#failures),
      },
    ]
  }

  close(): void {
    clearInterval(this.#timer)
    for (const replica of this.#options.replicas) replica.close()
  }

  /** Servers begin at different ones. */
  #another(nowMs: number): Replica | undefined {
    const usable = this.#options.replicas.filter((replica) => replica.isUsable(nowMs))
    return usable[Math.floor(Math.random() * usable.length)]
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { replicas, written } = this.#options
    try {
      // From before the primary is asked: its answer is at least what it had written then.
      const atMs = performance.now()
      const position = await written()
      for (const replica of replicas) replica.noteWritten(atMs, position)
      // A replica that does not answer becomes too old by itself.
      await Promise.all(replicas.map((replica) => replica.look().catch(() => undefined)))
    } catch {
      // Without the primary nobody knows how far a replica is behind.
    } finally {
      this.#isLooking = false
    }
  }
}
