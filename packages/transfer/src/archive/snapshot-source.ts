import { StorageError, type Following, type Key, type KeyChange, type Store } from '@hashrange/engine'
import { encodeFrame } from './frame.ts'

/** A snapshot of a whole store while it is in use. It holds nothing open: entries are read in short ranges, each as
 *  it is at that moment, and the batches that are committed meanwhile are put between them. Applied in order, the
 *  frames result in the store's state at the end. */
export class SnapshotSource {
  readonly #store: Store
  readonly #now: () => number
  readonly #following: Following
  /** Batches since the last frames that were returned. */
  #frames: Buffer[] = []
  #waitingBytes = 0
  #nextKey: Key | undefined = Buffer.of(0)
  #lastBatch: number
  #isEnded = false

  constructor(store: Store, now: () => number) {
    if (store.follow === undefined) {
      throw new StorageError(
        'incompatible',
        'Only a data folder can be archived. For PostgreSQL, use its own backup tools: see docs/operations.md.',
      )
    }
    this.#store = store
    this.#now = now
    this.#following = store.follow((batch) => {
      this.#lastBatch = batch.number
      const frame = encodeFrame({ kind: 'batch', atMs: now(), ...batch })
      this.#frames.push(frame)
      this.#waitingBytes += frame.length
    })
    this.#lastBatch = this.#following.batch
    const { store: name, batch } = this.#following
    this.#frames.push(encodeFrame({ kind: 'start', start: { format: 1, store: name, batch, atMs: now() } }))
  }

  /** How many bytes are waiting because the store is written faster than they are consumed. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** The next frames, in order; undefined after the last. */
  async next(): Promise<Buffer | undefined> {
    if (this.#isEnded) return undefined
    if (this.#nextKey === undefined) this.#end()
    else await this.#readEntries(this.#nextKey)
    const frames = Buffer.concat(this.#frames)
    this.#frames = []
    this.#waitingBytes = 0
    return frames
  }

  /** The last batch that it contains. */
  get lastBatch(): number {
    return this.#lastBatch
  }

  stop(): void {
    this.#isEnded = true
    this.#following.stop()
  }

  async #readEntries(from: Key): Promise<void> {
    const changes: KeyChange[] = []
    let bytes = 0
    let isWhole = true
    await this.#store.view((snapshot) =>
      snapshot.range({ from, to: endOfKeys, limit: entriesAtOnce }, (key, value) => {
        changes.push({ key, value })
        bytes += key.length + value.length
        isWhole = changes.length < entriesAtOnce && bytes < bytesAtOnce
        return isWhole
      }),
    )
    const last = changes.at(-1)
    if (changes.length > 0) this.#frames.push(encodeFrame({ kind: 'entries', changes }))
    this.#nextKey = isWhole || last === undefined ? undefined : Buffer.concat([last.key, Buffer.of(0)])
  }

  #end(): void {
    this.#frames.push(encodeFrame({ kind: 'end', end: { batch: this.#lastBatch, atMs: this.#now() } }))
    this.stop()
  }
}

const entriesAtOnce = 2_000
const bytesAtOnce = 4 * 1024 * 1024
/** No key of the engine begins with it. */
const endOfKeys = Buffer.of(0xff)
