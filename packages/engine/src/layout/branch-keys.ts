import type { Key, Range } from '../store/store.ts'
import { keySpace } from './key-space.ts'
import { branchKeyBytes } from './placement-with-branches.ts'

/** Which branches and snapshots there are. ON DISK as JSON. */
export function branchListKey(): Buffer {
  return Buffer.of(keySpace.branchList)
}

/** What a branch has under a key, if it is not what the data itself has. ON DISK. */
export function branchEntryKey(branchId: number, key: Key): Buffer {
  return prefixed(keySpace.branchEntry, branchId, key)
}

/** By how much a counter of a branch differs from the data's. ON DISK. */
export function branchCounterKey(branchId: number, key: Key): Buffer {
  return prefixed(keySpace.branchCounter, branchId, key)
}

/** A log of one entry, whose sequence is the moment at which the branch was made. ON DISK. */
export function branchMarkLog(branchId: number): Buffer {
  return prefixed(keySpace.branchMark, branchId, noKey)
}

/** Everything that belongs to a branch. */
export function branchRanges(branchId: number): readonly Range[] {
  return [keySpace.branchEntry, keySpace.branchCounter, keySpace.branchMark].map((space) => ({
    from: prefixed(space, branchId, noKey),
    to: prefixed(space, branchId + 1, noKey),
  }))
}

/** The key that an entry or a counter of a branch stands for. */
export function keyInBranch(key: Key): Key {
  return key.subarray(branchKeyBytes)
}

function prefixed(space: number, branchId: number, key: Key): Buffer {
  const bytes = Buffer.allocUnsafe(branchKeyBytes + key.length)
  bytes[0] = space
  bytes.writeUInt32BE(branchId, 1)
  bytes.set(key, branchKeyBytes)
  return bytes
}

const noKey = new Uint8Array()
