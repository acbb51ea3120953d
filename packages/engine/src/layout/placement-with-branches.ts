import type { Key, KeyPlacement } from '../store/store.ts'
import { keySpace } from './key-space.ts'

/** Where keys lie if branches may hold further versions of them. Everything that one branch holds is in one shard. */
export function placementWithBranches(keys: KeyPlacement): KeyPlacement {
  return {
    shardBits: (key) => (isOfBranch(key) ? bitsOfBranch(key) : keys.shardBits(key)),
    placedBytes: (key) => (isOfBranch(key) ? branchKeyBytes : keys.placedBytes(key)),
    isOrdered: (key) => !isOfBranch(key) && keys.isOrdered(key),
    isCounter: (key) => (isOfBranch(key) ? key[0] === keySpace.branchCounter : keys.isCounter(key)),
    isKept: (key) => !isOfBranch(key) && keys.isKept(key),
    keptRange: keys.keptRange,
    isScattered: (key) => !isOfBranch(key) && keys.isScattered(key),
    copiedRange: keys.copiedRange,
    counterRanges: [
      ...keys.counterRanges,
      { from: Buffer.of(keySpace.branchCounter), to: Buffer.of(keySpace.branchCounter + 1) },
    ].toSorted((a, b) => Buffer.compare(a.from, b.from)),
  }
}

/** The prefix of what one branch holds: the space, and the branch's identifier. */
export const branchKeyBytes = 5

function isOfBranch(key: Key): boolean {
  const space = key[0] ?? 0
  return space >= keySpace.branchEntry && space <= keySpace.branchMark
}

/** Identifiers are given in order, so their lowest bits differ most. */
function bitsOfBranch(key: Key): number {
  return (Math.imul(key[4] ?? 0, 0x9e37) + Math.imul(key[3] ?? 0, 0x85eb)) & 0xffff
}
