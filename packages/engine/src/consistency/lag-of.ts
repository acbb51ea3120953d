import type { Key } from '../store/store.ts'

/** How long after its commit a change of an item becomes visible in one place: from 0 to `maxLagMs`. It only depends
 *  on the arguments and not on the order of changes, so a test sees the same delays however its requests interleave. */
export function lagOf(seed: number, itemKey: Key, placeId: number, atMs: number, maxLagMs: number): number {
  // FNV-1a over the parts, then a finalizer so that keys that differ in one bit lie apart.
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < itemKey.length; index++) hash = Math.imul(hash ^ (itemKey[index] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ placeId, 0x01000193)
  hash = Math.imul(hash ^ (atMs % 2 ** 32), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  const share = ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
  return Math.floor(share * (maxLagMs + 1))
}
