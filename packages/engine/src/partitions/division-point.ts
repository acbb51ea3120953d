import { keyHeaderBytes } from '../layout/item-keys.ts'
import { partitionHashBytes } from '../layout/partition-hash.ts'
import { hashOfKey } from '../layout/hash-of-key.ts'
import { KeyBoundary } from './key-boundary.ts'
import type { KeySample } from './partition.ts'
import { partitionLimits } from './partition-limits.ts'

/** Where a hot range of keys is best split, given the keys that were used there; undefined if no split helps: one hot
 *  item stays hot, and keys that only ever increase would heat the upper part alone. `divisible` says whether the
 *  items of one partition key may be in several partitions. */
export function divisionPoint(samples: readonly KeySample[], divisible: boolean): KeyBoundary | undefined {
  const total = samples.reduce((sum, { units }) => sum + units, 0)
  const sorted = samples.toSorted((a, b) => Buffer.compare(a.key, b.key))
  let best: { readonly least: number; readonly at: number } | undefined
  let below = 0
  for (let at = 1; at < sorted.length; at++) {
    const before = sorted[at - 1]
    const after = sorted[at]
    if (before === undefined || after === undefined) break
    below += before.units
    if (Buffer.compare(before.key, after.key) === 0) continue
    if (!divisible && hashOfKey(before.key) === hashOfKey(after.key)) continue
    const least = Math.min(below, total - below)
    if (best === undefined || least > best.least) best = { least, at }
  }
  if (best === undefined || best.least < total * partitionLimits.leastShare) return undefined
  const before = sorted[best.at - 1]
  const after = sorted[best.at]
  if (before === undefined || after === undefined) return undefined
  if (hashOfKey(before.key) !== hashOfKey(after.key)) return KeyBoundary.ofHash(hashOfKey(after.key))
  if (isRising(samples, after.key)) return undefined
  return new KeyBoundary(after.key.slice(keyHeaderBytes))
}

/** Whether the sort keys of the partition key that is to be split come in increasing order, as times and counters do. */
function isRising(samples: readonly KeySample[], dividing: Uint8Array): boolean {
  const prefix = dividing.subarray(0, keyHeaderBytes + partitionHashBytes)
  const keys = samples
    .map(({ key }) => key)
    .filter((key) => Buffer.compare(key.subarray(0, prefix.length), prefix) === 0)
  let highest: Uint8Array | undefined
  let rises = 0
  for (const key of keys) {
    if (highest !== undefined && Buffer.compare(key, highest) < 0) continue
    highest = key
    rises++
  }
  return rises >= keys.length * 0.8
}
