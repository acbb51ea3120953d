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
import { isRefusedWrite } from './address/takes-no-writes.ts'
import type { Call, Link } from './connection/link.ts'
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
import { RunningReads } from './reads/running-reads.ts'
import { SqlSnapshot } from './reads/sql-snapshot.ts'
import { runView, type Elsewhere, type ReadPaths } from './reads/view-snapshot.ts'
import { newReplicas } from './replicas/new-replicas.ts'
import type { Replicas } from './replicas/replicas.ts'
import { beginOnAllNodes, beginSnapshot } from './reads/begin-snapshot.ts'
import { oneNodeSettings, readOnly, sessionSettings, writerWishes } from './session-settings.ts'
import { Sessions } from './sessions.ts'
import { migrate, type About } from './schema/migrate.ts'
import { MissingNodes } from './nodes/missing-nodes.ts'
import { newWorkerNodes } from './nodes/new-worker-nodes.ts'
import type { WorkerNodes } from './nodes/worker-nodes.ts'
import { Permission } from './schema/permission.ts'
import { statementsFor, type Statements } from './schema/statements.ts'
import { GroupCommit, type Decide } from './transactions/group-commit.ts'
import { Rerouted } from './transactions/rerouted.ts'
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
      if (!settings.onlyReads) await store.assertWritable()
      await store.lookForWorkers()
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
  readonly viewsSeveralMoments: boolean
  readonly viewEventually?: NonNullable<Store['viewEventually']>
  readonly about: About
  readonly #schema: string
  readonly #sessions: Sessions
  readonly #connect: () => Promise<Client>
  readonly #dialect: Dialect
  readonly #readers: LinkPool
  readonly #writers: LinkPool
  readonly #snapshots: LinkPool
  readonly #outage: Outage
  readonly #permission: Permission
  readonly #replicas: Replicas | undefined
  readonly #workers: WorkerNodes | undefined
  readonly #missingNodes: MissingNodes | undefined
  readonly #watch: NodeJS.Timeout
  #isLooking = false
  readonly #writeCounts = new WriteCounts()
  readonly #shortSnapshots = new ShortSnapshots()
  readonly #paths: ReadPaths
  readonly #commits: GroupCommit
  readonly #runningReads = new RunningReads()
  #closed = false

  constructor(settings: Settings, about: About) {
    this.about = about
    this.#schema = settings.schema
    this.#connect = settings.connect
    const { poolSize, timeoutMs, patienceMs } = settings
    const statements = statementsFor(settings.schema, about.shards)
    const distributed = about.distribution === 'citus'
    this.viewsSeveralMoments = distributed
    this.#dialect = {
      statements,
      placement: new Placement(settings.placement, about.shards, distributed),
      distributed,
      partOf: (shard) => this.#workers?.partOf(shard),
      refusalOf: (shard) => this.#workers?.refusalOf(shard),
    }
    // Groups that use one shard are small, so more of them run at once.
    const lanes = Math.max(1, Math.floor(poolSize / (distributed ? 2 : 4)))
    // If the database cancels something itself because it takes too long, it has answered by then.
    const answerMs = Math.ceil(timeoutMs * 1.2)
    const permission = new Permission(settings.schema, settings.onRefusal)
    const sessions = new Sessions({ settings, statements, distributed, permission, answerMs })
    const outage = new Outage(async () => this.#readers.adopt(await sessions.openReader()))
    const pool = (size: number, openLink: () => Promise<Link>): LinkPool =>
      new LinkPool({ size, patienceMs, answerMs, outage, open: openLink })
    this.#sessions = sessions
    // A lane may need a second connection for a moment, to begin a log.
    this.#writers = pool(lanes + 1, () => sessions.openWriter())
    this.#readers = pool(Math.max(1, poolSize - lanes - 1), () => sessions.openReader())
    this.#snapshots = pool(8, () => sessions.openSnapshot())
    this.#outage = outage
    this.#permission = permission
    this.#watch = setInterval(() => void this.#lookAtVersion(), versionWatchMs)
    this.#watch.unref()
    this.#replicas = newReplicas(settings, this.#dialect, sessions.ofReaders, () => this.#written())
    if (this.#replicas !== undefined) this.viewEventually = (read) => this.#viewReplica(read)
    const points = new PointReads(this.#readers, this.#dialect, Math.max(1, Math.floor(poolSize / 4)), patienceMs)
    const readLocked = (keys: readonly Key[]): Promise<readonly (Value | undefined)[]> =>
      this.#transact(keys, (values) => ({ writes: [], answer: values }))
    const logs = { dialect: this.#dialect, writers: this.#writers, knownLogs: new Set<string>() }
    this.#workers =
      distributed && settings.usesWorkers
        ? newWorkerNodes({
            settings,
            dialect: this.#dialect,
            permission,
            logs,
            counts: this.#writeCounts,
            counterSlots,
            readSession: { ...sessionSettings(timeoutMs), ...oneNodeSettings, ...readOnly },
            writeSession: { ...sessionSettings(timeoutMs), ...oneNodeSettings, ...sessions.ofWriters },
            writeWishes: writerWishes,
          })
        : undefined
    this.#missingNodes = distributed
      ? new MissingNodes({
          readers: this.#readers,
          call: this.#callOf('lastSequence'),
          nodes: () => this.#workers?.nodes ?? [],
        })
      : undefined
    this.#paths = { pool: this.#readers, points, dialect: this.#dialect, readLocked, workers: this.#workers }
    const transactions = {
      dialect: this.#dialect,
      points,
      writers: this.#writers,
      logs,
      slots: Array.from({ length: lanes }, () => randomInt(counterSlots)),
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
    return this.#runningReads.counted(runView(this.#paths, read))
  }

  async openSnapshot(): Promise<OpenSnapshot> {
    if (this.#closed) throw closed()
    if (this.#permission.readRefusal !== undefined) throw this.#permission.readRefusal
    this.#shortSnapshots.assertFew()
    const link = await this.#snapshots.acquire()
    const { rollback } = this.#dialect.statements
    try {
      await (this.#dialect.distributed
        ? beginOnAllNodes(this.#dialect, link, this.#readers, await this.#workers?.shardOfEachPart())
        : beginSnapshot(this.#dialect, link))
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
    return this.#transact(keys, decide).catch((error: unknown) => {
      if (error instanceof StorageError && isRefusedWrite(error.cause)) void this.#lookForWrites()
      return rethrowAsStorageError(error)
    })
  }

  /** On one node if possible, otherwise through the coordinator. */
  async #transact<T>(keys: readonly Key[], decide: Decide<T>): Promise<T> {
    const node = this.#workers?.nodeOf(keys)
    if (node === undefined) return this.#commits.transact(keys, decide)
    try {
      return await node.commits.transact(keys, decide)
    } catch (error) {
      if (!(error instanceof Rerouted)) throw error
      this.#workers?.noteFailure(error.cause)
      return this.#commits.transact(keys, decide)
    }
  }

  async probe(): Promise<void> {
    await this.#ask('probe', (row) => this.#permission.note(row))
    if (this.#permission.isWithoutWrites) await this.assertWritable()
    if (this.#permission.writeRefusal !== undefined) throw this.#permission.writeRefusal
  }

  /** Whoever only reads does not notice that the database takes no writes. Sessions may differ in that: a new one
   *  tells what is true now. */
  async assertWritable(): Promise<void> {
    const link = await this.#sessions.openWriter()
    link.end()
  }

  /** Without them, everything goes through the coordinator. */
  async lookForWorkers(): Promise<void> {
    await this.#workers?.refresh()
  }

  async whatIsMissing(): Promise<string | undefined> {
    return this.#missingNodes?.find()
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
    const own = figuresOf({
      pools: { ...pools, ...this.#workers?.pools },
      outage: this.#outage,
      writes: this.#writeCounts,
    })
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
    this.#shortSnapshots.closeAll(closed())
    await this.#workers?.idle()
    await this.#commits.idle()
    await this.#runningReads.idle()
    clearInterval(this.#watch)
    this.#replicas?.close()
    this.#workers?.close()
    this.#outage.close()
    for (const pool of [this.#readers, this.#writers, this.#snapshots]) pool.close()
  }

  /** One session was refused to write. */
  async #lookForWrites(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    await this.assertWritable().catch(() => undefined)
    this.#isLooking = false
  }

  /** A newer server may have changed the schema. While the database does not answer, nobody can. */
  async #lookAtVersion(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    await this.probe().catch(() => undefined)
    this.#isLooking = false
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
    return this.#runningReads.counted(runView(replica.paths, read, elsewhere))
  }

  async #written(): Promise<bigint> {
    let position: bigint | undefined
    await this.#ask('written', ([value]) => {
      position = value?.readBigUInt64BE()
    })
    if (position === undefined) throw new StorageError('unavailable', 'The database is a standby itself.')
    return position
  }
}

/** The statements that do not concern a particular table of entries. */
type PlainStatement = Exclude<keyof Statements, 'entries' | 'kept' | 'copies'>

/** How often to check whether this server may still write. */
const versionWatchMs = 1_000

/** Over how many rows a counter is spread. */
const counterSlots = 32

function closed(): StorageError {
  return new StorageError('io', 'The store is closed.')
}
