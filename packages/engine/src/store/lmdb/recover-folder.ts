import { randomBytes } from 'node:crypto'
import type { KeyChange } from '../store.ts'
import { CheckpointFile, type Checkpoint } from './checkpoint-file.ts'
import { commitInOrder } from './commit-in-order.ts'
import { hasChecksums, type CheckedDataFile, type DataFile, type HeldState } from './data-file.ts'
import type { Disk } from './disk.ts'
import { firstFormatBatches } from './first-format.ts'
import { checkMetaPages, isEmptyDataFile, readMetaPages, restoreMetaPages } from './meta-pages.ts'
import { RecentChanges } from './recent-changes.ts'
import { createRedoFiles, isRedoFileOf, redoFileNames } from './redo-log.ts'
import { findBatches, firstGeneration, readBatch, type BatchPlace } from './redo-records.ts'
import { finishReplacing, removeCopies, replaceDataFile } from './replace-data-file.ts'
import { assertSomeRoom } from './spare-room.ts'

export interface RecoverOptions {
  readonly disk: Disk
  readonly acceptsLoss?: boolean
  /** How much of the log is applied between two checkpoints. */
  readonly checkpointAfterBytes: number
  readonly changesPerCommit?: number | undefined
  readonly onRecovery?: (recovery: Recovery) => void
}

/** The outcome of recovering a folder. */
export interface Recovery {
  /** How many batches of the redo log were applied. */
  readonly batches: number
  /** The first batch that was dropped because the log is damaged; it and everything after it is lost. */
  readonly droppedFrom: number | undefined
}

/** A folder whose data file contains everything that was acknowledged. The previous state on disk is held until the
 *  next checkpoint. */
export interface RecoveredFolder {
  readonly data: CheckedDataFile
  readonly held: HeldState[]
  readonly store: Buffer
  readonly lastBatch: number
  readonly generation: number
  readonly checkpoints: CheckpointFile
}

/** Recovery may be interrupted at any moment, and then starts again: the checkpoint's pages and the batches of the
 *  log stay as they are until another checkpoint is on disk. */
export async function recoverFolder(options: RecoverOptions): Promise<RecoveredFolder> {
  const { disk } = options
  const hadCheckpointFile = disk.exists('checkpoint')
  if (!hadCheckpointFile) assertNothingWasLogged(disk)
  const checkpoints = new CheckpointFile(disk)
  try {
    const { latest } = checkpoints
    if (latest === undefined) return await withoutCheckpoint(disk, checkpoints, hadCheckpointFile)
    // A killed process may have written it without the system having brought it to disk.
    await checkpoints.sync()
    finishReplacing(disk, latest)
    removeCopies(disk)
    if (!disk.exists('data.mdb')) throw new Error('data.mdb is missing')
    if (latest.store.length === 0) return await fromFirstFormat(options, checkpoints, latest)
    return latest.isClean
      ? await fromClean(disk, checkpoints, latest)
      : await fromCrash(options, checkpoints, latest)
  } catch (error) {
    checkpoints.close()
    throw error
  }
}

/** A new folder, or one from before there was a redo log. */
async function withoutCheckpoint(
  disk: Disk,
  checkpoints: CheckpointFile,
  hadCheckpointFile: boolean,
): Promise<RecoveredFolder> {
  assertNothingWasLogged(disk)
  const store = randomBytes(8)
  if (disk.exists('data.mdb') && !(hadCheckpointFile && isEmpty(disk))) {
    if (hadCheckpointFile) throw new Error('the checkpoint file is damaged')
    assertMetaPages(disk)
    const data = disk.openData('data.mdb', 'bare')
    await orClosed(data, () => {
      assertBare(data)
    })
    return replaceOldData(disk, checkpoints, { data, store, lastBatch: 0 })
  }
  // The first start may have been interrupted: what LMDB left of its file is created again.
  await checkpoints.clear()
  if (disk.exists('data.mdb')) disk.remove('data.mdb')
  const data = disk.openData('data.mdb')
  await orClosed(data, async () => {
    await createRedoFiles(disk, store)
    disk.syncNames()
  })
  return { data, held: [], store, lastBatch: 0, generation: 0, checkpoints }
}

async function fromClean(disk: Disk, checkpoints: CheckpointFile, latest: Checkpoint): Promise<RecoveredFolder> {
  const newest = firstGeneration(disk)
  assertNoNewerCheckpoint(newest > latest.generation ? newest : undefined)
  if (checkpoints.mayReplace) await writeAgain(checkpoints, latest)
  if (!redoFileNames.every((name) => isRedoFileOf(disk, name, latest.store))) {
    await createRedoFiles(disk, latest.store)
    disk.syncNames()
  }
  const file = disk.open('data.mdb')
  try {
    if (readMetaPages(file).transaction !== latest.metaPages.transaction) {
      throw new Error('data.mdb does not belong to the other files of the folder, which must be copied together')
    }
    checkMetaPages(file)
  } finally {
    file.close()
  }
  const { store, batch: lastBatch, generation } = latest
  return { data: disk.openData('data.mdb'), held: [], store, lastBatch, generation, checkpoints }
}

async function fromCrash(
  options: RecoverOptions,
  checkpoints: CheckpointFile,
  latest: Checkpoint,
): Promise<RecoveredFolder> {
  const { disk, acceptsLoss = false, onRecovery } = options
  for (const name of redoFileNames) {
    if (isRedoFileOf(disk, name, latest.store) || acceptsLoss) continue
    throw new DamagedLogError(`${name} is missing, or is not a redo log of this folder`)
  }
  const { places, missing, newerGeneration } = findBatches(disk, latest.log, latest.batch, latest.generation)
  assertNoNewerCheckpoint(newerGeneration)
  if (missing !== undefined && !acceptsLoss) {
    throw new DamagedLogError(
      `the redo log is damaged: batch ${missing} cannot be read, though batches after it can. ${places.length} batches before it are whole`,
    )
  }
  if (places.length > 0) assertSomeRoom(disk)
  await writeAgain(checkpoints, latest)
  await restore(disk, latest)
  const data = disk.openData('data.mdb')
  const replay = new Replay(data, disk, checkpoints, latest)
  await orClosed(replay, async () => {
    await replay.run(batchesAt(disk, places), options)
    const isDamaged =
      missing !== undefined || !redoFileNames.every((name) => isRedoFileOf(disk, name, latest.store))
    onRecovery?.({ batches: places.length, droppedFrom: isDamaged ? replay.lastBatch + 1 : undefined })
    if (!isDamaged) return
    await replay.checkpoint(true)
    keepDamaged(disk)
    await createRedoFiles(disk, latest.store)
    disk.syncNames()
  })
  return {
    data,
    held: replay.held,
    store: latest.store,
    lastBatch: replay.lastBatch,
    generation: replay.generation,
    checkpoints,
  }
}

async function fromFirstFormat(
  { disk, onRecovery }: RecoverOptions,
  checkpoints: CheckpointFile,
  latest: Checkpoint,
): Promise<RecoveredFolder> {
  if (latest.isClean) assertMetaPages(disk)
  else await restore(disk, latest)
  const data = disk.openData('data.mdb', 'bare')
  // Nothing is marked as done before all of it is.
  const held = data.hold()
  let lastBatch = latest.batch
  await orClosed(data, () => {
    try {
      for (const { batch, changes } of firstFormatBatches(disk, latest.batch)) {
        data.commitSync(changes)
        lastBatch = batch
      }
      onRecovery?.({ batches: lastBatch - latest.batch, droppedFrom: undefined })
    } finally {
      held.release()
    }
  })
  return replaceOldData(disk, checkpoints, { data, store: randomBytes(8), lastBatch })
}

/** Upgrades data of an earlier format. */
async function replaceOldData(
  disk: Disk,
  checkpoints: CheckpointFile,
  { data: old, store, lastBatch }: { readonly data: DataFile; readonly store: Buffer; readonly lastBatch: number },
): Promise<RecoveredFolder> {
  const generation = await replaceDataFile({ disk, from: old, checkpoints, store, lastBatch })
  await createRedoFiles(disk, store)
  disk.syncNames()
  return { data: disk.openData('data.mdb'), held: [], store, lastBatch, generation, checkpoints }
}

/** Rewrites the data of a recovered folder, without the space that it no longer needs. */
export async function compactFolder(disk: Disk, recovered: RecoveredFolder): Promise<RecoveredFolder> {
  const { data, store, lastBatch, checkpoints } = recovered
  for (const held of recovered.held) held.release()
  try {
    const generation = await replaceDataFile({ disk, from: data, checkpoints, store, lastBatch })
    return { ...recovered, data: disk.openData('data.mdb'), held: [], generation }
  } catch (error) {
    checkpoints.close()
    throw error
  }
}

/** If this fails, LMDB must not keep the file open. Whoever opened the folder again in this process would get what LMDB
 *  remembers, while the file has been taken back to its checkpoint. */
export async function orClosed<T>(file: { close(): Promise<void> }, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Applies the batches, with checkpoints in between: a recovery that is interrupted again and again still makes
 *  progress, and needs no more space than writing did. */
class Replay {
  readonly #data: CheckedDataFile
  readonly #disk: Disk
  readonly #checkpoints: CheckpointFile
  readonly #latest: Checkpoint
  held: HeldState[]
  lastBatch: number
  generation: number

  constructor(data: CheckedDataFile, disk: Disk, checkpoints: CheckpointFile, latest: Checkpoint) {
    this.#data = data
    this.#disk = disk
    this.#checkpoints = checkpoints
    this.#latest = latest
    // Without it LMDB would reuse pages of the checkpoint for what is applied, and a crash now would find them
    // overwritten.
    this.held = [data.hold()]
    this.lastBatch = latest.batch
    this.generation = latest.generation
  }

  async run(batches: Iterable<LoggedBatch>, options: RecoverOptions): Promise<void> {
    let bytes = 0
    let gathered = new RecentChanges()
    for (const { batch, changes, bytes: batchBytes } of batches) {
      gathered.add(changes)
      this.lastBatch = batch
      bytes += batchBytes
      if (bytes < options.checkpointAfterBytes) continue
      await commitInOrder(gathered, this.#data, options)
      await this.checkpoint(false)
      gathered = new RecentChanges()
      bytes = 0
    }
    await commitInOrder(gathered, this.#data, options)
  }

  /** The log stays the same: what was not applied yet is still needed. */
  async checkpoint(isClean: boolean): Promise<void> {
    const { store, log } = this.#latest
    const held = this.#data.hold()
    this.held.push(held)
    const file = this.#disk.open('data.mdb')
    try {
      const metaPages = readMetaPages(file)
      await file.sync()
      const checkpoint = { batch: this.lastBatch, metaPages, isClean, isReplacing: false, store, log }
      // In both slots, so that none refers to pages that may be reused from now on.
      this.generation = await this.#checkpoints.writeBoth(checkpoint)
    } finally {
      file.close()
    }
    for (const earlier of this.held) if (earlier !== held) earlier.release()
    this.held = [held]
  }

  close(): Promise<void> {
    for (const held of this.held) held.release()
    return this.#data.close()
  }
}

interface LoggedBatch {
  readonly batch: number
  readonly changes: readonly KeyChange[]
  readonly bytes: number
}

function* batchesAt(disk: Disk, places: readonly BatchPlace[]): Iterable<LoggedBatch> {
  for (const place of places) yield { batch: place.batch, changes: readBatch(disk, place), bytes: place.bytes }
}

/** Writes the latest checkpoint once more, over the previous one: what is applied now may reuse pages of that one. If
 *  it was the checkpoint of a replacement, that is over, and must not take the next `data.mdb.new` for complete. */
async function writeAgain(checkpoints: CheckpointFile, latest: Checkpoint): Promise<void> {
  do await checkpoints.write({ ...latest, isReplacing: false })
  while (checkpoints.mayReplace)
}

/** Bytes on disk were changed or lost, and acknowledged writes with them. */
export class DamagedLogError extends Error {}

function assertNoNewerCheckpoint(generation: number | undefined): void {
  if (generation !== undefined)
    throw new Error(`the checkpoint file is damaged: checkpoint ${generation} is not in it`)
}

function assertNothingWasLogged(disk: Disk): void {
  if (firstGeneration(disk) !== -1) throw new Error('the checkpoint file is missing or damaged')
}

async function restore(disk: Disk, latest: Checkpoint): Promise<void> {
  const file = disk.open('data.mdb')
  try {
    await restoreMetaPages(file, latest.metaPages)
    checkMetaPages(file)
  } finally {
    file.close()
  }
}

function assertBare(data: DataFile): void {
  if (hasChecksums(data))
    throw new Error(
      'the checkpoint file and the redo logs are missing; the files of a folder must be copied together',
    )
}

function assertMetaPages(disk: Disk): void {
  const file = disk.open('data.mdb')
  try {
    checkMetaPages(file)
  } finally {
    file.close()
  }
}

function isEmpty(disk: Disk): boolean {
  const file = disk.open('data.mdb')
  try {
    return isEmptyDataFile(file)
  } finally {
    file.close()
  }
}

/** Dropped data is not deleted: somebody may want to inspect it. */
function keepDamaged(disk: Disk): void {
  for (const name of redoFileNames) if (disk.exists(name)) disk.rename(name, `${name}.damaged`)
}
