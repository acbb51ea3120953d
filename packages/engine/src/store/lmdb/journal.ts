import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase, Transaction } from 'lmdb'
import { CheckpointFile } from './checkpoint-file.ts'
import { syncFile } from './file-writes.ts'
import { readMetaPages, restoreMetaPages, type MetaPages } from './meta-pages.ts'
import { RedoLog, type KeyChange } from './redo-log.ts'

type Database = RootDatabase<Buffer, Uint8Array>

/** Makes LMDB durable at the price of one sequential write a batch. LMDB itself commits without waiting for the disk: each of
 *  its commits would write some pages for every key, wherever in the file they happen to lie, and the more of them
 *  the larger the file is. Instead a batch is first written to the redo log; then it is committed to LMDB, and acknowledged.
 *
 *  From time to time a checkpoint brings the data file to disk: the meta pages of the moment are noted, the file is synced,
 *  and the note is written to the checkpoint file. A read transaction that is held from one checkpoint to the next keeps LMDB from using
 *  any page of the checkpoint for something else. So whatever later commits had reached the disk when the machine stopped,
 *  the noted meta pages find every page they need; the redo log has all that came after. */
export class Journal {
  readonly #log: RedoLog
  readonly #checkpoints: CheckpointFile
  readonly #checkpointEveryMs: number
  #data: number | undefined
  #lastBatch: number
  /** Keeps the pages of the latest checkpoint as they are. */
  #held: Transaction | undefined
  #checkpointing: Promise<void> | undefined
  #checkpointedAt = performance.now()
  #failure: unknown

  /** Takes the data file back to its latest checkpoint, unless it was closed in order. */
  constructor(folder: string, dataFile: string, checkpointEveryMs: number) {
    this.#checkpointEveryMs = checkpointEveryMs
    this.#log = RedoLog.open(folder)
    this.#checkpoints = new CheckpointFile(folder)
    const { latest } = this.#checkpoints
    this.#lastBatch = latest?.batch ?? 0
    if (latest === undefined) return
    if (!existsSync(dataFile)) throw new Error('data.mdb is missing')
    if (!latest.isClean) restoreMetaPages(dataFile, latest.metaPages)
  }

  /** Brings in what came after the checkpoint. */
  async recover(database: Database, folder: string, dataFile: string): Promise<void> {
    this.#data = openSync(dataFile, 'r')
    syncFolder(folder)
    for (const { batch, changes } of this.#log.batchesAfter(this.#lastBatch)) {
      database.transactionSync(() => applyChanges(database, changes))
      this.#lastBatch = batch
    }
    database.resetReadTxn()
    // From here on the file is marked as one that may have to be taken back.
    await this.#checkpoint(database, this.#data, false)
  }

  /** Settles when the batch is safe. */
  async append(changes: Iterable<KeyChange>): Promise<void> {
    if (this.#failure !== undefined)
      throw new Error('an earlier write did not reach the disk', { cause: this.#failure })
    await this.#log.append(this.#lastBatch + 1, changes)
    this.#lastBatch++
  }

  /** Why a checkpoint could not be made: what the disk holds is then not known, and no more is promised. Nor is another one
   *  made, since a sync that succeeds after one that failed need not have written what that one left. The redo log has it. */
  get failure(): unknown {
    return this.#failure
  }

  /** How long after a write the data file has it even if no other follows. */
  get idleMs(): number {
    return Math.min(this.#checkpointEveryMs, longestTimerMs)
  }

  get isCheckpointDue(): boolean {
    if (this.#checkpointing !== undefined) return this.#log.bytes > tooManyBytes
    return this.#log.bytes > dueAfterBytes || performance.now() - this.#checkpointedAt > this.#checkpointEveryMs
  }

  /** Begins a checkpoint, and waits for its end only if the disk cannot keep up. To be called when everything that was appended is
   *  in LMDB, and nothing is on its way there. */
  async checkpoint(database: Database): Promise<void> {
    if (this.#log.bytes > tooManyBytes) await this.#checkpointing
    if (this.#failure !== undefined) return
    if (this.#checkpointing !== undefined || this.#log.bytes === 0 || this.#data === undefined) return
    this.#checkpointing = this.#checkpoint(database, this.#data, false)
      .catch((error: unknown) => {
        this.#failure = error
      })
      .finally(() => {
        this.#checkpointing = undefined
      })
  }

  async close(database: Database): Promise<void> {
    await this.#checkpointing
    if (this.#data !== undefined) {
      if (this.#failure === undefined) await this.#checkpoint(database, this.#data, true)
      closeSync(this.#data)
    }
    this.#held?.done()
    this.#log.close()
    this.#checkpoints.close()
  }

  async #checkpoint(database: Database, data: number, isClean: boolean): Promise<void> {
    const batch = this.#lastBatch
    // The transaction that reads share may be older than the last commit.
    database.resetReadTxn()
    const held = database.useReadTransaction()
    try {
      const metaPages: MetaPages = readMetaPages(data)
      this.#log.switchFile()
      this.#checkpointedAt = performance.now()
      await syncFile(data)
      await this.#checkpoints.write({ batch, metaPages, isClean })
    } catch (error) {
      held.done()
      throw error
    }
    this.#held?.done()
    this.#held = held
  }
}

/** Writes a batch's changes, within a transaction of LMDB. */
export function applyChanges(database: Database, changes: Iterable<KeyChange>): void {
  for (const { key, value } of changes) {
    if (value === undefined) database.removeSync(key)
    else database.putSync(key, value)
  }
}

/** What lies between two checkpoints is read again after a crash. */
const dueAfterBytes = 16 * 1024 * 1024
const longestTimerMs = 2 ** 31 - 1
const tooManyBytes = 128 * 1024 * 1024

/** The names of new files must be on disk as well as the files. Not every system can. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(join(folder), 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
