import type { CommittedBatch, Following, Store } from '@hashrange/engine'
import { lastArchivedBatch, listArchive, logName } from './archive-names.ts'
import type { ArchivePlace } from './archive-place.ts'
import { encodeFrame } from './frame.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { writeCompressed } from './write-archive.ts'

export interface ArchiverOptions {
  readonly store: Store
  readonly to: ArchivePlace
  readonly now: () => number
  /** How much of the latest writes may be lost with a machine. */
  readonly everyMs?: number
  /** Called when the archive cannot be written, and with undefined when it can be again. */
  readonly onTrouble?: (error: unknown) => void
}

/** Maintains an archive from which the store can be restored, as of any moment since its first snapshot: a snapshot
 *  of everything, then everything that is committed, a few seconds later. */
export class Archiver {
  readonly #options: ArchiverOptions
  readonly #following: Following
  readonly #timer: NodeJS.Timeout
  #frames: Buffer[] = []
  #waitingBytes = 0
  #afterBatch: number
  #lastBatch: number
  #lastAtMs: number
  /** Whether batches are missing from the archive, so that it can only continue with another snapshot. */
  #needsSnapshot = false
  #logBytes = 0
  #snapshotBytes = 0
  #writing: Promise<void> | undefined
  #snapshotting: Promise<void> | undefined
  #isStopping = false
  #isInTrouble = false

  /** Continues where the archive ends, if that is where the store is; otherwise starts with a snapshot. */
  static async start(options: ArchiverOptions): Promise<Archiver> {
    const archiver = new Archiver(options)
    try {
      const { store, batch } = archiver.#following
      archiver.#needsSnapshot = lastArchivedBatch(await listArchive(options.to), store) !== batch
    } catch (error) {
      archiver.#following.stop()
      clearInterval(archiver.#timer)
      throw error
    }
    archiver.#work()
    return archiver
  }

  private constructor(options: ArchiverOptions) {
    if (options.store.follow === undefined) throw new Error('Only a data folder can be archived.')
    this.#options = options
    this.#following = options.store.follow((batch) => this.#take(batch))
    this.#afterBatch = this.#following.batch
    this.#lastBatch = this.#following.batch
    this.#lastAtMs = options.now()
    this.#timer = setInterval(() => this.#work(), options.everyMs ?? usualEveryMs).unref()
  }

  /** Resolves when everything that was committed so far is in the archive. */
  async flush(): Promise<void> {
    await this.#writing
    this.#work()
    await this.#writing
    await this.#snapshotting
  }

  /** Writes what is left. An unfinished snapshot is given up. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    await this.#snapshotting
    await this.#writing
    this.#following.stop()
    await this.#writeLog()
  }

  #take(batch: CommittedBatch): void {
    this.#lastBatch = batch.number
    this.#lastAtMs = this.#options.now()
    const frame = encodeFrame({ kind: 'batch', atMs: this.#lastAtMs, ...batch })
    this.#frames.push(frame)
    this.#waitingBytes += frame.length
    if (this.#waitingBytes > mostWaitingBytes) this.#giveUpBatches()
  }

  /** Memory is limited: what cannot be written for too long is left to the next snapshot. */
  #giveUpBatches(): void {
    this.#frames = []
    this.#waitingBytes = 0
    this.#afterBatch = this.#lastBatch
    this.#needsSnapshot = true
  }

  #work(): void {
    this.#writing ??= this.#tellingOfTrouble(this.#writeLog()).finally(() => {
      this.#writing = undefined
    })
    if (!this.#needsSnapshot || this.#isStopping) return
    this.#snapshotting ??= this.#tellingOfTrouble(this.#takeSnapshot()).finally(() => {
      this.#snapshotting = undefined
    })
  }

  async #tellingOfTrouble(work: Promise<void>): Promise<void> {
    try {
      await work
      if (this.#isInTrouble) this.#options.onTrouble?.(undefined)
      this.#isInTrouble = false
    } catch (error) {
      if (this.#isStopping) return
      if (!this.#isInTrouble) this.#options.onTrouble?.(error)
      this.#isInTrouble = true
    }
  }

  async #takeSnapshot(): Promise<void> {
    const { store, to, now } = this.#options
    let bytes = 0
    const onProgress = (soFar: number): void => {
      bytes = soFar
    }
    // Whatever is given up from here on requires another one.
    this.#needsSnapshot = false
    try {
      await takeSnapshot({ store, to, now, onProgress, isStopping: () => this.#isStopping })
    } catch (error) {
      this.#needsSnapshot = true
      throw error
    }
    this.#snapshotBytes = bytes
    this.#logBytes = 0
  }

  async #writeLog(): Promise<void> {
    if (this.#frames.length === 0) return
    const frames = this.#frames
    const [afterBatch, batch, atMs] = [this.#afterBatch, this.#lastBatch, this.#lastAtMs]
    const { store } = this.#following
    const start = encodeFrame({ kind: 'start', start: { format: 1, store, batch: afterBatch, atMs } })
    const end = encodeFrame({ kind: 'end', end: { batch, atMs } })
    const count = frames.length
    await writeCompressed(this.#options.to, logName(store, atMs, afterBatch, batch), [start, ...frames, end])
    // Given up meanwhile, or still there with more after it.
    if (this.#frames !== frames) return
    const written = frames.slice(0, count).reduce((bytes, frame) => bytes + frame.length, 0)
    this.#frames = frames.slice(count)
    this.#waitingBytes -= written
    this.#afterBatch = batch
    this.#logBytes += written
    // A restore reads the log since the snapshot, and must not take forever.
    if (this.#logBytes > Math.max(leastLogBytes, 2 * this.#snapshotBytes)) this.#needsSnapshot = true
  }
}

const usualEveryMs = 5_000
const mostWaitingBytes = 64 * 1024 * 1024
const leastLogBytes = 256 * 1024 * 1024
