import type { Value } from './store.ts'

/** Counters are a vector of IEEE doubles, big-endian: exact up to 2^53. ON DISK. */
export function encodeCounters(amounts: readonly number[]): Value {
  const bytes = Buffer.allocUnsafe(amounts.length * 8)
  for (let index = 0; index < amounts.length; index++) bytes.writeDoubleBE(amounts[index] ?? 0, index * 8)
  return bytes
}

export function decodeCounters(value: Value | undefined): readonly number[] {
  if (value === undefined) return []
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
  return Array.from({ length: value.byteLength / 8 }, (_, index) => view.getFloat64(index * 8))
}

/** The counters after `amounts` have been added; a missing counter counts as zero. */
export function addToCounters(value: Value | undefined, amounts: readonly number[]): Value {
  const before = decodeCounters(value)
  const length = Math.max(before.length, amounts.length)
  return encodeCounters(Array.from({ length }, (_, index) => (before[index] ?? 0) + (amounts[index] ?? 0)))
}
