import type { Key, Value } from './store.ts'

/** The entries of a log are numbered by time: the milliseconds of their transaction, then a count within the
 *  millisecond. So the position in a log that belongs to a moment is known without searching. Numbers only increase:
 *  if the clock goes back, or the count overflows, the next number follows the last. ON DISK as eight bytes,
 *  big-endian. */
const countBits = 20n

/** The smallest sequence that an entry of the moment `atMs` can have. */
export function sequenceAt(atMs: number): bigint {
  return BigInt(Math.trunc(atMs)) << countBits
}

export function sequenceAfter(last: bigint, atMs: number): bigint {
  const wanted = sequenceAt(atMs)
  return wanted > last ? wanted : last + 1n
}

export function timeOfSequence(sequence: bigint): number {
  return Number(sequence >> countBits)
}

export function encodeSequence(sequence: bigint): Value {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(sequence)
  return bytes
}

export function decodeSequence(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0)
}

export function logEntryKey(log: Key, sequence: bigint): Key {
  const key = Buffer.allocUnsafe(log.length + 8)
  key.set(log)
  key.writeBigUInt64BE(sequence, log.length)
  return key
}

export function sequenceOfKey(key: Key): bigint {
  return decodeSequence(key.subarray(key.length - 8))
}
