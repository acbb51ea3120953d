import { randomBytes } from 'node:crypto'
import type { KeyChange } from '../store.ts'
import type { StoreTimers } from '../store-timers.ts'
import type { StoreVerification } from '../store.ts'
import type { CheckpointFile } from './checkpoint-file.ts'
import type { DataFile, HeldState } from './data-file.ts'
import type { Disk, DiskFile } from './disk.ts'
import { readState, type FileState } from './file-state.ts'
import { readMetaPages } from './meta-pages.ts'
import { compactFolder, recoverFolder, type RecoveredFolder, type Recovery } from './recover-folder.ts'
import { RedoLog } from './redo-log.ts'

export interface JournalOptions {
  readonly disk: Disk
  readonly timers: StoreTimers
  /** How often what was written is brought from the redo log to the data file, at the most. */
  readonly checkpointEveryMs: number
  /** After how many bytes of the redo log it is brought there in any case. What lies between is read again after a crash. */
  readonly checkpointAfterBytes: number
  /** Goes on with what a damaged redo log still has, up to the damage. */
  readonly acceptsLoss?: boolean
  /** Writes the data file anew, without the room that it does not need any more. */
  readonly compacts?: boolean
  readonly onRecovery?: (recovery: Recovery) => void
}

/** Makes LMDB durable at the price of one sequential write a batch. LMDB itself commits without waiting for the disk: each of
 *  its commits would write some pages for every key, wherever in the file they happen to lie, and the more of them
 *  the larger the file is. Instead a batch is first written to the redo log; then it is committed to LMDB, and acknowledged.
 *
 *  From time to time a checkpoint brings the data file to disk: the meta pages of the moment are noted, the file is synced,
 *  and the note is written to the checkpoint file. A state of LMDB that is held from one checkpoint to the next keeps it from using
 *  any page of the checkpoint for something else. So whatever later commits had reached the disk when the machine stopped,
 *  the noted meta pages find every page they need; the redo log has all that came after.
 *
 *  After a write that fails, what of it is in the file is not known. Nothing is written until `resume` has made a checkpoint of all that was
 *  acknowledged, and the number of the batch that failed is not used again: so it does not count, whatever is left of it. */
export class Journal {
  readonly data: DataFile
  readonly #dataBytes: DiskFile
  readonly #log: RedoLog
  readonly #checkpoints: CheckpointFile
  readonly #store: Buffer
  readonly #options: JournalOptions
  /** The log of this process. What one before it has written counts until the first checkpoint, and not after. */
  readonly #logName: Buffer
  #generation: number
  #lastBatch: number
  /** Keep the pages of the latest checkpoint as they are, and those of attempts that failed since. */
  #held: HeldState[]
  /** Those of the checkpoint before. They may be used again once the log tells of the latest: if that is damaged later, the one before must not be
   *  taken for a state that is still there. */
  #superseded: HeldState[] = []
  #checkpointing: Promise<void> | undefined
  #checkpointedAt: number
  #failure: JournalFailure | undefined
  #tellFailure: () => void = () => undefined

  /** Takes the data file back to its latest checkpoint, unless it was closed in order, and brings in what came after. */
  static async open(options: JournalOptions): Promise<Journal> {
    const found = await recoverFolder(options)
    const recovered = options.compacts === true ? await compactFolder(options.disk, found) : found
    const journal = new Journal(options, recovered)
    // From here on the folder is marked as one that was not closed, and the log that was read does not count any more.
    try {
      await journal.#checkpoint(false)
    } catch (error) {
      journal.#release()
      await recovered.data.close()
      throw error
    }
    return journal
  }

  private constructor(options: JournalOptions, recovered: RecoveredFolder) {
    this.#options = options
    this.data = recovered.data
    this.#store = recovered.store
    this.#lastBatch = recovered.lastBatch
    this.#generation = recovered.generation
    this.#held = recovered.held
    this.#checkpoints = recovered.checkpoints
    this.#logName = randomBytes(8)
    this.#log = new RedoLog(options.disk, this.#logName)
    this.#dataBytes = options.disk.open('data.mdb')
    this.#checkpointedAt = options.timers.now()
  }

  /** Names the folder. */
  get store(): string {
    return this.#store.toString('hex')
  }

  get lastBatch(): number {
    return this.#lastBatch
  }

  /** Settles with its number when the batch is safe. A number is used once, whatever becomes of its batch. */
  async append(changes: readonly KeyChange[]): Promise<number> {
    this.#assertNotFailed()
    const batch = ++this.#lastBatch
    const generation = this.#generation
    try {
      await this.#log.append(batch, generation, changes)
      if (generation === this.#generation) this.#releaseSuperseded()
      return batch
    } catch (cause) {
      this.fail(cause)
      throw cause
    }
  }

  /** Nothing is written any more: a write failed, or a batch that is in the log could not be committed to the data file. */
  fail(cause: unknown, isFinal = false): void {
    const isNew = this.#failure === undefined
    if (isNew || isFinal) this.#failure = { cause, isFinal }
    if (isNew) this.#tellFailure()
  }

  /** Calls `tell` when writes begin to fail. */
  onFailure(tell: () => void): void {
    this.#tellFailure = tell
  }

  /** Why nothing is written any more. */
  get failure(): JournalFailure | undefined {
    return this.#failure
  }

  /** Goes on after a failure, if the disk lets it. To be called when nothing is on its way to the log or the data file. What was
   *  refused does not come back. */
  async resume(): Promise<void> {
    await this.#checkpointing
    if (this.#failure === undefined) return
    if (this.#failure.isFinal) throw this.#failure.cause
    await this.#assertRoom()
    await this.#checkpoint(false)
    this.#failure = undefined
  }

  /** How long after a write the data file has it even if no other follows. */
  get idleMs(): number {
    return Math.min(this.#options.checkpointEveryMs, longestTimerMs)
  }

  get isCheckpointDue(): boolean {
    if (this.#checkpointing !== undefined) return this.#log.bytes > tooManyBytes
    if (this.#log.bytes > this.#options.checkpointAfterBytes) return true
    return this.#options.timers.now() - this.#checkpointedAt > this.#options.checkpointEveryMs
  }

  /** Begins a checkpoint, and waits for its end only if the disk cannot keep up. To be called when everything that was appended is
   *  in LMDB, and nothing is on its way there. */
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

  /** Looks at the data file, which goes on being used. Loaded when it is asked for. */
  async verify(run: StoreVerification): Promise<boolean> {
    const { verifyDataFile } = await import('./verify-data-file.ts')
    const hold = (): { readonly state: FileState; release(): void } => {
      const held = this.data.hold()
      // A commit may be under way: then the pages that are read are of the state before it or after it, and both are kept.
      return { state: readState(this.#dataBytes), release: () => held.release() }
    }
    return verifyDataFile({ name: 'data.mdb', file: this.#dataBytes, values: 'checked', hold, run })
  }

  /** Without a failure, leaves the folder in a state that needs no recovery. */
  async close(): Promise<void> {
    await this.#checkpointing
    try {
      if (this.#failure === undefined) await this.#checkpoint(true)
    } finally {
      this.#release()
    }
  }

  #release(): void {
    this.#releaseSuperseded()
    for (const held of this.#held) held.release()
    this.#dataBytes.close()
    this.#log.close()
    this.#checkpoints.close()
  }

  async #checkpoint(isClean: boolean): Promise<void> {
    const batch = this.#lastBatch
    const held = this.data.hold()
    // Kept even if this fails: its note may have reached the disk all the same.
    this.#held.push(held)
    const metaPages = readMetaPages(this.#dataBytes)
    this.#log.switchFile()
    const log = this.#logName
    this.#checkpointedAt = this.#options.timers.now()
    await this.#syncData()
    const store = this.#store
    this.#generation = await this.#checkpoints.write({ batch, metaPages, isClean, isReplacing: false, store, log })
    this.#superseded.push(...this.#held.filter((earlier) => earlier !== held))
    this.#held = [held]
  }

  #releaseSuperseded(): void {
    for (const held of this.#superseded) held.release()
    this.#superseded = []
  }

  /** A sync that succeeds after one that failed need not have written what that one left: what the disk holds is not known any
   *  more. The redo log has it, and opening the folder anew brings it back. */
  async #syncData(): Promise<void> {
    try {
      await this.#dataBytes.sync()
    } catch (cause) {
      this.fail(cause, true)
      throw cause
    }
  }

  #assertNotFailed(): void {
    if (this.#failure !== undefined)
      throw new Error('an earlier write did not reach the disk', { cause: this.#failure.cause })
  }

  /** Whether the disk takes more: what cannot be written must not be tried on somebody's data. */
  async #assertRoom(): Promise<void> {
    const zeros = Buffer.alloc(probedBytes)
    const probe = this.#options.disk.open('probe', 'everyWrite')
    try {
      await probe.write(zeros, 0)
    } finally {
      probe.close()
      this.#options.disk.remove('probe')
    }
    // LMDB writes its pages over what lies behind its last one.
    const end = Math.ceil(this.#dataBytes.size() / probedBytes) * probedBytes
    await this.#dataBytes.write(zeros, end)
  }
}

export interface JournalFailure {
  readonly cause: unknown
  /** Whether only opening the folder anew helps. */
  readonly isFinal: boolean
}

const longestTimerMs = 2 ** 31 - 1
const tooManyBytes = 128 * 1024 * 1024
const probedBytes = 256 * 1024
