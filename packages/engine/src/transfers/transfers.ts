import { LeaseLost, type Lease } from '../work/leases.ts'
import type { UnfinishedWork } from '../work/unfinished-work.ts'
import { progressEnd } from '../work/work-progress.ts'
import type { Table } from '../catalog/table.ts'
import { CutMustWait } from '../cuts/cut-definition.ts'
import type { TransferHost } from './transfer-host.ts'
import { StorageError } from '../store/storage-error.ts'
import { BucketError, type Buckets } from './buckets.ts'
import type { ExportJob } from './export-job.ts'
import { noImportCounts, type ImportCounts, type ImportJob } from './import-job.ts'
import { JobStore } from './job-store.ts'
import type { ImportRun } from './run-import.ts'
import { jobsKeptMs, TransferStopped, type TransferFailure, type TransferJob } from './transfer-job.ts'

/** Exports and imports: work in the background that is remembered before it begins, and begun anew by the next process if
 *  this one does not end it. */
export class Transfers {
  readonly exports: JobStore<ExportJob>
  readonly imports: JobStore<ImportJob>
  readonly #engine: TransferHost
  readonly #buckets: Buckets | undefined
  readonly #importing = new Map<string, ImportRun>()

  constructor(engine: TransferHost, buckets: Buckets | undefined) {
    this.#engine = engine
    this.#buckets = buckets
    this.exports = new JobStore(engine.store, engine.clock, 'export')
    this.imports = new JobStore(engine.store, engine.clock, 'import')
  }

  startExport(job: ExportJob): void {
    this.#engine.begin(this.#exportWork(job))
  }

  startImport(job: ImportJob): void {
    this.#engine.begin(this.#importWork(job))
  }

  /** How far an import that is under way has come. */
  progressOf(id: string): ImportCounts | undefined {
    return this.#importing.get(id)?.counts
  }

  /** What was begun, here or by a process that has ended since. */
  async unfinished(): Promise<readonly UnfinishedWork[]> {
    const exports = (await this.exports.all()).filter(({ status }) => status === 'IN_PROGRESS')
    const imports = (await this.imports.all()).filter((job) => job.status === 'IN_PROGRESS' && !this.#isBegun(job))
    return [
      ...exports.map((job) => this.#exportWork(job)),
      ...imports.map((job) => this.#importWork({ ...job, counts: noImportCounts })),
    ]
  }

  /** Forgets what nobody can ask for any more. */
  async forgetOld(): Promise<void> {
    const before = this.#engine.clock.settled() - jobsKeptMs
    const isOld = ({ status, startedAtMs }: TransferJob): boolean =>
      status !== 'IN_PROGRESS' && startedAtMs < before
    for (const job of (await this.exports.all()).filter(isOld)) await this.exports.remove(job)
    for (const job of (await this.imports.all()).filter(isOld)) await this.imports.remove(job)
  }

  #exportWork(job: ExportJob): UnfinishedWork {
    return {
      name: `export ${job.id}`,
      run: async (lease) => {
        await this.#engine.refresh()
        const stored = await this.exports.get(job, job.id)
        if (stored?.status !== 'IN_PROGRESS') return
        const begun = await this.#withCut(stored, lease)
        const done = await this.#attempt(lease, async () => {
          // Few databases are ever exported: what it takes is loaded when one is.
          const { runExport } = await import('./run-export.ts')
          const table = this.#requireTable(begun)
          const result = await runExport(this.#engine, this.#requireBuckets(), table, begun, lease)
          return { ...begun, result }
        })
        if (done !== undefined) await this.#finishExport(this.#ended(begun, done), lease)
      },
    }
  }

  /** The export knows of its cut before there is one: whoever ends the export ends the cut. */
  async #withCut(job: ExportJob, lease: Lease): Promise<ExportJob> {
    const table = this.#tableOf(job)
    if (job.cut !== undefined || table === undefined) return job
    const begun = { ...job, cut: { id: await this.#engine.catalog.allocateId(), tableId: table.id } }
    await this.exports.replace(begun, lease)
    return begun
  }

  async #finishExport({ cut, ...ended }: ExportJob, lease: Lease): Promise<void> {
    if (cut === undefined) {
      await this.exports.replace(ended, lease)
      return
    }
    const writes = [this.exports.writeOf(ended), progressEnd(cut.id)]
    await this.#engine.catalog.endCut(cut.tableId, cut.id, lease, writes)
    this.#engine.purge()
  }

  #importWork(job: ImportJob): UnfinishedWork {
    return {
      name: `import ${job.id}`,
      run: async (lease) => {
        await this.#engine.refresh()
        const stored = await this.imports.get(job, job.id)
        if (stored?.status !== 'IN_PROGRESS') return
        if (stored.ending !== undefined) {
          await this.#finishImport(stored.ending, lease)
          return
        }
        const done = await this.#attempt(lease, () => this.#import(job, lease))
        if (done === undefined) return
        const ending = this.#ended(job, done)
        await this.imports.replace({ ...job, ending }, lease)
        await this.#finishImport(ending, lease)
      },
    }
  }

  /** Where servers share a store, another may be about to make the import's table. */
  #isBegun({ tableUuid, startedAtMs }: ImportJob): boolean {
    const { catalog, clock } = this.#engine
    return catalog.isShared && tableUuid === '' && clock.now() - startedAtMs < 60_000
  }

  async #import(job: ImportJob, lease: Lease): Promise<ImportJob> {
    const { ImportRun } = await import('./run-import.ts')
    const run = new ImportRun(this.#engine, this.#requireBuckets(), this.#requireTable(job), job)
    this.#importing.set(job.id, run)
    await run.run(lease)
    const { counts } = run
    return counts.errors === 0 ? { ...job, counts } : { ...job, counts, failure: invalidItems }
  }

  /** An import that is complete has left a table that can be used, or no table if nothing could be read. */
  async #finishImport(ended: ImportJob, lease: Lease): Promise<void> {
    const table = this.#tableOf(ended)
    if (table !== undefined) {
      if (ended.failure !== undefined && ended.counts.processedItems === 0) {
        await this.#engine.catalog.drop(table)
        this.#engine.purge()
      } else {
        await this.#engine.catalog.change(table, (definition) => ({ ...definition, status: 'ACTIVE' }))
      }
    }
    await this.imports.replace(ended, lease)
    this.#importing.delete(ended.id)
  }

  /** Nothing if the database is being closed: the next process begins anew. */
  async #attempt<Job extends TransferJob>(
    lease: Lease,
    work: () => Promise<Job>,
  ): Promise<Job | TransferFailure | undefined> {
    try {
      return await work()
    } catch (error) {
      // Whatever the store cannot do just now can be done later.
      if (error instanceof LeaseLost || error instanceof CutMustWait || isPassing(error)) throw error
      return lease.aborted ? undefined : failureOf(error)
    }
  }

  #ended<Job extends TransferJob>(job: Job, done: Job | TransferFailure): Job {
    const endedAtMs = Math.max(this.#engine.clock.now(), job.startedAtMs + 1)
    if ('code' in done) {
      const counts = this.progressOf(job.id)
      return { ...job, ...(counts && { counts }), status: 'FAILED', endedAtMs, failure: done }
    }
    return { ...done, status: done.failure === undefined ? 'COMPLETED' : 'FAILED', endedAtMs }
  }

  #tableOf(job: TransferJob): Table | undefined {
    const table = this.#engine.catalog.find(job, job.tableName)
    return table?.definition.tableUuid === job.tableUuid ? table : undefined
  }

  #requireTable(job: TransferJob): Table {
    const table = this.#tableOf(job)
    if (table === undefined) throw new TransferStopped('TableNotFound', `Table not found: ${job.tableName}`)
    return table
  }

  #requireBuckets(): Buckets {
    if (this.#buckets !== undefined) return this.#buckets
    throw new BucketError(
      'NoSuchBucket',
      'The specified bucket does not exist: this database was opened without buckets.',
    )
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof StorageError && passingCodes.has(error.code)
}

/** A disk that is full, too, is not so for ever. */
const passingCodes: ReadonlySet<string> = new Set(['unavailable', 'contended', 'io'])

const invalidItems: TransferFailure = {
  code: 'ItemValidationError',
  message:
    'Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details.',
}

function failureOf(error: unknown): TransferFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof BucketError) return { code: `S3${error.code}`, message }
  if (error instanceof TransferStopped) return { code: error.code, message }
  return { code: 'InternalServerError', message }
}
