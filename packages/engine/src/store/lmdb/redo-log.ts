import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from '../crc32.ts'
import type { Key, Value } from '../store.ts'
import { syncFile, writeAll } from './file-writes.ts'

/** What a batch of transactions comes to: for each key that it writes, the value afterwards, or none. */
export interface KeyChange {
  readonly key: Key
  readonly value: Value | undefined
}

/** Where acknowledged writes are safe until the data file holds them: one write, in sequence, for a whole batch.
 *  Two files take turns. While one is written, the other's batches find their way to the disk with the data file (see
 *  checkpoint.ts), after which it is used anew, in place: a file that does not grow is synced without its metadata.
 *
 *  ON DISK, integers little-endian: a record is `length of the changes: 4 · CRC-32 of all that follows: 4 · number of the batch: 8`
 *  and the changes in a row, each `length of the key: 2 · length of the value + 1, or 0 for none: 4 · key · value`. */
export class RedoLog {
  readonly #descriptors: readonly [number, number]
  #current: 0 | 1 = 0
  #position = 0
  #buffer = Buffer.allocUnsafeSlow(256 * 1024)

  private constructor(descriptors: readonly [number, number]) {
    this.#descriptors = descriptors
  }

  static open(folder: string): RedoLog {
    return new RedoLog([openLogFile(join(folder, 'redo-0')), openLogFile(join(folder, 'redo-1'))])
  }

  /** How much the current file holds. */
  get bytes(): number {
    return this.#position
  }

  /** The batches that follow `lastBatch` without a gap, in order. */
  *batchesAfter(lastBatch: number): Iterable<{ readonly batch: number; readonly changes: readonly KeyChange[] }> {
    const [first, second] = this.#descriptors
    // The file that was begun first comes first.
    const inOrder = firstBatch(second) < firstBatch(first) ? [second, first] : [first, second]
    let next = lastBatch + 1
    for (const descriptor of inOrder) {
      for (const { batch, payload } of recordsOf(descriptor)) {
        if (batch < next) continue
        if (batch > next) break
        yield { batch, changes: decodeChanges(payload) }
        next++
      }
    }
  }

  /** Settles when the batch is on disk. One batch at a time. */
  async append(batch: number, changes: Iterable<KeyChange>): Promise<void> {
    const end = this.#encode(batch, changes)
    if (this.#position === 0) this.#shrink()
    await this.#write(this.#buffer.subarray(0, end))
    this.#position += end
  }

  /** Goes on in the other file. Its batches stay until the next is appended: whoever appends needs them no more, but after a
   *  crash they are needed until what was read from them is on disk elsewhere. */
  switchFile(): void {
    this.#current = this.#current === 0 ? 1 : 0
    this.#position = 0
  }

  close(): void {
    for (const descriptor of this.#descriptors) closeSync(descriptor)
  }

  /** What one burst has needed is not kept forever. */
  #shrink(): void {
    const descriptor = this.#descriptors[this.#current]
    if (fstatSync(descriptor).size > largeFile) ftruncateSync(descriptor, 0)
  }

  #encode(batch: number, changes: Iterable<KeyChange>): number {
    let position = headerBytes
    for (const { key, value } of changes) {
      const valueBytes = value === undefined ? 0 : value.length
      this.#reserve(position, 6 + key.length + valueBytes)
      const buffer = this.#buffer
      buffer.writeUInt16LE(key.length, position)
      buffer.writeUInt32LE(value === undefined ? 0 : valueBytes + 1, position + 2)
      buffer.set(key, position + 6)
      position += 6 + key.length
      if (value !== undefined) buffer.set(value, position)
      position += valueBytes
    }
    this.#buffer.writeUInt32LE(position - headerBytes, 0)
    this.#buffer.writeBigUInt64LE(BigInt(batch), 8)
    this.#buffer.writeUInt32LE(crc32(this.#buffer.subarray(8, position)), 4)
    return position
  }

  #reserve(used: number, more: number): void {
    if (used + more <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, used + more))
    this.#buffer.copy(larger, 0, 0, used)
    this.#buffer = larger
  }

  async #write(bytes: Buffer): Promise<void> {
    const descriptor = this.#descriptors[this.#current]
    await writeAll(descriptor, bytes, this.#position)
    if (!writesAreSynced) await syncFile(descriptor)
    // A batch of unusual size must not keep its memory.
    if (this.#buffer.length > largeBuffer) this.#buffer = Buffer.allocUnsafeSlow(256 * 1024)
  }
}

const headerBytes = 16
const largeBuffer = 16 * 1024 * 1024
const largeFile = 64 * 1024 * 1024

/** Where the system can, a write is synced as it is made: one call instead of two. */
const dataSync = process.platform === 'linux' ? constants.O_DSYNC : 0
const writesAreSynced = dataSync !== 0

function openLogFile(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_CREAT | dataSync)
}

interface LogRecord {
  readonly batch: number
  readonly payload: Buffer
}

function firstBatch(descriptor: number): number {
  for (const { batch } of recordsOf(descriptor)) return batch
  return Number.POSITIVE_INFINITY
}

/** The records of a file up to the first that is not whole, or that is left over from the file's use before. */
function* recordsOf(descriptor: number): Iterable<LogRecord> {
  const { size } = fstatSync(descriptor)
  const header = Buffer.allocUnsafe(headerBytes)
  let position = 0
  let expected: number | undefined
  while (position + headerBytes <= size) {
    readSync(descriptor, header, 0, headerBytes, position)
    const length = header.readUInt32LE(0)
    if (position + headerBytes + length > size) return
    const payload = Buffer.allocUnsafe(length)
    readSync(descriptor, payload, 0, length, position + headerBytes)
    if (crc32(payload, crc32(header.subarray(8))) !== header.readUInt32LE(4)) return
    const batch = Number(header.readBigUInt64LE(8))
    if (batch !== (expected ?? batch)) return
    yield { batch, payload }
    expected = batch + 1
    position += headerBytes + length
  }
}

function decodeChanges(payload: Buffer): readonly KeyChange[] {
  const changes: KeyChange[] = []
  let position = 0
  while (position < payload.length) {
    const keyEnd = position + 6 + payload.readUInt16LE(position)
    const storedLength = payload.readUInt32LE(position + 2)
    const key = payload.subarray(position + 6, keyEnd)
    position = keyEnd + Math.max(storedLength - 1, 0)
    changes.push({ key, value: storedLength === 0 ? undefined : payload.subarray(keyEnd, position) })
  }
  return changes
}
