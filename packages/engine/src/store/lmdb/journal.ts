import { randomBytes } from 'node:crypto'
import type { KeyChange } from '../store.ts'
import type { StoreTimers } from '../store-timers.ts'
import type { StoreVerification } from '../store.ts'
import { BufferedDataFile } from './buffered-data-file.ts'
import type { Checkpoint, CheckpointFile } from './checkpoint-file.ts'
import { DataCopy, type CopyPace } from './data-copy.ts'
import type { HeldState } from './data-file.ts'
import type { Disk, DiskFile } from './disk.ts'
import { readState } from './file-state.ts'
import { readMetaPages } from './meta-pages.ts'
import { compactFolder, orClosed, recoverFolder, type RecoveredFolder, type Recovery } from './recover-folder.ts'
import { RedoLog } from './redo-log.ts'
import { copyNames, newName, takeName } from './replace-data-file.ts'
import { SpareRoom } from './spare-room.ts'
import { SwitchingDataFile } from './switching-data-file.ts'
import type { HeldPages } from './verify-data-file.ts'

export interface JournalOptions {
  readonly disk: Disk
  readonly timers: StoreTimers
  /** How often changes are brought from the redo log to the data file, at most. */
  readonly checkpointEveryMs: number
  /** After how many bytes of the redo log they are brought there in any case. What is in between is read again after
   *  a crash. */
  readonly checkpointAfterBytes: number
  /** How much memory changes may take that the data file does not have yet. */
  readonly mostRecentBytes?: number
  /** How large a batch is that goes to the data file itself. */
  readonly directBytes?: number
  /** How many changes are brought to the data file at once. */
  readonly changesPerCommit?: number
  /** Continues with what a damaged redo log still contains, up to the damage. */
  readonly acceptsLoss?: boolean
  /** Rewrites the data file, without the space that it no longer needs. */
  readonly compacts?: boolean
  readonly onRecovery?: (recovery: Recovery) => void
  /** How fast the data file is copied while it is in use. */
  readonly copyPace?: CopyPace
}

/** Makes LMDB durable for the price of one sequential write per batch. LMDB itself commits without waiting for the
 *  disk: each of its commits would write some pages for every key, wherever in the file they are, and more of them
 *  the larger the file is. Instead, a batch is first written to the redo log; then it is added to the recent changes in
 *  memory, and acknowledged. From time to time a checkpoint commits these to LMDB and brings the data file to disk: the
 *  current meta pages are copied, the file is synced, and the copy is written to the checkpoint file. A state of LMDB that is held from one checkpoint
 *  to the next keeps it from reusing any page of the checkpoint. So whichever later commits had reached the disk when
 *  the machine stopped, the copied meta pages find every page they need; the redo log has everything that came after.
 *  After a failed write, it is unknown how much of it is in the file. Nothing is written until `resume` has made a
 *  checkpoint of everything that was acknowledged, and the number of the failed batch is not used again: so it does
 *  not count, whatever is left of it. */
export class Journal {
  /** With the latest changes above it. */
  readonly data: BufferedDataFile
  readonly #file: SwitchingDataFile
  #dataBytes: DiskFile
  /** The name that LMDB knows the data file by. */
  #openedAs = 'data.mdb'
  readonly #log: RedoLog
  readonly #room: SpareRoom
  readonly #checkpoints: CheckpointFile
  readonly #store: Buffer
  readonly #options: JournalOptions
  /** The log of this process. What an earlier process has written counts until the first checkpoint, and not after. */
  readonly #logName: Buffer
  #generation: number
  #lastBatch: number
  /** Keep the pages of the latest checkpoint, and those of attempts that have failed since. */
  #held: HeldState[]
  /** Those of the previous checkpoint. They may be reused once the log mentions the latest: if that is damaged later,
   *  the previous one must not be taken for a state that still exists. */
  #superseded: HeldState[] = []
  /** The checkpoint of a copy that has replaced the data file, until it is known to be on disk. */
  #unfinished: Omit<Checkpoint, 'generation' | 'isReplacing'> | undefined
  #checkpointing: Promise<void> | undefined
  #checkpointedAt: number
  #failure: JournalFailure | undefined
  #tellFailure: () => void = () => undefined

  /** Takes the data file back to its latest checkpoint, unless it was closed properly, and applies what came after. */
  static async open(options: JournalOptions): Promise<Journal> {
    const found = await recoverFolder(options)
    const recovered = options.compacts === true ? await compactFolder(options.disk, found) : found
    const journal = await orClosed(recovered.data, () => new Journal(options, recovered))
    // From here on the folder is marked as not closed, and the log that was read no longer counts. If batches of it were
    // applied, no slot may need them: they are overwritten from now on.
    const wasApplied = recovered.held.length > 0
    try {
      await journal.#checkpoint(false, wasApplied)
    } catch (error) {
      journal.#release()
      await journal.data.close()
      throw error
    }
    return journal
  }

  private constructor(options: JournalOptions, recovered: RecoveredFolder) {
    this.#options = options
    this.#file = new SwitchingDataFile(recovered.data)
    this.data = new BufferedDataFile(this.#file, {
      mostBytes: options.mostRecentBytes ?? mostRecentBytes,
      directBytes: options.directBytes,
      changesPerCommit: options.changesPerCommit,
      before: (bytes) => this.#room.assertFor(bytes),
      onFailure: (cause) => this.fail(cause),
    })
    this.#store = recovered.store
    this.#lastBatch = recovered.lastBatch
    this.#generation = recovered.generation
    this.#held = recovered.held
    this.#checkpoints = recovered.checkpoints
    this.#logName = randomBytes(8)
    this.#log = new RedoLog(options.disk, this.#logName)
    this.#room = new SpareRoom(options.disk, options.timers)
    this.#dataBytes = options.disk.open('data.mdb')
    this.#checkpointedAt = options.timers.now()
  }

  /** Identifies the folder. */
  get store(): string {
    return this.#store.toString('hex')
  }

  get lastBatch(): number {
    return this.#lastBatch
  }

  /** Resolves with its number when the batch is safe. A number is used once, whatever happens to its batch. */
  async append(changes: readonly KeyChange[]): Promise<number> {
    this.#assertNotFailed()
    const batch = ++this.#lastBatch
    const generation = this.#generation
    try {
      this.#room.assertFor(bytesOf(changes), this.data.bytes)
      await this.#log.append(batch, generation, changes)
      if (generation === this.#generation) this.#releaseSuperseded()
      return batch
    } catch (cause) {
      this.fail(cause)
      throw cause
    }
  }

  /** Nothing is written any more: a write failed, or a batch that is in the log could not be committed to the data
   *  file. */
  fail(cause: unknown, isFinal = false): void {
    const isNew = this.#failure === undefined
    if (isNew || isFinal) this.#failure = { cause, isFinal }
    if (isNew) this.#tellFailure()
  }

  /** Calls `tell` when writes start to fail. */
  onFailure(tell: () => void): void {
    this.#tellFailure = tell
  }

  /** Why nothing is written any more. */
  get failure(): JournalFailure | undefined {
    return this.#failure
  }

  /** Continues after a failure, if the disk allows it. Call this when nothing is being written to the log or the data
   *  file. Rejected writes do not come back. */
  async resume(): Promise<void> {
    await this.#checkpointing
    if (this.#failure === undefined) return
    if (this.#failure.isFinal) throw this.#failure.cause
    await this.data.exclusively(() => this.#assertRoom())
    await this.#finishSwitch()
    await this.#checkpoint(false)
    this.#failure = undefined
  }

  /** How long after a write it reaches the data file even if no other write follows. */
  get idleMs(): number {
    return Math.min(this.#options.checkpointEveryMs, longestTimerMs)
  }

  get isCheckpointDue(): boolean {
    if (this.#checkpointing !== undefined) return this.#log.bytes > tooManyBytes
    if (this.#log.bytes > this.#options.checkpointAfterBytes) return true
    return this.#options.timers.now() - this.#checkpointedAt > this.#options.checkpointEveryMs
  }

  /** Starts a checkpoint, and only waits for its end if the disk cannot keep up. Call this when everything that was
   *  appended is in `data`, and nothing is being appended. */
  async checkpoint(): Promise<void> {
    if (this.#log.bytes > tooManyBytes) await this.#checkpointing
    if (this.#failure !== undefined) return
    if (this.#checkpointing !== undefined || this.#log.bytes === 0) return
    this.#checkpointing = this.#checkpoint(false)
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#checkpointing = undefined
      })
  }

  /** Verifies the data file while it is in use, with everything that was written before. Loaded on demand. */
  async verify(run: StoreVerification): Promise<boolean> {
    await this.data.flush(() => undefined).catch((cause: unknown) => this.fail(cause))
    const { verifyDataFile } = await import('./verify-data-file.ts')
    const hold = (): HeldPages => {
      const held = this.#file.hold()
      const file = this.#dataBytes
      // A commit may be running: then the pages that are read belong to the state before it or after it, and both are
      // kept.
      return { file, state: readState(file), release: () => held.release() }
    }
    return verifyDataFile({ name: 'data.mdb', values: 'checked', hold, run })
  }

  size(): DataSize {
    const { pageBytes, main } = readState(this.#dataBytes)
    const pages = main.branchPages + main.leafPages + main.overflowPages
    return {
      bytes: this.#dataBytes.size(),
      neededBytes: pages * pageBytes,
      freeBytes: this.#options.disk.freeBytes(),
      entries: main.entries,
    }
  }

  /** Starts a copy of the data file, to replace it. One at a time, until the old file is closed. */
  copyData(): DataCopy {
    this.#assertNotFailed()
    const { disk, timers, copyPace: pace } = this.#options
    const name = copyNames.find((free) => free !== this.#openedAs) ?? copyNames[0]
    return new DataCopy({ disk, timers, from: this.data, name, pace })
  }

  /** Replaces the data file with a copy. Call this when nothing is being written to the log or the data file. If this
   *  throws, everything is as it was. A failure after that stops writes, like a failure of any write. `closed`
   *  resolves when the old file is closed. */
  async switchTo(copy: DataCopy): Promise<{ readonly closed: Promise<void> }> {
    const { disk, timers } = this.#options
    await this.#checkpointing
    this.#assertNotFailed()
    await this.data.flush(() => undefined)
    await copy.complete()
    disk.rename(copy.name, newName)
    disk.syncNames()
    const metaPages = readMetaPages(copy.file)
    const { held, closed } = this.#file.switchTo(copy.data)
    // From here on there is no way back. Nobody writes to the old file any more, so its pages need not be held.
    for (const earlier of [...this.#superseded, ...this.#held]) earlier.release()
    this.#superseded = []
    this.#held = [held]
    const before = this.#dataBytes
    this.#dataBytes = copy.file
    this.#openedAs = copy.name
    this.#log.switchFile()
    this.#checkpointedAt = timers.now()
    this.#unfinished = { batch: this.#lastBatch, metaPages, isClean: false, store: this.#store, log: this.#logName }
    await this.#finishSwitch().catch((error: unknown) => this.fail(error))
    return { closed: closed.finally(() => before.close()) }
  }

  /** Without a failure, leaves the folder in a state that needs no recovery. */
  async close(): Promise<void> {
    await this.#checkpointing
    try {
      if (this.#failure === undefined) await this.#checkpoint(true)
    } finally {
      // After a failure, recent changes may still be on their way to the data file. They must not take the place of pages
      // of the checkpoint.
      await this.data.exclusively(() => {
        this.#release()
      })
    }
  }

  #release(): void {
    this.#releaseSuperseded()
    for (const held of this.#held) held.release()
    this.#dataBytes.close()
    this.#log.close()
    this.#checkpoints.close()
  }

  async #checkpoint(isClean: boolean, inBoth = false): Promise<void> {
    const batch = this.#lastBatch
    const log = this.#logName
    this.#checkpointedAt = this.#options.timers.now()
    // At once: what is appended from now on is not part of this checkpoint.
    this.#log.switchFile()
    const { held, metaPages } = await this.data.flush(() => {
      const state = this.#file.hold()
      // Kept even if this fails: its note may have reached the disk all the same.
      this.#held.push(state)
      return { held: state, metaPages: readMetaPages(this.#dataBytes) }
    })
    await this.#orFailFinally(() => this.#dataBytes.sync())
    const checkpoint = { batch, metaPages, isClean, isReplacing: false, store: this.#store, log }
    const checkpoints = this.#checkpoints
    this.#generation = await (inBoth ? checkpoints.writeBoth(checkpoint) : checkpoints.write(checkpoint))
    this.#superseded.push(...this.#held.filter((earlier) => earlier !== held))
    this.#held = [held]
  }

  /** The moment of the change is the first of these checkpoints, or perhaps the second, if the first has failed. Each
   *  is in both slots: none may refer to pages of the old file, and at the end none may take a later copy for
   *  complete. Safe to repeat. */
  async #finishSwitch(): Promise<void> {
    const checkpoint = this.#unfinished
    if (checkpoint === undefined) return
    const { disk } = this.#options
    await this.#checkpoints.writeBoth({ ...checkpoint, isReplacing: true })
    await this.#orFailFinally(() => takeName(disk))
    this.#generation = await this.#checkpoints.writeBoth({ ...checkpoint, isReplacing: false })
    this.#unfinished = undefined
  }

  #releaseSuperseded(): void {
    for (const held of this.#superseded) held.release()
    this.#superseded = []
  }

  /** A sync that succeeds after a failed one need not have written what the failed one left: the contents of the disk
   *  are unknown. The redo log has everything, and reopening the folder restores it. */
  async #orFailFinally(sync: () => void | Promise<void>): Promise<void> {
    try {
      await sync()
    } catch (cause) {
      this.fail(cause, true)
      throw cause
    }
  }

  #assertNotFailed(): void {
    if (this.#failure !== undefined)
      throw new Error('an earlier write did not reach the disk', { cause: this.#failure.cause })
  }

  /** Whether the disk has space again: this must not be tried with somebody's data. Call this when nothing is being written
   *  to the data file: what is written here could be in place of its pages. */
  async #assertRoom(): Promise<void> {
    this.#room.assertLeft()
    const zeros = Buffer.alloc(probedBytes)
    const probe = this.#options.disk.open('probe', 'everyWrite')
    try {
      await probe.write(zeros, 0)
    } finally {
      probe.close()
      this.#options.disk.remove('probe')
    }
    // LMDB writes its pages over what comes after its last one. The file must not grow with each attempt.
    const { lastPage, pageBytes } = readState(this.#dataBytes)
    await this.#dataBytes.write(zeros, (lastPage + 1) * pageBytes)
  }
}

/** The size of the data file, how much of it is needed, and how much more the disk could take. */
export interface DataSize {
  readonly bytes: number
  readonly neededBytes: number
  readonly freeBytes: number
  readonly entries: number
}

export interface JournalFailure {
  readonly cause: unknown
  /** Whether only reopening the folder helps. */
  readonly isFinal: boolean
}

function bytesOf(changes: readonly KeyChange[]): number {
  let bytes = 0
  for (const { key, value } of changes) bytes += key.length + (value?.length ?? 0)
  return bytes
}

const longestTimerMs = 2 ** 31 - 1
const tooManyBytes = 128 * 1024 * 1024
const probedBytes = 256 * 1024
const mostRecentBytes = 64 * 1024 * 1024
