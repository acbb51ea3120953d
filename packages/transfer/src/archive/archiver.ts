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
  /** How much of the latest writes a lost machine may cost. */
  readonly everyMs?: number
  /** Called when the archive cannot be written, and with nothing when it can be again. */
  readonly onTrouble?: (error: unknown) => void
}

/** Keeps an archive from which the store can be brought back, at any moment since its first snapshot: a snapshot of everything, then
 *  whatever is committed, a few seconds later. */
export class Archiver {
  readonly #options: ArchiverOptions
  readonly #following: Following
  readonly #timer: NodeJS.Timeout
  #frames: Buffer[] = []
  #waitingBytes = 0
  #afterBatch: number
  #lastBatch: number
  #lastAtMs: number
  /** Whether batches are missing from the archive, so that only another snapshot continues it. */
  #needsSnapshot = false
  #logBytes = 0
  #snapshotBytes = 0
  #writing: Promise<void> | undefined
  #snapshotting: Promise<void> | undefined
  #isStopping = false
  #isInTrouble = false

  /** Goes on where the archive ends, if that is where the store is; else begins with a snapshot. */
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

  /** Settles when all that was committed so far is in the archive. */
  async flush(): Promise<void> {
    await this.#writing
    this.#work()
    await this.#writing
    await this.#snapshotting
  }

  /** Writes what is left. A snapshot that is not finished is given up. */
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

  /** Memory is bounded: what cannot be written for too long is left to the next snapshot. */
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
    // What is given up from here on asks for another one.
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
    // Given up meanwhile, or still there with more behind it.
    if (this.#frames !== frames) return
    const written = frames.slice(0, count).reduce((bytes, frame) => bytes + frame.length, 0)
    this.#frames = frames.slice(count)
    this.#waitingBytes -= written
    this.#afterBatch = batch
    this.#logBytes += written
    // A restore reads the log since the snapshot: it must not take for ever.
    if (this.#logBytes > Math.max(leastLogBytes, 2 * this.#snapshotBytes)) this.#needsSnapshot = true
  }
}

const usualEveryMs = 5_000
const mostWaitingBytes = 64 * 1024 * 1024
const leastLogBytes = 256 * 1024 * 1024
