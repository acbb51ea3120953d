import { randomInt } from 'node:crypto'
import type { KeyPlacement } from '@hashrange/engine'
import type { Client } from 'pg'
import { withinTime } from '../address/within-time.ts'
import { Link, type Call } from '../connection/link.ts'
import { LinkPool, type PoolFigures } from '../connection/link-pool.ts'
import { Outage } from '../connection/outage.ts'
import type { WriteCounts } from '../figures.ts'
import type { Dialect } from '../reads/found.ts'
import { Placement } from '../reads/placement.ts'
import { PointReads } from '../reads/point-reads.ts'
import type { ShardNode } from '../reads/read-across-nodes.ts'
import { nodeStatements, type Statements } from '../schema/statements.ts'
import type { LogPaths } from '../transactions/begin-logs.ts'
import { GroupCommit } from '../transactions/group-commit.ts'
import { runGroup } from '../transactions/run-group.ts'
import { newNodeParts, type PartStatements } from './node-parts.ts'
import type { NodeAddress, ShardMap } from './shard-map.ts'

export interface WorkerNodeOptions {
  readonly address: NodeAddress
  readonly connect: () => Promise<Client>
  readonly map: () => ShardMap
  readonly keys: KeyPlacement
  readonly shards: number
  readonly statements: Statements
  readonly parts: PartStatements
  readonly poolSize: number
  readonly answerMs: number
  readonly patienceMs: number
  /** Settings of sessions that read, and of those that write. */
  readonly readSession: Readonly<Record<string, string>>
  readonly writeSession: Readonly<Record<string, string>>
  readonly writeWishes: Readonly<Record<string, string>>
  readonly counterSlots: number
  readonly logs: LogPaths
  readonly counts: WriteCounts
  /** Whether the coordinator gets an answer from the node that has a shard. */
  readonly isReached: (shard: number) => Promise<boolean>
  /** Throws if this server may not write. */
  readonly assertMayWrite: () => void
}

/** A node of Citus to which this server connects itself. There, the parts of the distributed tables are ordinary tables:
 *  reads and writes cost what they cost on one PostgreSQL. */
export class WorkerNode implements ShardNode {
  readonly address: NodeAddress
  readonly dialect: Dialect
  readonly readers: LinkPool
  readonly points: PointReads
  readonly commits: GroupCommit
  readonly #writers: LinkPool
  readonly #outage: Outage
  /** Whether the coordinator reaches it, though this server does not. */
  #isReached = false
  #isLooking = false

  constructor(options: WorkerNodeOptions) {
    const { address, map, shards, statements, poolSize, answerMs, patienceMs, readSession, writeSession } = options
    this.address = address
    const anchor = (): number => map().anchors.get(address.group) ?? 0
    const placement = new Placement(options.keys, shards, true, anchor)
    const node = newNodeParts({
      group: address.group,
      map,
      placement: () => placement,
      parts: options.parts,
      statements,
    })
    this.dialect = { statements, placement, distributed: false, node }
    const open = (settings: Readonly<Record<string, string>>, wishes = {}): Promise<Link> =>
      Link.open({
        connect: () => this.#connect(options.connect, answerMs),
        settings: { ...settings, 'citus.enable_manual_changes_to_shards': 'on' },
        wishes,
        statements: nodeStatements(statements),
        answerMs,
      })
    this.#outage = new Outage(async () => {
      if (this.#outage.isSilent) this.#lookWhetherReached(() => options.isReached(anchor()))
      this.readers.adopt(await open(readSession))
      this.#isReached = false
    })
    const pool = (size: number, openLink: () => Promise<Link>): LinkPool =>
      new LinkPool({ size, patienceMs, answerMs, outage: this.#outage, open: openLink })
    const lanes = Math.max(1, Math.floor(poolSize / 4))
    this.readers = pool(Math.max(1, poolSize - lanes), () => open(readSession))
    this.#writers = pool(lanes, () => open(writeSession, options.writeWishes))
    this.points = new PointReads(this.readers, this.dialect, Math.max(1, Math.floor(poolSize / 4)), patienceMs)
    const transactions = {
      dialect: this.dialect,
      points: this.points,
      writers: this.#writers,
      logs: options.logs,
      slots: Array.from({ length: lanes }, () => randomInt(options.counterSlots)),
      patienceMs,
      locksFirst: false,
      counts: options.counts,
    }
    this.commits = new GroupCommit({
      dialect: this.dialect,
      lanes,
      timeoutMs: patienceMs,
      run: (group, lane) => {
        options.assertMayWrite()
        return runGroup(transactions, group, lane)
      },
    })
  }

  /** Whether it can be used: it has answered last time. */
  get isUp(): boolean {
    return this.#outage.refusal === undefined
  }

  /** Whether it does not answer anybody, as far as is known. */
  get isSilent(): boolean {
    return this.#outage.isSilent && !this.#isReached
  }

  /** Whether it is silent: as far as is known, or, if it has answered so far, for this long. */
  async isSilentFor(withinMs: number): Promise<boolean> {
    if (!this.isUp) return this.isSilent
    let timer: NodeJS.Timeout | undefined
    const isLate = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), withinMs)))
    const isSilent = this.#ask().then(
      () => false,
      () => this.isSilent,
    )
    return Promise.race([isSilent, isLate]).finally(() => clearTimeout(timer))
  }

  async read(shards: readonly number[], calls: readonly Call[]): Promise<void> {
    const { node } = this.dialect
    const link = await this.readers.acquire()
    try {
      // What was read is true if the node still has it afterwards.
      const [error, moved] = await link.run(calls, node === undefined ? [] : [node.hold(shards, false)])
      if (error !== undefined) throw error
      if (moved !== undefined) throw moved
    } finally {
      this.readers.release(link)
    }
  }

  get figures(): { readonly reads: PoolFigures; readonly writes: PoolFigures } {
    return { reads: this.readers.figures, writes: this.#writers.figures }
  }

  close(): void {
    this.#outage.close()
    this.readers.close()
    this.#writers.close()
  }

  /** The coordinator may be stuck with such a question until the node answers, and with each further one. */
  #lookWhetherReached(isReached: () => Promise<boolean>): void {
    if (this.#isLooking) return
    this.#isLooking = true
    void isReached().then((isSo) => {
      this.#isReached = isSo && this.#outage.isSilent
      this.#isLooking = false
    })
  }

  /** For nothing but an answer. */
  async #ask(): Promise<void> {
    const { begin, rollback } = this.dialect.statements
    const link = await this.readers.acquire(true)
    try {
      await link.run([begin, rollback].map((statement) => ({ statement, parameters: [] })))
    } finally {
      this.readers.release(link)
    }
  }

  /** An address that the coordinator knows may mean something else here. */
  async #connect(connect: () => Promise<Client>, answerMs: number): Promise<Client> {
    const client = await connect()
    try {
      const { rows } = await withinTime(client, answerMs, () =>
        client.query<{ identifier: string; group: number }>(
          'SELECT system_identifier::text AS identifier, (SELECT groupid FROM pg_dist_local_group) AS group FROM pg_control_system()',
        ),
      )
      const [found] = rows
      if (found?.identifier === this.address.systemIdentifier && found?.group === this.address.group) return client
      throw new Error(`${this.address.host}:${this.address.port} is another database than the coordinator's worker`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
  }
}
