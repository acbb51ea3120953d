import type { Key } from '../store/store.ts'
import { sequenceOfKey } from '../store/sequence.ts'
import { keyPlacement } from './key-placement.ts'
import { keySpace } from './key-space.ts'

/** What must be known about keys to keep branches of the data. */
export interface BranchLayout {
  /** Whether a branch begins with what the data has under the key. Otherwise it begins with nothing there. */
  isBranched(key: Key): boolean
  /** Whether the key goes back to what it was when a snapshot is restored. */
  isRestored(key: Key): boolean
  isCounter(key: Key): boolean
  readonly counterRanges: readonly { readonly from: Key; readonly to: Key }[]
  /** The sequence of a log entry that a branch shares with the data; undefined for all other keys. */
  sequenceOf(key: Key): bigint | undefined
  /** All logs whose entries have sequences. */
  readonly logRanges: readonly { readonly from: Key; readonly to: Key; readonly logBytes: number }[]
  /** Whether a transaction that reads the key proves that its process knows the current definitions. */
  provesDefinitions(key: Key | undefined): boolean
}

/** Tables, with everything that belongs to them. What concerns servers (leases, metrics, identities) or acts beyond the
 *  database (exports, functions, feeds, alarms) stays out of branches. */
const branchedSpaces: ReadonlySet<number> = new Set([
  keySpace.format,
  keySpace.catalog,
  keySpace.nextId,
  keySpace.purge,
  keySpace.droppedTable,
  keySpace.catalogVersion,
  keySpace.tableVersion,
  keySpace.clock,
  keySpace.progress,
  keySpace.item,
  keySpace.indexEntry,
  keySpace.collection,
  keySpace.counts,
  keySpace.token,
  keySpace.tokenExpiry,
  keySpace.itemExpiry,
  keySpace.itemStamp,
  keySpace.tombstone,
  keySpace.replicationCursor,
  keySpace.regionConditions,
  keySpace.conflict,
  keySpace.changeLog,
  keySpace.backup,
  keySpace.keptItem,
  keySpace.importJob,
  keySpace.importToken,
])

/** What only ever goes forward. Identifiers are never given twice, and time does not go back. */
const unrestoredSpaces: ReadonlySet<number> = new Set([
  keySpace.format,
  keySpace.nextId,
  keySpace.catalogVersion,
  keySpace.tableVersion,
  keySpace.clock,
])

/** Of `changeLogKey`. */
const logBytes = 9

export const branchLayout: BranchLayout = {
  isBranched: (key) => branchedSpaces.has(key[0] ?? 0),
  isRestored: (key) => !unrestoredSpaces.has(key[0] ?? 0),
  isCounter: (key) => keyPlacement.isCounter(key),
  counterRanges: keyPlacement.counterRanges,
  sequenceOf: (key) =>
    key[0] === keySpace.changeLog && key.length === logBytes + 8 ? sequenceOfKey(key) : undefined,
  logRanges: [{ from: Buffer.of(keySpace.changeLog), to: Buffer.of(keySpace.changeLog + 1), logBytes }],
  provesDefinitions: (key) => key?.[0] === keySpace.tableVersion,
}
