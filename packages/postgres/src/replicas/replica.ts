import type { Row } from '../connection/inbox.ts'
import { LinkPool } from '../connection/link-pool.ts'
import type { Link } from '../connection/link.ts'
import { Outage } from '../connection/outage.ts'
import type { Statement } from '../connection/statement.ts'
import { PointReads } from '../reads/point-reads.ts'
import type { Dialect } from '../reads/found.ts'
import type { ReadPaths } from '../reads/view-snapshot.ts'
import { LagMeter } from './lag-meter.ts'

export interface ReplicaOptions {
  /** For people and for metrics. */
  readonly name: string
  readonly open: () => Promise<Link>
  readonly dialect: Dialect
  readonly poolSize: number
  /** How far it may be behind, and how long it may take to answer: a waiting request could ask the primary. */
  readonly maxLagMs: number
}

/** A standby that follows the primary, and serves reads that may be behind. */
export class Replica {
  readonly name: string
  readonly paths: ReadPaths
  readonly #options: ReplicaOptions
  readonly #pool: LinkPool
  readonly #outage: Outage
  readonly #lag = new LagMeter()

  constructor(options: ReplicaOptions) {
    const { name, open, dialect, poolSize, maxLagMs } = options
    this.name = name
    this.#options = options
    const answerMs = Math.max(maxLagMs, 500)
    this.#outage = new Outage(async () => this.#pool.adopt(await open()))
    this.#pool = new LinkPool({ size: poolSize, patienceMs: answerMs, answerMs, outage: this.#outage, open })
    const points = new PointReads(this.#pool, dialect, Math.max(1, Math.floor(poolSize / 3)), answerMs)
    this.paths = {
      pool: this.#pool,
      points,
      dialect,
      readLocked: () => Promise.reject(new Error('a replica locks nothing')),
    }
  }

  lagMs(nowMs: number): number {
    return this.#lag.lagMs(nowMs)
  }

  isUsable(nowMs: number): boolean {
    return this.#outage.refusal === undefined && this.lagMs(nowMs) <= this.#options.maxLagMs
  }

  noteWritten(atMs: number, position: bigint): void {
    this.#lag.noteWritten(atMs, position)
  }

  /** Asks how far it has come. */
  async look(): Promise<void> {
    const link = await this.#pool.acquire()
    try {
      const [error] = await link.run([
        { statement: replayed, parameters: [], onRow: (row) => this.#noteReplayed(row) },
      ])
      if (error !== undefined) throw error
    } finally {
      this.#pool.release(link)
    }
  }

  close(): void {
    this.#outage.close()
    this.#pool.close()
  }

  /** One that follows nobody may have a log of its own, which cannot be compared with the primary's. */
  #noteReplayed([position, isFollowing]: Row): void {
    if (position !== undefined && isFollowing?.[0] === 1) this.#lag.noteReplayed(position.readBigUInt64BE())
  }
}

export const replayed: Statement = {
  name: 'hashrange_replayed',
  text: 'SELECT pg_last_wal_replay_lsn(), pg_is_in_recovery() AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver)',
  types: [],
}
