import { crc32 } from '../crc32.ts'
import type { KeyChange } from '../store.ts'

/** The header of a batch. */
export interface RecordHeader {
  /** Eight random bytes that identify the log. Nobody outside knows them, so no stored value can be mistaken for a
   *  record. */
  readonly log: Buffer
  /** Increases by one with each record of a log. */
  readonly batch: number
  /** The latest checkpoint that was on disk when the record was written. */
  readonly generation: number
}

export interface RedoRecord extends RecordHeader {
  readonly payload: Buffer
}

/** ON DISK, integers little-endian: `log: 8 · CRC-32 of the log and of all that follows: 4 · length of the changes: 4
 *  · batch: 8 · generation: 8`, then the changes, each `length of the key: 2 · length of the value + 1, or 0 for
 *  none: 4 · key · value`. */
export const recordHeaderBytes = 32

/** Writes records into a buffer that is reused. */
export class RecordWriter {
  #buffer = Buffer.allocUnsafeSlow(usualBytes)

  /** The record, until the next one is written. */
  write({ log, batch, generation }: RecordHeader, changes: readonly KeyChange[]): Buffer {
    const end = recordHeaderBytes + changesBytes(changes)
    const record = this.#room(end)
    record.set(log)
    record.writeUInt32LE(end - recordHeaderBytes, 12)
    record.writeBigUInt64LE(BigInt(batch), 16)
    record.writeBigUInt64LE(BigInt(generation), 24)
    putChanges(record, recordHeaderBytes, changes)
    record.writeUInt32LE(checksumOf(record), 8)
    return record
  }

  #room(bytes: number): Buffer {
    const isSmall = bytes > this.#buffer.length
    // A batch of unusual size must not keep its memory.
    const isLarge = this.#buffer.length > largeBytes && bytes <= largeBytes
    if (isSmall || isLarge) this.#buffer = Buffer.allocUnsafeSlow(Math.max(usualBytes, isSmall ? 2 * bytes : bytes))
    return this.#buffer.subarray(0, bytes)
  }
}

const usualBytes = 256 * 1024
const largeBytes = 16 * 1024 * 1024

/** Parses these bytes as a record, header and changes; undefined if they are not one. */
export function readRecord(bytes: Buffer): RedoRecord | undefined {
  if (bytes.readUInt32LE(8) !== checksumOf(bytes)) return undefined
  return {
    log: bytes.subarray(0, 8),
    batch: Number(bytes.readBigUInt64LE(16)),
    generation: Number(bytes.readBigUInt64LE(24)),
    payload: bytes.subarray(recordHeaderBytes),
  }
}

/** How long a record with this header is. */
export function recordBytes(header: Buffer): number {
  return recordHeaderBytes + header.readUInt32LE(12)
}

/** The changes in a row, as a record holds them. */
export function writeChanges(changes: readonly KeyChange[]): Buffer {
  const bytes = Buffer.allocUnsafe(changesBytes(changes))
  putChanges(bytes, 0, changes)
  return bytes
}

function changesBytes(changes: readonly KeyChange[]): number {
  let bytes = 0
  for (const { key, value } of changes) bytes += 6 + key.length + (value === undefined ? 0 : value.length)
  return bytes
}

function putChanges(buffer: Buffer, start: number, changes: readonly KeyChange[]): void {
  let position = start
  for (const { key, value } of changes) {
    buffer.writeUInt16LE(key.length, position)
    buffer.writeUInt32LE(value === undefined ? 0 : value.length + 1, position + 2)
    buffer.set(key, position + 6)
    position += 6 + key.length
    if (value === undefined) continue
    buffer.set(value, position)
    position += value.length
  }
}

export function readChanges(payload: Buffer): readonly KeyChange[] {
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

function checksumOf(record: Buffer): number {
  return crc32(record.subarray(12), crc32(record.subarray(0, 8)))
}
