import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open, type RangeOptions, type RootDatabase, type Transaction } from 'lmdb'
import { checkLmdbFile } from './check-lmdb-file.ts'
import { addToCounters } from './counters.ts'
import { lockFolder, type FolderLock } from './folder-lock.ts'
import { decodeSequence, encodeSequence, logEntryKey, sequenceAfter } from './sequence.ts'
import { StorageError } from './storage-error.ts'
import type { Decision, Key, MaybePromise, OpenSnapshot, Range, Snapshot, Store, Value, Write } from './store.ts'

export type LmdbOptions = { readonly path: string } | { readonly memory: true }

/** Opens the embedded store: one file in the folder `path`, or one that nobody else can see and that is gone with the
 *  process. With a path, a transaction is acknowledged only when its commit is on disk. */
export async function openLmdbStore(options: LmdbOptions): Promise<Store> {
  if ('memory' in options) return openInMemory()
  const { path } = options
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new StorageError(
      'not-writable',
      `The data folder ${path} cannot be created. Choose another with --path.`,
      cause,
    )
  }
  const lock = lockFolder(path)
  try {
    const file = join(path, 'data.mdb')
    checkLmdbFile(file)
    return new LmdbStore(openEnvironment(file, false), lock)
  } catch (cause) {
    lock.release()
    throw damagedOrUnreadable(path, cause)
  }
}

function openInMemory(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const environment = openEnvironment(join(folder, 'data.mdb'), true)
  // An open file outlives its name, so nothing is left behind even after a crash.
  if (process.platform === 'win32') process.once('exit', remove)
  else remove()
  return new LmdbStore(environment, { release: remove })
}

function openEnvironment(file: string, volatile: boolean): RootDatabase<Buffer, Uint8Array> {
  return open<Buffer, Uint8Array>({
    path: file,
    noSubdir: true,
    keyEncoder: { writeKey: writeBytes, readKey: copyOf },
    encoder: { encode: (value: Uint8Array) => value, decode: (source: Buffer) => copyOf(source, 0, source.length) },
    mapSize: addressSpaceBytes(),
    maxReaders: 126,
    noSync: volatile,
    // The commit's promise must mean "on disk", not "visible".
    overlappingSync: false,
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
    `The data in ${path} cannot be opened (${reason}). Nothing was changed. Restore data.mdb from a copy, or start with another --path.`,
    cause,
  )
}

interface Pending {
  readonly keys: readonly Key[]
  readonly decide: (values: readonly (Value | undefined)[]) => Decision<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly error: unknown }

class LmdbStore implements Store {
  readonly #database: RootDatabase<Buffer, Uint8Array>
  readonly #lock: FolderLock
  readonly #snapshot: LmdbSnapshot
  #pending: Pending[] = []
  #lastSequence: bigint
  #committing: Promise<void> | undefined
  #closed = false

  constructor(database: RootDatabase<Buffer, Uint8Array>, lock: FolderLock) {
    this.#database = database
    this.#lock = lock
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

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#committing
    await this.#database.close()
    this.#lock.release()
  }

  /** Group commit: whatever arrives while one commit is being written to disk shares the next one. */
  async #commitPending(): Promise<void> {
    await Promise.resolve()
    while (this.#pending.length > 0) {
      const batch = this.#pending
      this.#pending = []
      const outcomes: Outcome[] = []
      try {
        await this.#database.transaction(() => {
          // The callback may be asked again if the map had to grow.
          outcomes.length = 0
          const counters = new Map<string, number[]>()
          const sequenceBefore = this.#lastSequence
          for (const pending of batch) outcomes.push(this.#run(pending, counters))
          this.#applyCounters(counters)
          if (this.#lastSequence !== sequenceBefore) {
            this.#database.putSync(lastSequenceKey, encodeSequence(this.#lastSequence))
          }
        })
      } catch (cause) {
        const error = new StorageError('io', 'The write could not be committed to disk.', cause)
        for (const pending of batch) pending.reject(error)
        continue
      }
      for (let index = 0; index < batch.length; index++) settle(batch[index], outcomes[index])
    }
    this.#committing = undefined
  }

  #run(pending: Pending, counters: Map<string, number[]>): Outcome {
    try {
      const values = this.#readAll(pending.keys)
      const { writes, answer } = pending.decide(values)
      // A refusal halfway would leave half a decision behind: keys are checked before the first write.
      for (const write of writes) assertKeyFits(write.kind === 'append' ? write.log : write.key)
      for (const write of writes) this.#apply(write, counters)
      return { ok: true, answer }
    } catch (error) {
      return { ok: false, error }
    }
  }

  #readAll(keys: readonly Key[]): (Value | undefined)[] {
    const values: (Value | undefined)[] = []
    for (const key of keys) values.push(this.#database.get(key))
    return values
  }

  #apply(write: Write, counters: Map<string, number[]>): void {
    switch (write.kind) {
      case 'put':
        this.#database.putSync(write.key, write.value)
        return
      case 'delete':
        this.#database.removeSync(write.key)
        return
      case 'add':
        addUp(counters, write.key, write.amounts)
        return
      case 'append':
        this.#lastSequence = sequenceAfter(this.#lastSequence, write.atMs)
        this.#database.putSync(logEntryKey(write.log, this.#lastSequence), write.value)
        return
      default:
        throw new Error('an unknown kind of write')
    }
  }

  #applyCounters(counters: Map<string, number[]>): void {
    for (const [name, amounts] of counters) {
      const key = Buffer.from(name, 'latin1')
      this.#database.putSync(key, addToCounters(this.#database.get(key), amounts))
    }
  }
}

/** Kept by the store itself; the engine's keys begin above it. ON DISK. */
const lastSequenceKey = Buffer.of(0x00)

const maximumKeyBytes = 1_978

function assertKeyFits(key: Key): void {
  if (key.length === 0 || key.length > maximumKeyBytes) throw new Error(`a key of ${key.length} bytes does not fit`)
}

/** Counters are summed over the whole batch, so that a busy table's counter is written once a commit. */
function addUp(counters: Map<string, number[]>, key: Key, amounts: readonly number[]): void {
  const name = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
  const sums = counters.get(name)
  if (sums === undefined) {
    counters.set(name, [...amounts])
    return
  }
  for (let index = 0; index < amounts.length; index++) sums[index] = (sums[index] ?? 0) + (amounts[index] ?? 0)
}

function settle(pending: Pending | undefined, outcome: Outcome | undefined): void {
  if (pending === undefined || outcome === undefined) return
  if (outcome.ok) pending.resolve(outcome.answer)
  else pending.reject(outcome.error)
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
