import type { Stopping } from '../background/background-work.ts'
import type { Table } from '../catalog/table.ts'
import type { Engine } from '../engine.ts'
import { BucketError, type Buckets } from './buckets.ts'
import type { ExportJob } from './export-job.ts'
import type { ImportCounts, ImportJob } from './import-job.ts'
import { noImportCounts } from './import-job.ts'
import { JobStore } from './job-store.ts'
import type { ImportRun } from './run-import.ts'
import { jobsKeptMs, type TransferFailure, type TransferJob } from './transfer-job.ts'

/** Exports and imports: work in the background that is remembered before it begins, and begun anew by the next process if
 *  this one does not end it. */
export class Transfers {
  readonly exports: JobStore<ExportJob>
  readonly imports: JobStore<ImportJob>
  readonly #engine: Engine
  readonly #buckets: Buckets | undefined
  readonly #importing = new Map<string, ImportRun>()

  constructor(engine: Engine, buckets: Buckets | undefined) {
    this.#engine = engine
    this.#buckets = buckets
    this.exports = new JobStore(engine.store, 'export')
    this.imports = new JobStore(engine.store, 'import')
  }

  startExport(job: ExportJob): void {
    this.#engine.background.run(async (stopping) => {
      const done = await this.#attempt(stopping, async () => {
        // Few databases are ever exported: what it takes is loaded when one is.
        const { runExport } = await import('./run-export.ts')
        const result = await runExport(this.#engine, this.#requireBuckets(), this.#requireTable(job), job, stopping)
        return { ...job, result }
      })
      if (done !== undefined) await this.exports.replace(this.#ended(job, done))
    })
  }

  startImport(job: ImportJob): void {
    this.#engine.background.run(async (stopping) => {
      const done = await this.#attempt(stopping, () => this.#import(job, stopping))
      if (done === undefined) return
      const ending = this.#ended(job, done)
      await this.imports.replace({ ...job, ending })
      await this.#finishImport(ending)
    })
  }

  /** How far an import that is under way has come. */
  progressOf(id: string): ImportCounts | undefined {
    return this.#importing.get(id)?.counts
  }

  /** Takes up what the last process left, and forgets what nobody can ask for any more. */
  async resume(): Promise<void> {
    const forgottenBefore = this.#engine.clock.now() - jobsKeptMs
    for (const job of await this.exports.all()) {
      if (job.status === 'IN_PROGRESS') this.startExport(job)
      else if (job.startedAtMs < forgottenBefore) await this.exports.remove(job)
    }
    for (const job of await this.imports.all()) {
      if (job.ending !== undefined) await this.#finishImport(job.ending)
      else if (job.status === 'IN_PROGRESS') this.startImport({ ...job, counts: noImportCounts })
      else if (job.startedAtMs < forgottenBefore) await this.imports.remove(job)
    }
  }

  async #import(job: ImportJob, stopping: Stopping): Promise<ImportJob> {
    const { ImportRun } = await import('./run-import.ts')
    const run = new ImportRun(this.#engine, this.#requireBuckets(), this.#requireTable(job), job)
    this.#importing.set(job.id, run)
    await run.run(stopping)
    const { counts } = run
    return counts.errors === 0 ? { ...job, counts } : { ...job, counts, failure: invalidItems }
  }

  /** An import that is complete has left a table that can be used, or no table if nothing could be read. */
  async #finishImport(ended: ImportJob): Promise<void> {
    const table = this.#tableOf(ended)
    if (table !== undefined) {
      if (ended.failure !== undefined && ended.counts.processedItems === 0) {
        await this.#engine.catalog.drop(table)
        this.#engine.purge()
      } else {
        await this.#engine.catalog.change(table, (definition) => ({ ...definition, status: 'ACTIVE' }))
      }
    }
    await this.imports.replace(ended)
    this.#importing.delete(ended.id)
  }

  /** Nothing if the database is being closed: the next process begins anew. */
  async #attempt<Job extends TransferJob>(
    stopping: Stopping,
    work: () => Promise<Job>,
  ): Promise<Job | TransferFailure | undefined> {
    try {
      return await work()
    } catch (error) {
      return stopping.aborted ? undefined : failureOf(error)
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
      'The specified bucket does not exist: this database was opened without buckets. Give it some, for example with hashrange start --buckets DIR.',
    )
  }
}

class TransferStopped extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

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
