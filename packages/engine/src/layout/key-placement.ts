import type { Key, KeyPlacement } from '../store/store.ts'
import { keySpace } from './key-space.ts'
import { placementWithBranches } from './placement-with-branches.ts'

/** Where a store with several shards puts a key. ON DISK, in stores that have shards. A key with the hash of a
 *  partition key is in the shard that the leading bits of the hash name. So one partition is in one shard. The order
 *  of hashes, which is the order of Scan, goes from shard to shard. All other keys are spread by their identifier, so
 *  that what is read as one range (a log, the expiry entries of a table, the catalog) is in one shard too. */
export const keyPlacement: KeyPlacement = placementWithBranches({
  shardBits: (key) => {
    if (isOrdered(key)) return ((key[5] ?? 0) << 8) | (key[6] ?? 0)
    return mixed(key, placedBytes(key))
  },
  placedBytes,
  isOrdered,
  isCounter: (key) => key[0] === keySpace.counts || key[0] === keySpace.catalogVersion,
  isKept: (key) => key[0] === keySpace.keptItem,
  keptRange: { from: Buffer.of(keySpace.keptItem), to: Buffer.of(keySpace.keptItem + 1) },
  isScattered: (key) => key[0] === keySpace.counts,
  copiedRange: { from: Buffer.of(keySpace.tableVersion), to: Buffer.of(keySpace.tableVersion + 1) },
  counterRanges: [
    { from: Buffer.of(keySpace.catalogVersion), to: Buffer.of(keySpace.catalogVersion + 1) },
    { from: Buffer.of(keySpace.counts), to: Buffer.of(keySpace.counts + 1) },
  ],
})

function isOrdered(key: Key): boolean {
  const space = key[0]
  return (
    space === keySpace.item ||
    space === keySpace.indexEntry ||
    space === keySpace.collection ||
    space === keySpace.itemStamp ||
    space === keySpace.keptItem
  )
}

/** How many leading bytes of a key determine its shard. */
function placedBytes(key: Key): number {
  switch (key[0] ?? 0) {
    case keySpace.item:
    case keySpace.indexEntry:
    case keySpace.collection:
    case keySpace.itemStamp:
    case keySpace.keptItem:
      return 7
    case keySpace.changeLog:
    case keySpace.kinesisShard:
    case keySpace.kinesisRecord:
      return 9
    case keySpace.itemExpiry:
    case keySpace.tombstone:
    case keySpace.replicationCursor:
    case keySpace.conflict:
    case keySpace.missedWrite:
    case keySpace.counts:
    case keySpace.tableVersion:
      return 5
    case keySpace.token:
      return Number.POSITIVE_INFINITY
    default:
      return 1
  }
}

/** FNV-1a, folded to sixteen bits. */
function mixed(key: Key, length: number): number {
  let hash = 0x811c_9dc5
  for (let index = 0; index < length && index < key.length; index++) {
    hash = Math.imul(hash ^ (key[index] ?? 0), 0x0100_0193)
  }
  return ((hash >>> 16) ^ hash) & 0xffff
}
