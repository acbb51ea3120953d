import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Lmdb from 'lmdb'
import type { PutOptions, RangeOptions, RootDatabase, Transaction } from 'lmdb'
import { StorageError } from '../storage-error.ts'
import type { Key, KeyChange, Range, Value } from '../store.ts'
import { mapBytes } from './address-space.ts'
import { makeRoomForLock } from './room-for-lock.ts'
import { checksumBytes, checksumOf, differenceIn, isIntact, isIntactUnder } from './value-checksum.ts'

// As CommonJS it is one file. As ES modules it is twenty, and every start would take 15 ms longer.
const require = createRequire(import.meta.url)
const { asBinary, open } = require('lmdb') as typeof Lmdb

/** The data file: LMDB, which never waits for the disk here. Each value is followed by its checksum, which every read
 *  verifies. */
export interface DataFile {
  get(key: Key, at?: HeldState): Value | undefined
  range(bounds: Range, visit: (key: Key, value: Value) => boolean, at?: HeldState): void
  /** Resolves when reads show the changes, all at once. Appended entries come after all other keys, in order, and
   *  fill their pages. If LMDB does not know this, it splits pages with few entries in half, and leaves one half
   *  empty for good. */
  commit(changes: readonly KeyChange[], appended?: readonly KeyChange[]): Promise<void>
  commitSync(changes: readonly KeyChange[], appended?: readonly KeyChange[]): void
  /** Keeps the current state: none of its pages is reused until it is released. */
  hold(): HeldState
  close(): Promise<void>
}

/** One whose values have checksums. */
export interface CheckedDataFile extends DataFile {
  /** Commits values that are in memory as they will be in the file. */
  commitChecked(changes: readonly CheckedChange[]): Promise<void>
}

export interface HeldState {
  release(): void
}

/** A change of a key, given as text. */
export interface CheckedChange {
  readonly name: string
  /** Undefined if the key is deleted. */
  readonly value: CheckedValue | undefined
}

/** Where a value is, followed by its checksum. Nobody may change it until it has been committed. These names are those by
 *  which lmdb takes a part of a buffer without a copy. */
export interface CheckedValue {
  readonly buffer: ArrayBufferLike
  readonly start: number
  readonly end: number
}

/** Where a value is, from a change on: for a file whose values are compared or copied. */
export function plainChange({ name, value }: CheckedChange): KeyChange {
  const key = Buffer.from(name, 'latin1')
  if (value === undefined) return { key, value: undefined }
  return { key, value: Buffer.from(value.buffer, value.start, value.end - value.start - checksumBytes) }
}

/** In format 1, values had no checksums. */
export type StoredValues = 'checked' | 'bare'

/** With `removesLock`, LMDB's lock file is removed when the file is closed. */
export function openDataFile(path: string, values: StoredValues = 'checked', removesLock = false): CheckedDataFile {
  return new LmdbFile(path, values, removesLock)
}

class LmdbFile implements CheckedDataFile {
  readonly #database: RootDatabase<Buffer, Uint8Array>
  readonly #lockPath: string | undefined
  readonly #checksumBytes: number
  /** What the values of a commit are passed in, and whether LMDB's thread still reads it. */
  #values = Buffer.alloc(0)
  #isPassing = false

  constructor(path: string, values: StoredValues, removesLock: boolean) {
    const lockPath = `${path}-lock`
    this.#lockPath = removesLock ? lockPath : undefined
    this.#checksumBytes = values === 'checked' ? checksumBytes : 0
    makeRoomForLock(lockPath)
    this.#database = open<Buffer, Uint8Array>({
      path,
      noSubdir: true,
      keyEncoder: { writeKey, readKey: copyOf },
      encoder: { encode: (value: Uint8Array) => value, decode: values === 'checked' ? withoutChecksum : bareCopy },
      mapSize: mapBytes(path),
      maxReaders: 126,
      // The journal, if there is one, makes sure that acknowledged writes are on disk.
      noSync: true,
      overlappingSync: false,
      // There is one transaction at a time, and nothing that could share its commit.
      eventTurnBatching: false,
    })
  }

  get(key: Key, at?: HeldState): Value | undefined {
    const value =
      at === undefined
        ? this.#database.get(key)
        : this.#database.get(key, { transaction: (at as HeldTransaction).transaction })
    if (value !== undefined) this.#verify(key)
    return value
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean, at?: HeldState): void {
    const options = rangeOptions(bounds, at as HeldTransaction | undefined)
    if (bounds.keysOnly === true) {
      for (const key of this.#database.getKeys(options)) if (!visit(key, noValue)) return
      return
    }
    for (const { key, value } of this.#database.getRange(options)) {
      this.#verify(key)
      if (!visit(key, value)) return
    }
  }

  /** Looks at the value that was read last. */
  #verify(key: Key): void {
    if (this.#checksumBytes === 0 || isIntactUnder(key, lastDifference)) return
    throw new StorageError(
      'damaged',
      'A value in data.mdb does not match its checksum: the file was damaged on disk. Verify the data to see what is affected.',
    )
  }

  commit(changes: readonly KeyChange[], appended: readonly KeyChange[] = []): Promise<void> {
    return this.#committing(() =>
      appended.length > 0
        ? this.#database.transaction(() => this.#apply(changes, appended))
        : this.#database.batch(() => this.#pass(changes)),
    )
  }

  commitChecked(changes: readonly CheckedChange[]): Promise<void> {
    return this.#committing(() => this.#database.batch(() => this.#passChecked(changes)))
  }

  async #committing(commit: () => Promise<unknown>): Promise<void> {
    if (this.#isPassing) throw new Error('a commit began before the one before it had ended')
    this.#isPassing = true
    try {
      await commit()
    } catch (cause) {
      throw await reasonOf(cause)
    } finally {
      this.#isPassing = false
    }
    this.#database.resetReadTxn()
  }

  commitSync(changes: readonly KeyChange[], appended: readonly KeyChange[] = []): void {
    this.#database.transactionSync(() => this.#apply(changes, appended))
    this.#database.resetReadTxn()
  }

  hold(): HeldState {
    // The transaction that reads share may be older than the last commit.
    this.#database.resetReadTxn()
    return new HeldTransaction(this.#database.useReadTransaction())
  }

  async close(): Promise<void> {
    await this.#database.close()
    if (this.#lockPath !== undefined) rmSync(this.#lockPath, { force: true })
  }

  /** LMDB's thread puts them into the tree. It reads the values until that is done: one commit at a time. */
  #pass(changes: readonly KeyChange[]): void {
    let bytes = 0
    for (const { value } of changes) if (value !== undefined) bytes += value.length + this.#checksumBytes
    if (this.#values.length < bytes || this.#values.length > 2 * Math.max(bytes, usualBytes)) {
      this.#values = Buffer.allocUnsafeSlow(Math.max(bytes, usualBytes))
    }
    const values = this.#values
    let start = 0
    for (const { key, value } of changes) {
      if (value === undefined) {
        void this.#database.remove(key)
        continue
      }
      values.set(value, start)
      let end = start + value.length
      if (this.#checksumBytes > 0) end = values.writeUInt32LE(checksumOf(key, value), end)
      // Its type does not know that what is passed as it is needs no encoder.
      void this.#database.put(key, asBinary(values.subarray(start, end)) as unknown as Buffer)
      start = end
    }
  }

  #passChecked(changes: readonly CheckedChange[]): void {
    // Its types do not know keys as text, nor parts of a buffer.
    const database = this.#database as unknown as RootDatabase<unknown, string>
    // It looks up the address of each object that it has not seen before.
    const parts = new Map<ArrayBufferLike, { -readonly [Member in keyof CheckedValue]: CheckedValue[Member] }>()
    for (const { name, value } of changes) {
      if (value === undefined) {
        void database.remove(name)
        continue
      }
      let part = parts.get(value.buffer)
      if (part === undefined) {
        part = { ...value }
        parts.set(value.buffer, part)
      }
      part.start = value.start
      part.end = value.end
      void database.put(name, asBinary(part as unknown as Buffer))
    }
  }

  #append(key: Key, value: Value): boolean {
    // Its type does not describe what it returns.
    const isAppended: unknown = this.#database.putSync(key, this.#stored(key, value), atTheEnd)
    return isAppended === true
  }

  /** LMDB copies what it is given before the next value comes. */
  #stored(key: Key, value: Value): Buffer {
    if (this.#checksumBytes === 0) return value
    const end = value.length
    if (scratch.length < end + checksumBytes) scratch = Buffer.allocUnsafeSlow(2 * (end + checksumBytes))
    scratch.set(value)
    scratch.writeUInt32LE(checksumOf(key, value), end)
    return scratch.subarray(0, end + checksumBytes)
  }

  #apply(changes: readonly KeyChange[], appended: readonly KeyChange[]): void {
    for (const { key, value } of changes) {
      if (value === undefined) this.#database.removeSync(key)
      else this.#database.putSync(key, this.#stored(key, value))
    }
    for (const { key, value } of appended) {
      if (value !== undefined && !this.#append(key, value))
        throw new Error('an entry is to be appended whose key is not behind all others')
    }
  }
}

/** Where only keys are asked for. */
export const noValue = Buffer.alloc(0)

const atTheEnd: PutOptions = { append: true }

class HeldTransaction implements HeldState {
  readonly transaction: Transaction
  #isHeld = true

  constructor(transaction: Transaction) {
    this.transaction = transaction
  }

  release(): void {
    if (this.#isHeld) this.transaction.done()
    this.#isHeld = false
  }
}

function rangeOptions({ from, to, reverse = false, limit }: Range, at: HeldTransaction | undefined): RangeOptions {
  const options: RangeOptions = reverse
    ? { start: to, end: from, reverse: true, exclusiveStart: true, inclusiveEnd: true }
    : { start: from, end: to }
  if (limit !== undefined) options.limit = limit
  if (at !== undefined) options.transaction = at.transaction
  return options
}

/** What the values of a commit take, as a rule: more than that is not kept. */
const usualBytes = 2 * 1024 * 1024

let scratch = Buffer.allocUnsafeSlow(64 * 1024)

/** Of the value that was read last, whose key is not known where it is copied. */
let lastDifference = 0

function withoutChecksum(source: Uint8Array): Buffer {
  // The shared buffer's own methods do not work: lmdb overrides its length.
  const stored = new Uint8Array(source.buffer, source.byteOffset, source.length)
  lastDifference = stored.length < checksumBytes ? Number.NaN : differenceIn(stored)
  return slabCopy(stored, Math.max(0, stored.length - checksumBytes))
}

/** Whether the values of a file that was opened as `bare` have checksums after all. */
export function hasChecksums(data: DataFile): boolean {
  let looked = 0
  let intact = 0
  data.range({ from: Buffer.of(0x00), to: Buffer.of(0xff) }, (key, value) => {
    looked++
    if (isIntact(key, value)) intact++
    return looked < 16
  })
  return intact > 0
}

function bareCopy(source: Uint8Array): Buffer {
  return copyOf(source, 0, source.length)
}

function copyOf(source: Uint8Array, start: number, end: number): Buffer {
  const length = end - start
  return slabCopy(new Uint8Array(source.buffer, source.byteOffset + start, length), length)
}

/** LMDB's reads go through one buffer that the next read overwrites. Its own copying (`encoding: 'binary'`) allocates
 *  memory for each value; a part of a shared slab costs a third. A slab lives as long as any part of it. */
function slabCopy(bytes: Uint8Array, length: number): Buffer {
  if (length > slabBytes / 8) return Buffer.from(bytes.subarray(0, length))
  // A checksum that is copied along is overwritten by the next copy.
  if (slabUsed + bytes.length > slabBytes) {
    slab = Buffer.allocUnsafeSlow(slabBytes)
    slabUsed = 0
  }
  slab.set(bytes, slabUsed)
  const copy = slab.subarray(slabUsed, slabUsed + length)
  slabUsed += length
  return copy
}

const slabBytes = 64 * 1024
let slab = Buffer.allocUnsafeSlow(slabBytes)
let slabUsed = 0

function writeKey(key: Uint8Array | string, target: Buffer, start: number): number {
  if (typeof key === 'string') return start + target.write(key, start, 'latin1')
  target.set(key, start)
  return start + key.length
}

/** Of a commit that has failed. lmdb itself only says that it did, and rejects another promise with the reason: that would
 *  end the process if nobody handled it. */
async function reasonOf(cause: unknown): Promise<unknown> {
  if (!(cause instanceof Error) || !('commitError' in cause) || !(cause.commitError instanceof Promise))
    return cause
  const reason = cause.commitError.catch((error: unknown) => error)
  let timer: NodeJS.Timeout | undefined
  const noReason = new Promise((resolve) => {
    timer = setTimeout(resolve, longestReasonMs, cause)
  })
  try {
    return await Promise.race([reason, noReason])
  } finally {
    clearTimeout(timer)
  }
}

/** It comes at once, unless lmdb does something that we do not know. */
const longestReasonMs = 1_000
