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

/** Whether branches have what is in a space: tables do, with everything that belongs to them. What concerns servers (leases,
 *  metrics, identities) or acts beyond the database (exports, functions, feeds, alarms) stays out of them. */
const isSpaceBranched: Readonly<Record<keyof typeof keySpace, boolean>> = {
  format: true,
  catalog: true,
  nextId: true,
  purge: true,
  droppedTable: true,
  catalogVersion: true,
  tableVersion: true,
  clock: true,
  progress: true,
  item: true,
  indexEntry: true,
  collection: true,
  counts: true,
  token: true,
  tokenExpiry: true,
  itemExpiry: true,
  itemStamp: true,
  tombstone: true,
  replicationCursor: true,
  regionConditions: true,
  conflict: true,
  missedWrite: true,
  changeLog: true,
  backup: true,
  keptItem: true,
  importJob: true,
  importToken: true,
  lease: false,
  copyMark: false,
  exportJob: false,
  exportToken: false,
  metrics: false,
  partitionModel: false,
  customMetric: false,
  customPeriod: false,
  capacityReport: false,
  scalableTarget: false,
  scalingPolicy: false,
  scheduledAction: false,
  scalingActivity: false,
  alarm: false,
  alarmHistory: false,
  contributorInsights: false,
  stack: false,
  stackChangeSet: false,
  stackEvent: false,
  stackOperation: false,
  stackAsset: false,
  identity: false,
  kinesisStream: false,
  kinesisConsumer: false,
  kinesisShard: false,
  kinesisRecord: false,
  lambdaFunction: false,
  lambdaCode: false,
  eventSourceMapping: false,
  shardProgress: false,
  daxAttributeList: false,
  branchList: false,
  branchEntry: false,
  branchCounter: false,
  branchMark: false,
  kinesisDestination: false,
  changeFeed: false,
  pipe: false,
  httpEndpoint: false,
}

const branchedSpaces: ReadonlySet<number> = new Set(
  spaceNames().flatMap((name) => (isSpaceBranched[name] ? keySpace[name] : [])),
)

function spaceNames(): readonly (keyof typeof keySpace)[] {
  return Object.keys(keySpace) as (keyof typeof keySpace)[]
}

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
