import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open, type RangeOptions, type RootDatabase, type Transaction } from 'lmdb'
import { makeDataFolder } from './data-folder.ts'
import { lockFolder, type FolderLock } from './folder-lock.ts'
import { Batch, lastSequenceKey, type Outcome } from './lmdb/batch.ts'
import { applyChanges, Journal } from './lmdb/journal.ts'
import { checkLmdbFile } from './lmdb/meta-pages.ts'
import type { KeyChange } from './lmdb/redo-log.ts'
import { decodeSequence } from './sequence.ts'
import { StorageError } from './storage-error.ts'
import type { Decision, Key, MaybePromise, OpenSnapshot, Range, Snapshot, Store, Value } from './store.ts'

export type LmdbOptions = DiskOptions | { readonly memory: true }

export interface DiskOptions {
  readonly path: string
  /** How often what was written is brought from the redo log to the data file, at the most. The file grows by the pages
   *  that are replaced meanwhile; a longer time saves writes, a shorter one space. */
  readonly checkpointEveryMs?: number
}

/** Opens the embedded store: one file in the folder `path`, or one that nobody else can see and that is gone with the
 *  process. With a path, a transaction is acknowledged only when its commit is on disk. */
export async function openLmdbStore(options: LmdbOptions): Promise<Store> {
  if ('memory' in options) return openInMemory()
  const { path } = options
  makeDataFolder(path)
  const lock = lockFolder(path)
  try {
    const file = join(path, 'data.mdb')
    const journal = new Journal(path, file, options.checkpointEveryMs ?? 200)
    checkLmdbFile(file)
    const environment = openEnvironment(file)
    await journal.recover(environment, path, file)
    return new LmdbStore(environment, lock, journal)
  } catch (cause) {
    lock.release()
    throw damagedOrUnreadable(path, cause)
  }
}

function openInMemory(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const environment = openEnvironment(join(folder, 'data.mdb'))
  // An open file outlives its name, so nothing is left behind even after a crash.
  if (process.platform === 'win32') process.once('exit', remove)
  else remove()
  return new LmdbStore(environment, { release: remove }, undefined)
}

function openEnvironment(file: string): RootDatabase<Buffer, Uint8Array> {
  return open<Buffer, Uint8Array>({
    path: file,
    noSubdir: true,
    keyEncoder: { writeKey: writeBytes, readKey: copyOf },
    encoder: { encode: (value: Uint8Array) => value, decode: (source: Buffer) => copyOf(source, 0, source.length) },
    mapSize: addressSpaceBytes(),
    maxReaders: 126,
    // The journal, where there is one, sees to it that what is acknowledged is on disk.
    noSync: true,
    overlappingSync: false,
    // There is one transaction at a time, and nothing beside it that could share its commit.
    eventTurnBatching: false,
  })
}

/** LMDB's reads go through one buffer that the next read overwrites. Its own copying (`encoding: 'binary'`) allocates
 *  memory for each value; a part of a slab that many share costs a third. A slab lives as long as any part of it. */
function copyOf(source: Uint8Array, start: number, end: number): Buffer {
  const length = end - start
  // The shared buffer's own methods do not work: lmdb overrides its length.
  const bytes = new Uint8Array(source.buffer, source.byteOffset + start, length)
  if (length > slabBytes / 8) return Buffer.from(bytes)
  if (slabUsed + length > slabBytes) {
    slab = Buffer.allocUnsafeSlow(slabBytes)
    slabUsed = 0
  }
  const copy = slab.subarray(slabUsed, slabUsed + length)
  slabUsed += length
  copy.set(bytes)
  return copy
}

const slabBytes = 64 * 1024
let slab = Buffer.allocUnsafeSlow(slabBytes)
let slabUsed = 0

function writeBytes(key: Uint8Array, target: Uint8Array, start: number): number {
  target.set(key, start)
  return start + key.length
}

/** Address space set aside for the map; the file grows only with what is stored. Where the system limits a process's
 *  address space, the map begins small and grows with the data. */
function addressSpaceBytes(): number {
  try {
    const limited = !/^Max address space +unlimited/m.test(readFileSync('/proc/self/limits', 'utf8'))
    if (limited) return 2 ** 30
  } catch {
    // Only Linux tells.
  }
  return process.platform === 'win32' ? 2 ** 30 : 2 ** 40
}

function damagedOrUnreadable(path: string, cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (/EACCES|EPERM|Permission denied|read-only/i.test(reason)) {
    return new StorageError(
      'not-writable',
      `The data folder ${path} is not writable. Fix its permissions or choose another with --path.`,
      cause,
    )
  }
  return new StorageError(
    'damaged',
    `The data in ${path} cannot be opened (${reason}). Nothing was changed. Restore the whole folder from a copy, or start with another --path.`,
    cause,
  )
}

interface Pending {
  readonly keys: readonly Key[]
  readonly decide: (values: readonly (Value | undefined)[]) => Decision<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

class LmdbStore implements Store {
  readonly #database: RootDatabase<Buffer, Uint8Array>
  readonly #lock: FolderLock
  readonly #journal: Journal | undefined
  readonly #snapshot: LmdbSnapshot
  #pending: Pending[] = []
  #lastSequence: bigint
  /** The batch that is being brought into LMDB, as long as reads do not show it yet. */
  #unapplied: Batch | undefined
  #committing: Promise<void> | undefined
  #checkpointTimer: NodeJS.Timeout | undefined
  /** Set when a batch is in the redo log that could not be brought into LMDB: only opening the store anew helps. */
  #broken: StorageError | undefined
  #closed = false

  constructor(database: RootDatabase<Buffer, Uint8Array>, lock: FolderLock, journal: Journal | undefined) {
    this.#database = database
    this.#lock = lock
    this.#journal = journal
    this.#snapshot = new LmdbSnapshot(database)
    const stored = database.get(lastSequenceKey)
    this.#lastSequence = stored === undefined ? 0n : decodeSequence(stored)
  }

  /** LMDB's reads are synchronous, and the read transaction they share is renewed between turns of the event loop only:
   *  what one `view` reads without waiting for I/O comes from one snapshot. */
  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    if (this.#closed) throw new StorageError('io', 'The store is closed.')
    return read(this.#snapshot)
  }

  openSnapshot(): OpenSnapshot {
    if (this.#closed) throw new StorageError('io', 'The store is closed.')
    return new LmdbSnapshot(this.#database, this.#database.useReadTransaction())
  }

  transact<T>(keys: readonly Key[], decide: (values: readonly (Value | undefined)[]) => Decision<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageError('io', 'The store is closed.'))
    return new Promise<T>((resolve, reject) => {
      this.#pending.push({ keys, decide, resolve: resolve as (answer: unknown) => void, reject })
      this.#committing ??= this.#commitPending()
    })
  }

  probe(): Promise<void> {
    const reason = this.#whyBroken()
    return reason === undefined ? Promise.resolve() : Promise.reject(reason)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#checkpointTimer)
    await this.#committing
    await this.#journal?.close(this.#database)
    await this.#database.close()
    this.#lock.release()
  }

  /** Group commit: whatever arrives while one batch is being written to disk shares the next one. While a batch is being
   *  brought into LMDB, the next is decided, on top of it, and written to the journal. */
  async #commitPending(): Promise<void> {
    await Promise.resolve()
    let applying: Promise<boolean> = Promise.resolve(true)
    while (this.#pending.length > 0) {
      const { batch, decided } = this.#decide()
      const changes = batch.changes()
      try {
        const reason = this.#whyBroken()
        if (reason !== undefined) throw reason
        if (changes.length > 0) await this.#journal?.append(changes)
      } catch (cause) {
        rejectAll(decided, cause)
        // What follows must not build on a batch that never was.
        await applying
        this.#unapplied = undefined
        continue
      }
      if (!(await applying)) {
        // It was decided on top of a batch that did not reach the data file.
        applying = Promise.resolve(true)
        if (this.#broken === undefined) this.#pending.unshift(...decided.map(({ transaction }) => transaction))
        else rejectAll(decided, this.#broken)
        continue
      }
      this.#unapplied = batch
      applying = this.#apply(batch, changes, decided)
      if (this.#journal?.isCheckpointDue === true) {
        await applying
        await this.#journal.checkpoint(this.#database)
      }
      // More may arrive while this waits, unless it has already.
      if (this.#pending.length === 0) await applying
    }
    this.#committing = undefined
    this.#checkpointWhenIdle()
  }

  #whyBroken(): StorageError | undefined {
    const failure = this.#journal?.failure
    return this.#broken ?? (failure === undefined ? undefined : brokenStore(failure))
  }

  #decide(): { readonly batch: Batch; readonly decided: readonly Decided[] } {
    const batch = new Batch(this.#database, this.#lastSequence, this.#unapplied)
    const pending = this.#pending
    const decided: Decided[] = []
    for (const transaction of pending) {
      decided.push({ transaction, outcome: batch.run(transaction.keys, transaction.decide) })
      if (batch.bytes > largeBatchBytes) break
    }
    this.#pending = pending.slice(decided.length)
    return { batch, decided }
  }

  /** Tells whether the batch is there. */
  async #apply(batch: Batch, changes: readonly KeyChange[], decided: readonly Decided[]): Promise<boolean> {
    try {
      if (changes.length > 0) {
        this.#lastSequence = batch.lastSequence
        await this.#database.transaction(() => applyChanges(this.#database, changes))
        this.#database.resetReadTxn()
      }
    } catch (cause) {
      ignoreCommitError(cause)
      const error = brokenStore(cause)
      if (this.#journal !== undefined) this.#broken = error
      rejectAll(decided, error)
      return false
    } finally {
      if (this.#unapplied === batch) this.#unapplied = undefined
    }
    for (const { transaction, outcome } of decided) {
      if (outcome.ok) transaction.resolve(outcome.answer)
      else transaction.reject(outcome.error)
    }
    return true
  }

  /** What was written last must not wait for the next write to reach the data file. */
  #checkpointWhenIdle(): void {
    const journal = this.#journal
    if (journal === undefined || this.#closed || this.#checkpointTimer !== undefined) return
    this.#checkpointTimer = setTimeout(() => {
      this.#checkpointTimer = undefined
      if (this.#committing === undefined && !this.#closed) void journal.checkpoint(this.#database)
    }, journal.idleMs).unref()
  }
}

/** Bounds the memory of a batch. */
const largeBatchBytes = 16 * 1024 * 1024

interface Decided {
  readonly transaction: Pending
  readonly outcome: Outcome
}

function rejectAll(decided: readonly Decided[], cause: unknown): void {
  const error = cause instanceof StorageError ? cause : notWritten(cause)
  for (const { transaction } of decided) transaction.reject(error)
}

function notWritten(cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StorageError('io', `A write could not be committed to disk (${reason}).`, cause)
}

/** Beside the promise that it has handed out, lmdb rejects another, which would end the process if nobody listened. */
function ignoreCommitError(cause: unknown): void {
  if (!(cause instanceof Error) || !('commitError' in cause)) return
  if (cause.commitError instanceof Promise) cause.commitError.catch(() => undefined)
}

function brokenStore(cause: unknown): StorageError {
  return new StorageError('io', 'The data file cannot be written. Make room on the disk and start again.', cause)
}

class LmdbSnapshot implements OpenSnapshot {
  readonly #database: RootDatabase<Buffer, Uint8Array>
  /** Without one, reads share the transaction that is renewed between turns of the event loop. */
  readonly #transaction: Transaction | undefined

  constructor(database: RootDatabase<Buffer, Uint8Array>, transaction?: Transaction) {
    this.#database = database
    this.#transaction = transaction
  }

  get(key: Key): Value | undefined {
    if (this.#transaction === undefined) return this.#database.get(key)
    return this.#database.get(key, { transaction: this.#transaction })
  }

  getMany(keys: readonly Key[]): readonly (Value | undefined)[] {
    return keys.map((key) => this.get(key))
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean): void {
    for (const { key, value } of this.#database.getRange(this.#rangeOptions(bounds))) {
      if (!visit(key, value)) return
    }
  }

  close(): void {
    this.#transaction?.done()
  }

  #rangeOptions({ from, to, reverse = false, limit }: Range): RangeOptions {
    const options: RangeOptions = reverse
      ? { start: to, end: from, reverse: true, exclusiveStart: true, inclusiveEnd: true }
      : { start: from, end: to }
    if (limit !== undefined) options.limit = limit
    if (this.#transaction !== undefined) options.transaction = this.#transaction
    return options
  }
}
