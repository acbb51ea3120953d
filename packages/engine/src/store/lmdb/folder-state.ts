import type { KeyChange } from '../store.ts'
import { CheckpointFile, type Checkpoint } from './checkpoint-file.ts'
import type { StoredValues } from './data-file.ts'
import type { Disk } from './disk.ts'
import { latestState, metaPagesDamage, readMetaBytes } from './file-state.ts'
import { firstFormatBatches } from './first-format.ts'
import { isRedoFileOf, redoFileNames } from './redo-log.ts'
import { findBatches, firstGeneration, readBatch } from './redo-records.ts'

/** What opening a folder would result in, without doing so: a state of the data file, and the later batches. */
export interface FolderState {
  /** The file that contains the data. */
  readonly dataName: string
  /** LMDB's meta pages, as they are in the file or would be restored. */
  readonly metaPages: Buffer
  readonly values: StoredValues
  /** What came after, in order. */
  readonly changes: Iterable<readonly KeyChange[]>
  readonly batches: number
  /** Whether it was closed properly. */
  readonly isClean: boolean
}

export type OnFolderFault = (file: string, problem: string) => void

/** Reports what would keep the folder from being opened, or acknowledged writes from being found. Returns undefined
 *  if the folder contains no data, or none that can be inspected. */
export function readFolderState(disk: Disk, onFault: OnFolderFault): FolderState | undefined {
  if (!disk.exists('checkpoint')) return withoutCheckpoint(disk, onFault)
  const checkpoints = new CheckpointFile(disk)
  checkpoints.close()
  const { latest } = checkpoints
  if (latest === undefined) return withoutCheckpoint(disk, onFault)
  const dataName = latest.isReplacing && disk.exists('data.mdb.new') ? 'data.mdb.new' : 'data.mdb'
  if (!disk.exists(dataName)) {
    onFault(dataName, 'The file is missing.')
    return undefined
  }
  return latest.isClean ? fromClean(disk, dataName, latest, onFault) : fromCrash(disk, dataName, latest, onFault)
}

/** A folder from before there was a redo log, one whose first start was interrupted, or one that has lost its files. */
function withoutCheckpoint(disk: Disk, onFault: OnFolderFault): FolderState | undefined {
  if (firstGeneration(disk) !== -1) onFault('checkpoint', 'The file is missing or damaged.')
  if (!disk.exists('data.mdb')) return undefined
  const metaPages = metaBytesOf(disk, 'data.mdb')
  if (metaPages.length === 0) return undefined
  return { dataName: 'data.mdb', metaPages, values: 'bare', changes: [], batches: 0, isClean: true }
}

function fromClean(disk: Disk, dataName: string, latest: Checkpoint, onFault: OnFolderFault): FolderState {
  if (latest.store.length > 0 && firstGeneration(disk) > latest.generation) {
    onFault('checkpoint', 'The latest checkpoint that the redo log names is not in the file.')
  }
  const metaPages = metaBytesOf(disk, dataName)
  if (!metaPages.equals(latest.metaPages.bytes)) {
    onFault(dataName, 'Its meta pages are not those that were written when it was closed.')
  }
  // Those of the checkpoint have a checksum.
  return {
    dataName,
    metaPages: latest.metaPages.bytes,
    values: valuesOf(latest),
    changes: [],
    batches: 0,
    isClean: true,
  }
}

function fromCrash(disk: Disk, dataName: string, latest: Checkpoint, onFault: OnFolderFault): FolderState {
  const state = { dataName, metaPages: latest.metaPages.bytes, values: valuesOf(latest), isClean: false }
  const onDisk = metaBytesOf(disk, dataName)
  const isOlder =
    metaPagesDamage(onDisk) === undefined && latestState(onDisk).transaction < latest.metaPages.transaction
  if (isOlder) onFault(dataName, 'It is older than the other files of the folder, which must be copied together.')
  if (latest.store.length === 0) {
    const batches = [...firstFormatBatches(disk, latest.batch)].map(({ changes }) => changes)
    return { ...state, changes: batches, batches: batches.length }
  }
  for (const name of redoFileNames) {
    if (!isRedoFileOf(disk, name, latest.store))
      onFault(name, 'The file is missing, or is not a redo log of this folder.')
  }
  const { places, missing, newerGeneration } = findBatches(disk, latest.log, latest.batch, latest.generation)
  if (newerGeneration !== undefined) {
    onFault('checkpoint', 'The latest checkpoint that the redo log names is not in the file.')
  }
  if (missing !== undefined) {
    onFault(
      'redo log',
      `Batch ${missing} cannot be read, though batches after it can: acknowledged writes are lost.`,
    )
  }
  return { ...state, changes: places.map((place) => readBatch(disk, place)), batches: places.length }
}

function valuesOf({ store }: Checkpoint): StoredValues {
  return store.length === 0 ? 'bare' : 'checked'
}

function metaBytesOf(disk: Disk, name: string): Buffer {
  const file = disk.open(name)
  try {
    return readMetaBytes(file)
  } finally {
    file.close()
  }
}
