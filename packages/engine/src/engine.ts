import { randomUUID } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import type { Dialect } from './api/dialect.ts'
import { operationsByTarget } from './api/operations.ts'
import { BackgroundWork, type Stopping } from './background/background-work.ts'
import { BackupCatalog } from './backups/backup-catalog.ts'
import { backupArn, type BackupDefinition } from './backups/backup-definition.ts'
import { buildIndex } from './background/build-index.ts'
import type { EngineOptions } from './engine-options.ts'
import { expireItems, type Sweep } from './background/expire-items.ts'
import { fillExpiries } from './background/fill-expiries.ts'
import { growPartitions } from './capacity/grow-partitions.ts'
import { forgetTokens } from './background/forget-tokens.ts'
import { Leases } from './background/leases.ts'
import { expireBackups } from './background/take-backup.ts'
import { rollOverShards, splitHotShards } from './background/replace-shards.ts'
import { trimChangeLogs } from './background/trim-change-log.ts'
import {
  backupWork,
  purgeWork,
  restoreWork,
  unfinishedWork,
  type UnfinishedWork,
} from './background/unfinished-work.ts'
import { Capacity } from './capacity/capacity.ts'
import { Catalog, resourceNotFound } from './catalog/catalog.ts'
import { itemOperations, refusalsOfDefinitions } from './catalog/stale-definitions.ts'
import type { Table } from './catalog/table.ts'
import { LaggingStore } from './consistency/lagging-store.ts'
import { CutMustWait } from './cuts/cut-definition.ts'
import { countsKey } from './layout/key-space.ts'
import { checkFormat } from './layout/check-format.ts'
import { Meters } from './metering/meters.ts'
import type { Metrics } from './metering/metrics.ts'
import { MetricStore } from './metering/metric-store.ts'
import { RecordedMetrics } from './metering/recorded-metrics.ts'
import { Recorder } from './metering/recorder.ts'
import { loadModels } from './metering/stored-models.ts'
import { RequestMeter } from './metering/request-meter.ts'
import { operations, type RunOperation } from './operations/index.ts'
import { systemRandomness, type Randomness } from './randomness.ts'
import { RecordSpace } from './records/record-space.ts'
import type { Scope } from './scope.ts'
import type { Service } from './services/service.ts'
import type { ServiceHost } from './services/service-host.ts'
import { decodeCounters } from './store/counters.ts'
import { StorageError } from './store/storage-error.ts'
import type { MaybePromise, Snapshot, Store } from './store/store.ts'
import { readTableName } from './tables/read-table-name.ts'
import { openClock } from './time/open-clock.ts'
import type { StoreClock } from './time/store-clock.ts'
import { tokensExpireBy } from './transactions/client-token.ts'
import { Transfers } from './transfers/transfers.ts'

/** What can be asked for of DynamoDB under each target: the API's operations that have an implementation. */
const ownOperations: ReadonlyMap<string, ReadonlyMap<string, RunOperation>> = new Map(
  Object.entries(operationsByTarget).map(([target, names]) => [target, implemented(names)]),
)

function implemented(names: readonly string[]): ReadonlyMap<string, RunOperation> {
  return new Map([...operations].filter(([name]) => names.includes(name)))
}

export interface Counts {
  readonly items: number
  readonly bytes: number
}

/** The database without its wire. */
export class Engine {
  readonly store: Store
  readonly catalog: Catalog
  readonly clock: StoreClock
  readonly randomness: Randomness
  readonly background: BackgroundWork
  readonly #leases: Leases
  readonly #leaseMs: number
  readonly transfers: Transfers
  readonly backups: BackupCatalog
  /** Meters what is used, and lets requests in or not. */
  readonly capacity: Capacity
  readonly requests: RequestMeter
  /** What was metered, to be read. */
  readonly metrics: Metrics
  readonly #recorder: Recorder
  readonly #isMetered: boolean
  readonly #services: readonly Service[]
  readonly #onBackgroundError: (error: unknown) => void
  readonly #expirySweepMs: number
  readonly #onMissingTable: EngineOptions['onMissingTable']
  readonly #lagging: LaggingStore | undefined
  readonly streamRetentionMs: number
  readonly dialect: Dialect

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
    this.#expirySweepMs = options.expirySweepMs ?? 10_000
    this.clock = clock
    this.randomness = options.randomness ?? systemRandomness
    this.#onMissingTable = options.onMissingTable
    this.#leaseMs = options.leaseMs ?? 10_000
    this.#leases = new Leases(options.store, this.#leaseMs, randomUUID)
    this.#onBackgroundError = options.onBackgroundError ?? (() => undefined)
    this.background = new BackgroundWork(this.#onBackgroundError)
    this.#isMetered = options.isMetered ?? true
    this.capacity = new Capacity(meters, clock, options.onWouldThrottle, this.#isMetered)
    this.requests = new RequestMeter(this.capacity, clock)
    const metricStore = new MetricStore(options.store, randomUUID())
    this.metrics = new RecordedMetrics(meters, metricStore, catalog, clock)
    this.#recorder = new Recorder(meters, metricStore, this)
    this.transfers = new Transfers(this, options.buckets)
    this.dialect = options.dialect ?? '2026'
    this.streamRetentionMs = options.streamRetentionMs ?? 24 * 60 * 60 * 1000
    const host = this.#serviceHost(options.store)
    this.#services = (options.services ?? []).map((open) => open(host))
  }

  static async open(options: EngineOptions): Promise<Engine> {
    await checkFormat(options.store)
    const clock = await openClock(options)
    const catalog = await Catalog.load(options.store, clock)
    const meters = new Meters(clock, options.throttling ?? 'measure', await loadModels(options.store))
    const engine = new Engine(options, clock, catalog, await BackupCatalog.load(options.store), meters)
    await engine.#resumeBackgroundWork()
    return engine
  }

  knows(target: string, operation: string): boolean {
    return this.#operation(target, operation) !== undefined
  }

  /** Carries out one operation of the service's API. `body` may be anything that JSON can say; what the service would
   *  refuse is refused with a ServiceError in its words. Both the answer and the refusal come at once where nothing is to
   *  be waited for. */
  execute(scope: Scope, target: string, operation: string, body: unknown): MaybePromise<unknown> {
    const run = this.#operation(target, operation)
    if (run === undefined) throw new ServiceError('UnknownOperationException', '')
    const start = (): MaybePromise<unknown> =>
      this.catalog.isShared ? this.#runCurrent(run, operation, scope, body) : run(this, scope, body)
    // Other services' requests are not DynamoDB's.
    if (!this.#isMetered || !target.startsWith('DynamoDB')) return start()
    return this.requests.meter(scope, operation, start)
  }

  /** Learns what other servers of a shared store have changed in the catalogs. */
  async refresh(): Promise<void> {
    await Promise.all([this.catalog.refresh(), this.backups.refresh()])
  }

  /** What a read of items sees of a snapshot: all of it if it is strongly consistent, and otherwise perhaps less. */
  seen(snapshot: Snapshot, consistent: boolean): Snapshot {
    return consistent || this.#lagging === undefined ? snapshot : this.#lagging.lagging(snapshot)
  }

  /** Why requests cannot be served just now; nothing if they can. */
  async whyNotReady(): Promise<string | undefined> {
    try {
      await this.store.probe?.()
      await checkFormat(this.store)
      return undefined
    } catch (error) {
      if (error instanceof StorageError) return error.message
      throw error
    }
  }

  /** The table that an operation on items names. */
  requireTable(scope: Scope, tableName: string): Table {
    const table = this.catalog.find(scope, readTableName(scope, tableName))
    if (table === undefined) {
      this.tellOfMissing(scope, tableName)
      throw resourceNotFound()
    }
    // A table that is being restored or imported can be described, but its items are not to be seen yet.
    if (table.isRestoring || table.definition.status === 'CREATING') throw resourceNotFound()
    this.requests.note(table)
    return table
  }

  async counts(id: number): Promise<Counts> {
    const value = await this.store.view((snapshot) => snapshot.get(countsKey(id)))
    const [items = 0, bytes = 0] = decodeCounters(value)
    return { items, bytes }
  }

  /** A table that is missing here but exists elsewhere is mostly a client with other credentials, or another region, than
   *  it thinks: the answer cannot say so, the operator can be told. */
  tellOfMissing(scope: Scope, tableName: string): void {
    if (this.#onMissingTable === undefined) return
    const elsewhere = this.catalog.scopesOf(tableName)
    if (elsewhere.length > 0) this.#onMissingTable({ scope, tableName, elsewhere })
  }

  /** Fills a new index in the background, then sets it ACTIVE. */
  buildIndex(table: Table, indexId: number): void {
    this.begin({ name: `index ${indexId}`, run: (lease) => buildIndex(this, table, indexId, lease) })
  }

  /** Adds the expiries of the items that a table has when its time to live is turned on, in the background. */
  fillExpiries(table: Table, expiryIndexId: number): void {
    this.begin({
      name: `expiries ${expiryIndexId}`,
      run: (lease) => fillExpiries(this, table, expiryIndexId, lease),
    })
  }

  /** Removes the items whose time has come. This happens by itself, every few seconds. */
  expireItems(): Promise<Sweep> {
    return expireItems(this, { aborted: false })
  }

  /** Copies a backup's items, in the background. */
  takeBackup(backup: BackupDefinition): void {
    this.begin(backupWork(this, backup))
  }

  /** Brings a restored table's items in, in the background. */
  restoreTable(table: Table): void {
    this.begin(restoreWork(this, table))
  }

  /** Removes the backups that were made by themselves and have been kept for long enough. Happens every hour. */
  expireBackups(): Promise<void> {
    return expireBackups(this, { aborted: false })
  }

  isRestoringFrom(backup: BackupDefinition): boolean {
    const arn = backupArn(backup)
    for (const { definition } of this.catalog.all()) {
      const source = definition.restore?.source
      if (source?.kind === 'backup' && source.backupArn === arn) return true
    }
    return false
  }

  /** Removes what is left of dropped tables and indexes, in the background. */
  purge(): void {
    this.begin(purgeWork(this))
  }

  /** Does some work in the background, unless another server does it already. */
  begin({ name, run }: UnfinishedWork): void {
    this.background.run(async (stopping) => {
      try {
        await this.#leases.hold(name, stopping, run)
      } catch (error) {
        if (!(error instanceof CutMustWait)) throw error
      }
    })
  }

  async close(): Promise<void> {
    await this.background.stop()
    await this.#recorder.flush(this.clock.now(), true).catch(this.#onBackgroundError)
    await this.store.close()
  }

  /** What is about tables is done with what is known of them now. What is about items goes on with what was known a moment ago,
   *  but for writes, which verify it; a refusal may come from a definition that another server has changed since, and is
   *  given only if there is none. */
  async #runCurrent(run: RunOperation, operation: string, scope: Scope, body: unknown): Promise<unknown> {
    if (!itemOperations.has(operation)) await this.refresh()
    const { newsCount } = this.catalog
    try {
      return await run(this, scope, body)
    } catch (error) {
      if (!(error instanceof ServiceError) || !refusalsOfDefinitions.has(error.code)) throw error
      await this.refresh()
      if (this.catalog.newsCount === newsCount) throw error
      return run(this, scope, body)
    }
  }

  async #resumeBackgroundWork(): Promise<void> {
    for (const work of await unfinishedWork(this)) this.begin(work)
    await this.transfers.forgetOld()
    if (this.catalog.isShared) this.background.every(catalogRefreshMs, () => this.#refreshQuietly())
    this.#takeUpWork()
    this.#every('expiry', this.#expirySweepMs, async (stopping) => {
      await expireItems(this, stopping)
    })
    this.#every('backups', 60 * 60_000, (stopping) => expireBackups(this, stopping))
    this.#every('old transfers', 60 * 60_000, () => this.transfers.forgetOld())
    this.#every('tokens', 60_000, (stopping) => forgetTokens(this.store, tokensExpireBy(this.clock), stopping))
    this.background.every(1_000, () => this.clock.tick())
    this.background.every(1_000, () => splitHotShards(this))
    this.background.every(10_000, () => this.#recorder.flush(this.clock.now()))
    this.background.every(60_000, () => growPartitions(this))
    this.#every('metrics', 60 * 60_000, (stopping) => this.#recorder.trim(this.clock.settled(), stopping))
    this.#every('change log', 60_000, async (stopping) => {
      await rollOverShards(this, stopping)
      await trimChangeLogs(this, stopping)
    })
    for (const service of this.#services) await service.begin?.()
  }

  /** What carries an operation out: DynamoDB's own is found first, because it is what is asked for. */
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

  #serviceHost(store: Store): ServiceHost {
    return {
      clock: this.clock,
      randomness: this.randomness,
      metrics: this.metrics,
      background: {
        run: (work) => this.background.run(work),
        every: (pauseMs, work) => this.background.every(pauseMs, work),
        everyLeased: (name, pauseMs, work) => this.#every(name, pauseMs, work),
      },
      isShared: this.catalog.isShared,
      definitionOf: (scope, tableName) => this.catalog.find(scope, tableName)?.definition,
      records: (space) => new RecordSpace(store, space),
      transact: (keys, decide) => this.store.transact(keys, decide),
      execute: (scope, target, operation, input) => this.execute(scope, target, operation, input),
    }
  }

  /** Work that comes again and again, and that one server does at a time. */
  #every(name: string, pauseMs: number, work: (stopping: Stopping) => Promise<void>): void {
    this.background.every(pauseMs, async (stopping) => {
      await this.#leases.hold(name, stopping, work)
    })
  }

  /** Looks for work that nobody does any more: its server has gone, or it failed, as when the disk was full. What is new may be about
   *  to be begun: it is taken up when it is seen again. */
  #takeUpWork(): void {
    let seenBefore = new Set<string>()
    this.background.every(this.#leaseMs / 2, async () => {
      await this.refresh()
      const left = await unfinishedWork(this)
      for (const work of left) {
        if (seenBefore.has(work.name) && !this.#leases.isHeld(work.name)) this.begin(work)
      }
      seenBefore = new Set(left.map(({ name }) => name))
    })
  }

  /** Requests tell of a store that is out of reach; there is no need to do so four times a second. */
  async #refreshQuietly(): Promise<void> {
    try {
      await this.refresh()
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
    }
  }
}

/** How long other servers of a shared store may not know of a change to a table, at most, but for writes, which always do. */
const catalogRefreshMs = 250
