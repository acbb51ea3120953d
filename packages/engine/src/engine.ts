import { randomBytes, randomUUID } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import type { Dialect } from './api/dialect.ts'
import { operationsByTarget } from './api/operations.ts'
import { BackgroundWork } from './work/background-work.ts'
import { BackupCatalog } from './backups/backup-catalog.ts'
import type { EngineOptions } from './engine-options.ts'
import { expireItems, type Sweep } from './background/expire-items.ts'
import { deleteRange } from './work/delete-range.ts'
import { LeasedWork } from './work/leased-work.ts'
import { Leases, type Lease } from './work/leases.ts'
import { expireBackups } from './background/take-backup.ts'
import { resumeWork } from './background/resume-work.ts'
import { purgeWork } from './background/unfinished-work.ts'
import type { UnfinishedWork } from './work/unfinished-work.ts'
import { Capacity } from './capacity/capacity.ts'
import { Catalog } from './catalog/catalog.ts'
import { resourceNotFound } from './catalog/catalog-errors.ts'
import { itemOperations, refusalsOfDefinitions } from './catalog/stale-definitions.ts'
import type { Table } from './catalog/table.ts'
import { LaggingStore } from './consistency/lagging-store.ts'
import { checkFormat } from './layout/check-format.ts'
import { Meters } from './metering/meters.ts'
import type { Metrics } from './metering/metrics.ts'
import { MetricStore } from './metering/metric-store.ts'
import { RecordedMetrics } from './metering/recorded-metrics.ts'
import { Recorder } from './metering/recorder.ts'
import { loadModels } from './metering/stored-models.ts'
import { RequestMeter } from './capacity/request-meter.ts'
import type { Throttling } from './partitions/throttling.ts'
import type { EngineParts } from './operations/engine-parts.ts'
import { operations, type RunOperation } from './operations/index.ts'
import { readConflicts, type Conflict } from './replication/conflicts.ts'
import { Regions } from './replication/regions.ts'
import { rejoinAll } from './replication/rejoin-replica.ts'
import { replicationReport, type ReplicationReport } from './replication/replication-report.ts'
import { wholeReplicationWork } from './replication/replication-work.ts'
import { UnsentChanges } from './replication/unsent-changes.ts'
import { systemRandomness, type Randomness } from './randomness.ts'
import { RecordSpace } from './records/record-space.ts'
import type { Scope } from './scope.ts'
import { CapacityExchange } from './sharing/capacity-exchange.ts'
import type { Service } from './services/service.ts'
import type { ServiceHost } from './services/service-host.ts'
import { logReader, type LogReader } from './streams/log-reader.ts'
import { StorageError } from './store/storage-error.ts'
import { streamReader } from './streams/stream-reader.ts'
import type { MaybePromise, Snapshot, Store } from './store/store.ts'
import { WritesUnderWay } from './strong/writes-under-way.ts'
import { readUnknownPolicy, type ReadResourcePolicy } from './tables/read-resource-policy.ts'
import { readTableName } from './tables/read-table-name.ts'
import { openClock } from './time/open-clock.ts'
import type { StoreClock } from './time/store-clock.ts'
import { Transfers } from './transfers/transfers.ts'

/** The DynamoDB operations under each target: those of the API that have an implementation. */
const ownOperations: ReadonlyMap<string, ReadonlyMap<string, RunOperation>> = new Map(
  Object.entries(operationsByTarget).map(([target, names]) => [target, implemented(names)]),
)

function implemented(names: readonly string[]): ReadonlyMap<string, RunOperation> {
  return new Map([...operations].filter(([name]) => names.includes(name)))
}

/** Admits a request, given what is known about the tables now, and returns the scope to carry it out in; or throws. */
export type Admit = () => Scope

/** How long a server may be silent before others take over its work. */
const usualLeaseMs = 10_000

export type Readiness = { readonly serves: 'all' } | { readonly serves: 'some' | 'none'; readonly sentence: string }

/** The database without its wire. */
export class Engine implements EngineParts {
  readonly store: Store
  readonly catalog: Catalog
  readonly clock: StoreClock
  readonly randomness: Randomness
  readonly background: BackgroundWork
  readonly #leased: LeasedWork
  readonly transfers: Transfers
  readonly backups: BackupCatalog
  /** The regions that are isolated, slow or down on purpose. */
  readonly regions: Regions
  readonly unsent: UnsentChanges
  readonly regionsElsewhere: ReadonlySet<string>
  readonly linkedRegion: string | undefined
  /** Meters usage, and admits or throttles requests. */
  readonly capacity: Capacity
  readonly underWay = new WritesUnderWay()
  readonly requests: RequestMeter
  /** Reads the change logs of tables. */
  readonly logs: LogReader
  /** Reads what was metered. */
  readonly metrics: Metrics
  readonly #recorder: Recorder
  /** Exists if other servers may use the same tables. */
  readonly #exchange: CapacityExchange | undefined
  readonly #isMetered: boolean
  readonly #services: readonly Service[]
  readonly #onBackgroundError: (error: unknown) => void
  readonly #onMissingTable: EngineOptions['onMissingTable']
  readonly #lagging: LaggingStore | undefined
  readonly streamRetentionMs: number
  readonly dialect: Dialect
  readonly readResourcePolicy: ReadResourcePolicy

  private constructor(
    options: EngineOptions,
    clock: StoreClock,
    catalog: Catalog,
    backups: BackupCatalog,
    meters: Meters,
  ) {
    const { eventualConsistency } = options
    const steadyClock = { now: () => clock.steady() }
    this.#lagging = eventualConsistency && new LaggingStore(options.store, eventualConsistency, steadyClock)
    this.store = this.#lagging ?? options.store
    this.catalog = catalog
    this.backups = backups
    this.regions = new Regions(options.store, () => this.#rejoin())
    this.unsent = new UnsentChanges(options.store, () => clock.steady())
    this.regionsElsewhere = new Set(options.regionsElsewhere)
    this.linkedRegion = options.linkedRegion
    this.clock = clock
    this.randomness = options.randomness ?? systemRandomness
    this.#onMissingTable = options.onMissingTable
    this.#onBackgroundError = options.onBackgroundError ?? (() => undefined)
    this.background = new BackgroundWork(this.#onBackgroundError)
    this.#leased = new LeasedWork(
      this.background,
      new Leases(options.store, options.leaseMs ?? usualLeaseMs, randomUUID),
    )
    this.#isMetered = options.isMetered ?? true
    this.capacity = new Capacity(meters, clock, options.onWouldThrottle, this.#isMetered)
    this.requests = new RequestMeter(this.capacity, clock)
    const metricStore = new MetricStore(options.store, randomUUID())
    this.metrics = new RecordedMetrics(meters, metricStore, catalog, clock)
    this.#recorder = new Recorder(meters, metricStore, this)
    if (catalog.isShared && this.#isMetered) {
      this.#exchange = new CapacityExchange(options.store, meters, catalog, clock, randomBytes(8))
    }
    this.transfers = new Transfers(this, options.buckets)
    this.dialect = options.dialect ?? '2026'
    this.readResourcePolicy = options.readResourcePolicy ?? readUnknownPolicy
    this.streamRetentionMs = options.streamRetentionMs ?? 24 * 60 * 60 * 1000
    this.logs = logReader(this)
    const host = this.#serviceHost(options.store, options.throttling ?? 'measure')
    this.#services = (options.services ?? []).map((open) => open(host))
  }

  static async open(options: EngineOptions): Promise<Engine> {
    await checkFormat(options.store)
    const clock = await openClock(options)
    const catalog = await Catalog.load(options.store, clock)
    const meters = new Meters(clock, options.throttling ?? 'measure', await loadModels(options.store))
    const engine = new Engine(options, clock, catalog, await BackupCatalog.load(options.store), meters)
    await engine.regions.refresh()
    if (options.worksInBackground !== false) await engine.#resumeWork(options)
    return engine
  }

  knows(target: string, operation: string): boolean {
    return this.#operation(target, operation) !== undefined
  }

  /** Carries out one operation of the service's API. `body` may be any JSON value; what the service would reject is
   *  rejected with a ServiceError and the same message. Results and errors are returned synchronously if nothing
   *  needs to be awaited. `admit` is called first, and again whenever more becomes known about the tables. */
  execute(scope: Scope, target: string, operation: string, body: unknown, admit?: Admit): MaybePromise<unknown> {
    const run = this.#operation(target, operation)
    if (run === undefined) throw new ServiceError('UnknownOperationException', '')
    if (this.regions.isAnyDown && this.regions.isDown(scope.region)) throw regionIsDown()
    const start = (): MaybePromise<unknown> =>
      this.catalog.isShared
        ? this.#runCurrent(run, operation, scope, body, admit)
        : run(this, admit === undefined ? scope : admit(), body)
    // Requests of other services are not counted as DynamoDB's.
    if (!this.#isMetered || !target.startsWith('DynamoDB')) return start()
    return this.requests.meter(scope, operation, start)
  }

  /** Reads what other servers of a shared store have changed in the catalogs. */
  async refresh(): Promise<void> {
    const isShared = this.catalog.isShared
    await Promise.all([this.catalog.refresh(), this.backups.refresh(), isShared && this.regions.refresh()])
  }

  /** Reads again what it knows of the data, after that was set back to what it was. */
  async reload(): Promise<void> {
    this.unsent.forgetAll()
    await Promise.all([this.catalog.reload(), this.backups.reload(), this.regions.refresh()])
  }

  view<T>(consistent: boolean, read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return consistent || this.store.viewEventually === undefined
      ? this.store.view(read)
      : this.store.viewEventually(read)
  }

  /** What a read of items sees of a snapshot: all of it if the read is strongly consistent, and perhaps less
   *  otherwise. */
  seen(snapshot: Snapshot, consistent: boolean): Snapshot {
    return consistent || this.#lagging === undefined ? snapshot : this.#lagging.lagging(snapshot)
  }

  /** Whether requests can be served right now: all of them, some, or none. */
  async readiness(): Promise<Readiness> {
    try {
      await this.store.probe?.()
      const missing = await this.store.whatIsMissing?.()
      if (missing !== undefined) return { serves: 'some', sentence: missing }
      await checkFormat(this.store)
      return { serves: 'all' }
    } catch (error) {
      if (error instanceof StorageError) return { serves: 'none', sentence: error.message }
      throw error
    }
  }

  /** The table that an operation on items names. */
  requireTable(scope: Scope, tableName: string): Table {
    const table = this.catalog.find(scope, readTableName(scope, tableName))
    if (table === undefined) {
      this.reportMissing(scope, tableName)
      throw resourceNotFound()
    }
    // A table that is being restored, imported or deleted can be described, but its items cannot be read.
    const { status } = table.definition
    if (table.isRestoring || status === 'CREATING' || status === 'DELETING') throw resourceNotFound()
    this.requests.note(table)
    return table
  }

  /** If a table is missing here but exists elsewhere, the client usually has the wrong credentials or region. The
   *  response cannot say so, but the operator can be told. */
  reportMissing(scope: Scope, tableName?: string): void {
    if (this.#onMissingTable === undefined) return
    const elsewhere = this.catalog.scopesOf(tableName)
    if (elsewhere.length === 0) return
    this.#onMissingTable({ scope, elsewhere, ...(tableName !== undefined && { tableName }) })
  }

  /** Deletes expired items. This happens automatically, every few seconds. */
  expireItems(): Promise<Sweep> {
    return expireItems(this, { aborted: false })
  }

  /** Sends what has been written in replicas of global tables to the others. This happens automatically, several times a
   *  second. */
  async replicate(): Promise<void> {
    this.#leased.begin(wholeReplicationWork(this))
    await this.background.idle()
  }

  /** Strongly consistent replicas of a region that was healed need not wait until somebody looks. */
  async #rejoin(): Promise<void> {
    try {
      await rejoinAll(this, this.store, this.background.stopping)
    } catch (error) {
      this.#onBackgroundError(error)
    }
  }

  /** The writes that lost against others that had not seen them, oldest first: of one table, or of all. */
  conflicts(scope?: Scope, tableName?: string): Promise<readonly Conflict[]> {
    return readConflicts(this, scope, tableName)
  }

  /** What must still be sent between replicas, and how late it is. */
  replicationReport(): Promise<ReplicationReport> {
    return replicationReport(this)
  }

  /** Removes automatic backups that have been kept long enough. Runs every hour. */
  expireBackups(): Promise<void> {
    return expireBackups(this, { aborted: false })
  }

  /** Removes what is left of deleted tables and indexes, in the background. */
  purge(): void {
    this.begin(purgeWork(this.store))
  }

  /** Does `work` until it ends, unless another server of the store is doing it; returns whether it was done here. */
  hold(name: string, work: (lease: Lease) => Promise<void>): Promise<boolean> {
    return this.#leased.hold(name, this.background.stopping, work)
  }

  /** Runs some work in the background, unless another server is already doing it. */
  begin(work: UnfinishedWork): void {
    this.#leased.begin(work)
  }

  /** Tells the other servers of the store what this one is asked for, and learns it from them. This happens every
   *  second by itself. */
  async exchangeCapacity(): Promise<void> {
    await this.#exchange?.exchange()
  }

  async close(): Promise<void> {
    await this.background.stop()
    this.unsent.forgetAll()
    await this.#exchange?.leave().catch(this.#onBackgroundError)
    await this.#recorder.flush(this.clock.now(), true).catch(this.#onBackgroundError)
    await this.store.close()
  }

  /** Operations on tables use the current definitions. Operations on items use what was known a moment ago, except
   *  for writes, which verify it. An error may be due to a definition that another server has changed since, so it is
   *  only returned if there is no newer one. */
  async #runCurrent(
    run: RunOperation,
    operation: string,
    scope: Scope,
    body: unknown,
    admit: Admit = () => scope,
  ): Promise<unknown> {
    if (!itemOperations.has(operation)) await this.refresh()
    const { newsCount } = this.catalog
    try {
      return await run(this, admit(), body)
    } catch (error) {
      if (!(error instanceof ServiceError) || !refusalsOfDefinitions.has(error.code)) throw error
      await this.refresh()
      if (this.catalog.newsCount === newsCount) throw error
      // The news may concern a table that was unknown when the request was admitted.
      return run(this, admit(), body)
    }
  }

  async #resumeWork(options: EngineOptions): Promise<void> {
    const { expirySweepMs = 10_000, leaseMs = usualLeaseMs } = options
    const { background } = this
    await resumeWork({
      engine: this,
      background,
      leased: this.#leased,
      recorder: this.#recorder,
      expirySweepMs,
      replicationPauseMs: options.replicationPauseMs ?? (this.catalog.isShared ? 250 : 100),
      leaseMs,
      exchangeCapacity: this.#exchange && (() => this.exchangeCapacity()),
    })
    for (const service of this.#services) await service.begin?.()
  }

  /** Finds what carries out an operation. DynamoDB's own operations come first, because they are requested most. */
  #operation(target: string, operation: string): RunOperation | undefined {
    return ownOperations.get(target)?.get(operation) ?? this.#addedOperation(target, operation)
  }

  #addedOperation(target: string, operation: string): RunOperation | undefined {
    for (const service of this.#services) {
      const run = service.operations.get(target)?.get(operation)
      if (run !== undefined) return (_engine, scope, body) => run(scope, body)
    }
    return undefined
  }

  #serviceHost(store: Store, throttling: Throttling): ServiceHost {
    return {
      clock: this.clock,
      randomness: this.randomness,
      metrics: this.metrics,
      background: {
        stopping: this.background.stopping,
        run: (work) => this.background.run(work),
        every: (pauseMs, work) => this.background.every(pauseMs, work),
        everyLeased: (name, pauseMs, work) => this.#leased.every(name, pauseMs, work),
        hold: (name, stopping, work) => this.#leased.hold(name, stopping, work),
      },
      streams: streamReader(this),
      logs: this.logs,
      isShared: this.catalog.isShared,
      scopesOf: (tableName) => this.catalog.scopesOf(tableName),
      definitionOf: (scope, tableName) => this.catalog.find(scope, tableName)?.definition,
      records: (space) => new RecordSpace(store, space),
      transact: (keys, decide) => this.store.transact(keys, decide),
      view: (read) => store.view(read),
      newId: () => this.catalog.allocateId(),
      deleteRange: (range, stopping) => deleteRange(store, range, stopping),
      purge: () => this.purge(),
      throttling,
      execute: (scope, target, operation, input) => this.execute(scope, target, operation, input),
    }
  }
}

function regionIsDown(): ServiceError {
  return new ServiceError('ServiceUnavailable', 'The service is currently unavailable or busy.')
}
