import { randomInt } from 'node:crypto'
import {
  ShortSnapshots,
  StorageError,
  type Decision,
  type Key,
  type MaybePromise,
  type OpenSnapshot,
  type Snapshot,
  type Store,
  type StoreFigure,
  type StoreVerification,
  type StoreTime,
  type Value,
} from '@hashrange/engine'
import type { Client } from 'pg'
import { Link, type Call } from './connection/link.ts'
import type { Row } from './connection/inbox.ts'
import { LinkPool } from './connection/link-pool.ts'
import { Outage, unreachable } from './connection/outage.ts'
import { rethrowAsStorageError } from './connection/rethrow.ts'
import { LinkLost, SqlError } from './connection/sql-error.ts'
import { figuresOf, WriteCounts } from './figures.ts'
import { settingsOf, type PostgresOptions, type Settings } from './options.ts'
import type { Dialect } from './reads/found.ts'
import { Placement } from './reads/placement.ts'
import { PointReads } from './reads/point-reads.ts'
import { SqlSnapshot } from './reads/sql-snapshot.ts'
import { runView, type Elsewhere, type ReadPaths } from './reads/view-snapshot.ts'
import { Replica, replayed } from './replicas/replica.ts'
import { Replicas } from './replicas/replicas.ts'
import { migrate, type About } from './schema/migrate.ts'
import { Permission } from './schema/permission.ts'
import { allStatements, statementsFor, type Statements } from './schema/statements.ts'
import { GroupCommit } from './transactions/group-commit.ts'
import { runGroup } from './transactions/run-group.ts'

/** A store that any number of servers share. */
export interface PostgresStore extends Store {
  readonly shared: true
  /** What was found in the database when it was opened. */
  readonly about: About
  /** Resolves if the database answers and its schema is one that this software knows; rejects with a StorageError
   *  that says why not. */
  probe(): Promise<void>
}

/** Opens a store in a PostgreSQL or Citus database, and sets up its schema if necessary. */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const settings = settingsOf(options)
  try {
    const { schema, distribution, shards, migrate: mayChange } = settings
    const about = await migrate(settings.connect, { schema, distribution, shards, mayChange })
    const store = new SqlStore(settings, about)
    try {
      await store.probe()
    } catch (error) {
      await store.close()
      throw error
    }
    return store
  } catch (error) {
    throw error instanceof StorageError ? error : unreachable(error)
  }
}

class SqlStore implements PostgresStore {
  readonly shared = true
  readonly viewEventually?: NonNullable<Store['viewEventually']>
  readonly about: About
  readonly #schema: string
  readonly #connect: () => Promise<Client>
  readonly #dialect: Dialect
  readonly #readers: LinkPool
  readonly #writers: LinkPool
  readonly #snapshots: LinkPool
  readonly #outage: Outage
  readonly #permission: Permission
  readonly #replicas: Replicas | undefined
  readonly #watch: NodeJS.Timeout
  #isLooking = false
  readonly #writeCounts = new WriteCounts()
  readonly #shortSnapshots = new ShortSnapshots()
  readonly #paths: ReadPaths
  readonly #commits: GroupCommit
  #views = 0
  #whenNoViews: (() => void)[] = []
  #closed = false

  constructor(settings: Settings, about: About) {
    this.about = about
    this.#schema = settings.schema
    this.#connect = settings.connect
    const { poolSize, timeoutMs, patienceMs } = settings
    const statements = statementsFor(settings.schema, about.shards)
    const distributed = about.distribution === 'citus'
    this.#dialect = {
      statements,
      placement: new Placement(settings.placement, about.shards, distributed),
      distributed,
    }
    // Groups that use one shard are small, so more of them run at once.
    const lanes = Math.max(1, Math.floor(poolSize / (distributed ? 2 : 4)))
    // If the database cancels something itself because it takes too long, it has answered by then.
    const answerMs = Math.ceil(timeoutMs * 1.2)
    const permission = new Permission(settings.schema, settings.onRefusal)
    const sessionOf = (session: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
      ...sessionSettings(timeoutMs),
      ...(!distributed && oneNodeSettings),
      ...session,
    })
    const open = (session: Readonly<Record<string, string>>, wishes = {}): Promise<Link> =>
      Link.open({
        connect: settings.connect,
        settings: sessionOf(session),
        wishes,
        statements: allStatements(statements, distributed),
        first: { statement: statements.probe, parameters: [], onRow: (row) => permission.note(row) },
        answerMs,
      })
    // If this process stands still in the middle of a transaction, others must not wait for it for long.
    const openWriter = async (): Promise<Link> => {
      const link = await open({ idle_in_transaction_session_timeout: String(patienceMs) }, writerWishes)
      if (permission.writeRefusal === undefined) return link
      link.end()
      throw permission.writeRefusal
    }
    const outage = new Outage(async () => this.#readers.adopt(await open(readOnly)))
    const pool = (size: number, openLink: () => Promise<Link>): LinkPool =>
      new LinkPool({ size, patienceMs, answerMs, outage, open: openLink })
    // A lane may need a second connection for a moment, to begin a log.
    this.#writers = pool(lanes + 1, openWriter)
    this.#readers = pool(Math.max(1, poolSize - lanes - 1), () => open(readOnly))
    this.#snapshots = pool(8, () => open({ ...readOnly, idle_in_transaction_session_timeout: '0' }))
    this.#outage = outage
    this.#permission = permission
    this.#watch = setInterval(() => void this.#lookAtVersion(), versionWatchMs)
    this.#watch.unref()
    this.#replicas = this.#replicasOf(settings, sessionOf(readOnly))
    if (this.#replicas !== undefined) this.viewEventually = (read) => this.#viewReplica(read)
    const points = new PointReads(this.#readers, this.#dialect, Math.max(1, Math.floor(poolSize / 4)), patienceMs)
    const readLocked = (keys: readonly Key[]): Promise<readonly (Value | undefined)[]> =>
      this.#commits.transact(keys, (values) => ({ writes: [], answer: values }))
    this.#paths = { pool: this.#readers, points, dialect: this.#dialect, readLocked }
    const transactions = {
      dialect: this.#dialect,
      points,
      writers: this.#writers,
      slots: Array.from({ length: lanes }, () => randomInt(counterSlots)),
      knownLogs: new Set<string>(),
      patienceMs,
      locksFirst: settings.locksFirst || distributed,
      counts: this.#writeCounts,
    }
    this.#commits = new GroupCommit({
      dialect: this.#dialect,
      lanes,
      timeoutMs: patienceMs,
      run: (group, lane) => {
        // It may have been rejected since they came.
        if (permission.writeRefusal !== undefined) throw permission.writeRefusal
        return runGroup(transactions, group, lane)
      },
    })
  }

  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    if (this.#closed) throw closed()
    if (this.#permission.readRefusal !== undefined) throw this.#permission.readRefusal
    return this.#counted(runView(this.#paths, read))
  }

  async openSnapshot(): Promise<OpenSnapshot> {
    if (this.#closed) throw closed()
    if (this.#permission.readRefusal !== undefined) throw this.#permission.readRefusal
    this.#shortSnapshots.assertFew()
    const link = await this.#snapshots.acquire()
    const { rollback } = this.#dialect.statements
    try {
      await (this.#dialect.distributed ? this.#beginOnAllNodes(link) : this.#beginSnapshot(link))
    } catch (error) {
      link.destroy()
      return rethrowAsStorageError(error)
    }
    const snapshot = new SqlSnapshot(this.#dialect, link, () => {
      const release = (): void => this.#snapshots.release(link)
      link.run([{ statement: rollback, parameters: [] }]).then(release, release)
    })
    return this.#shortSnapshots.limit(snapshot)
  }

  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closed())
    if (this.#permission.writeRefusal !== undefined) return Promise.reject(this.#permission.writeRefusal)
    return this.#commits.transact(keys, decide).catch(rethrowAsStorageError)
  }

  async probe(): Promise<void> {
    await this.#ask('probe', (row) => this.#permission.note(row))
    if (this.#permission.writeRefusal !== undefined) throw this.#permission.writeRefusal
  }

  /** One statement that all nodes take part in. */
  async whatIsMissing(): Promise<string | undefined> {
    if (!this.#dialect.distributed) return undefined
    try {
      await this.lastSequence()
      return undefined
    } catch (error) {
      if (error instanceof StorageError && error.code === 'unavailable') return error.message
      throw error
    }
  }

  async verify(run: StoreVerification): Promise<boolean> {
    if (this.#closed) throw closed()
    const { verifyRows } = await import('./verify/verify-rows.ts')
    const { placement } = this.#dialect
    return verifyRows({ connect: this.#connect, schema: this.#schema, placement, run }).catch(rethrowAsStorageError)
  }

  figures(): readonly StoreFigure[] {
    const pools = {
      reads: this.#readers.figures,
      writes: this.#writers.figures,
      snapshots: this.#snapshots.figures,
    }
    const own = figuresOf({ pools, outage: this.#outage, writes: this.#writeCounts })
    return this.#replicas === undefined ? own : [...own, ...this.#replicas.figures()]
  }

  async time(): Promise<StoreTime> {
    let microseconds = 0n
    const tookMs = await this.#ask('time', ([value]) => {
      microseconds = value?.readBigInt64BE() ?? 0n
    })
    return { atMs: Number(microseconds) / 1000, tookMs }
  }

  async lastSequence(): Promise<bigint> {
    let last = 0n
    await this.#ask('lastSequence', ([value]) => {
      last = value?.readBigInt64BE() ?? 0n
    })
    return last
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#commits.idle()
    if (this.#views > 0) await new Promise<void>((resolve) => this.#whenNoViews.push(resolve))
    clearInterval(this.#watch)
    this.#replicas?.close()
    this.#outage.close()
    for (const pool of [this.#readers, this.#writers, this.#snapshots]) pool.close()
  }

  /** A newer server may have changed the schema. While the database does not answer, nobody can. */
  async #lookAtVersion(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    await this.probe().catch(() => undefined)
    this.#isLooking = false
  }

  /** The first statement, not the beginning, takes the snapshot. */
  async #beginSnapshot(link: Link, first: readonly Call[] = [this.#callOf('probe')]): Promise<void> {
    const [error] = await link.run([this.#callOf('beginSnapshot'), ...first])
    if (error !== undefined) throw error
  }

  /** Each node has its own snapshot, taken when it is first used. Nobody commits until all have one. */
  async #beginOnAllNodes(link: Link): Promise<void> {
    // A connection for reads: writers may wait for the gate while they hold all connections for writing.
    const gate = await this.#readers.acquire()
    try {
      const [refused] = await gate.run([this.#callOf('begin'), this.#callOf('closeGate')])
      if (refused !== undefined) throw refused
      const shards = Array.from({ length: this.about.shards }, (_, shard) => shard)
      await this.#beginSnapshot(
        link,
        shards.map((shard) => ({ ...this.#callOf('touch'), parameters: [shard] })),
      )
    } finally {
      await gate.run([this.#callOf('rollback')]).catch(() => undefined)
      this.#readers.release(gate)
    }
  }

  /** Reads one row, and returns how long the database took. */
  async #ask(name: PlainStatement, onRow: (row: Row) => void): Promise<number> {
    if (this.#closed) throw closed()
    const link = await this.#readers.acquire(true)
    const askedAtMs = performance.now()
    let tookMs = 0
    try {
      const take = (row: Row): void => {
        tookMs = performance.now() - askedAtMs
        onRow(row)
      }
      const [error] = await link.run([{ ...this.#callOf(name), onRow: take }])
      if (error !== undefined) throw error
    } catch (error) {
      rethrowAsStorageError(error)
    } finally {
      this.#readers.release(link)
    }
    return tookMs
  }

  #callOf(name: PlainStatement): Call {
    return { statement: this.#dialect.statements[name], parameters: [] }
  }

  /** Reads from a replica; from the primary if no replica is suitable, or if it fails. */
  #viewReplica<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    const replica = this.#replicas?.choose()
    if (replica === undefined || this.#closed || this.#permission.readRefusal !== undefined) return this.view(read)
    const elsewhere: Elsewhere = (error) => {
      if (!(error instanceof SqlError || error instanceof LinkLost || error instanceof StorageError))
        return undefined
      this.#replicas?.noteFailure()
      return (again) => this.view(again)
    }
    return this.#counted(runView(replica.paths, read, elsewhere))
  }

  #replicasOf(settings: Settings, session: Readonly<Record<string, string>>): Replicas | undefined {
    const { maxReplicaLagMs: maxLagMs, timeoutMs, poolSize } = settings
    if (settings.replicas.length === 0) return undefined
    if (this.#dialect.distributed) {
      throw new StorageError('io', 'read_replicas in the URL of the store are for PostgreSQL without Citus.')
    }
    const statements = [...allStatements(this.#dialect.statements, false), replayed]
    const replicas = settings.replicas.map(({ name, connect }) => {
      const open = (): Promise<Link> => Link.open({ connect, settings: session, statements, answerMs: timeoutMs })
      return new Replica({ name, open, dialect: this.#dialect, poolSize: Math.max(2, poolSize - 2), maxLagMs })
    })
    const written = async (): Promise<bigint> => {
      let position: bigint | undefined
      await this.#ask('written', ([value]) => {
        position = value?.readBigUInt64BE()
      })
      if (position === undefined) throw new StorageError('unavailable', 'The database is a standby itself.')
      return position
    }
    return new Replicas({ replicas, maxLagMs, written })
  }

  /** Closing the store waits for running reads. */
  #counted<T>(result: MaybePromise<T>): MaybePromise<T> {
    if (!(result instanceof Promise)) return result
    this.#views++
    return result.catch(rethrowAsStorageError).finally(() => this.#viewEnded())
  }

  #viewEnded(): void {
    this.#views--
    if (this.#views === 0) for (const resolve of this.#whenNoViews.splice(0)) resolve()
  }
}

/** The statements that do not concern a particular table of entries. */
type PlainStatement = Exclude<keyof Statements, 'entries' | 'kept' | 'copies'>

/** How often to check whether this server may still write. */
const versionWatchMs = 1_000

/** Over how many rows a counter is spread. */
const counterSlots = 32

const readOnly = { default_transaction_isolation: 'repeatable read', default_transaction_read_only: 'on' }

/** Values of more than two kilobytes are compressed. Of 4,000 items of 4.4 KB each, lz4 took a third of the time to write, and half to read. */
const writerWishes = { default_toast_compression: 'lz4' }

function sessionSettings(timeoutMs: number): Readonly<Record<string, string>> {
  return { statement_timeout: String(timeoutMs), lock_timeout: String(Math.ceil(timeoutMs / 2)), jit: 'off' }
}

/** Every statement reads by the primary key. Whatever the statistics say, no other plan is ever better, and one plan
 *  works for all. Citus plans by itself. */
const oneNodeSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

function closed(): StorageError {
  return new StorageError('io', 'The store is closed.')
}
