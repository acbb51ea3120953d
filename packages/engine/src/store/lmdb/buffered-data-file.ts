import { keyText } from '../key-text.ts'
import type { Key, KeyChange, Range, Value } from '../store.ts'
import { ChangesInRange } from './changes-in-range.ts'
import { commitInOrder, type CommitOptions } from './commit-in-order.ts'
import { noValue, type CheckedDataFile, type DataFile, type HeldState } from './data-file.ts'
import { RecentChanges } from './recent-changes.ts'

/** A data file with what was committed a moment ago in memory, above it. Reads show both. The file below gets many
 *  commits as one, each key once and in the order of keys: so a page that many of them change is written once. Nothing
 *  here is safe from a crash: the redo log has it. */
export class BufferedDataFile implements DataFile {
  readonly #below: CheckedDataFile
  readonly #options: BufferOptions
  /** What is being brought to the file, and what states are held of, oldest first. These do not change any more. */
  #waiting: readonly RecentChanges[] = []
  #latest = new RecentChanges()
  /** Resolves when nothing is being written to the file. */
  #writing: Promise<unknown> = Promise.resolve()
  #isFlushing = false

  constructor(below: CheckedDataFile, options: BufferOptions) {
    this.#below = below
    this.#options = options
  }

  /** Roughly how much memory the changes take. */
  get bytes(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes, this.#latest.bytes)
  }

  get(key: Key, at?: HeldState): Value | undefined {
    if (at !== undefined) return valueAt(at as HeldLayers, key, this.#below)
    if (this.#latest.count === 0 && this.#waiting.length === 0) return this.#below.get(key)
    const name = keyText(key)
    let recent = this.#latest.get(name)
    if (recent === undefined) recent = recentValue(this.#waiting, name)
    return recent === undefined ? this.#below.get(key) : valueOf(recent)
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean, at?: HeldState): void {
    const { layers, below } = at === undefined ? this.#now() : (at as HeldLayers)
    const changes = layers.length === 0 ? undefined : new ChangesInRange(layers, bounds)
    if (changes?.next === undefined) this.#below.range(bounds, visit, below)
    else rangeWith(changes, this.#below, bounds, visit, below)
  }

  /** Reads show a few changes at once, and this only waits where the file cannot keep up. Many are committed to the file
   *  itself: they fill its pages by themselves, and should not be copied first. */
  async commit(changes: readonly KeyChange[]): Promise<void> {
    const { mostBytes, directBytes = mostBytes / 64 } = this.#options
    if (isLarge(changes, directBytes)) {
      await this.#flushThen(() => this.#below.commit(changes))
      return
    }
    this.commitSync(changes)
    if (this.bytes <= mostBytes) return
    await this.flush(() => undefined).catch((cause: unknown) => this.#options.onFailure(cause))
  }

  commitSync(changes: readonly KeyChange[]): void {
    this.#latest.add(changes)
    if (this.#latest.bytes > this.#options.mostBytes / 4) this.#flushBeside()
  }

  /** Brings everything that is here now to the file. What the file rejects stays here. `look` is called when the file
   *  has it, and nothing is being written to it. */
  flush<T>(look: () => T): Promise<T> {
    return this.#flushThen(look)
  }

  /** Resolves with what `work` does when nothing is being written to the file. Nothing is until that has ended. */
  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    const working = this.#writing.then(work)
    // Whoever asked for it is told about a failure; what comes next tries again.
    this.#writing = working.catch(() => undefined)
    return working
  }

  hold(): HeldState {
    this.#freeze()
    if (this.#waiting.length > manyLayers) this.#flushBeside()
    return new HeldLayers(this.#waiting, this.#below.hold())
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#below.close()
  }

  #now(): Layers {
    const layers = this.#latest.count === 0 ? this.#waiting : [...this.#waiting, this.#latest]
    return { layers, below: undefined }
  }

  /** Whoever holds a state, or writes it to the file, must not see later changes. */
  #freeze(): void {
    if (this.#latest.count === 0) return
    this.#waiting = [...this.#waiting, this.#latest]
    this.#latest = new RecentChanges()
  }

  /** Nobody waits for it. */
  #flushBeside(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    this.flush(() => undefined)
      .catch((cause: unknown) => this.#options.onFailure(cause))
      .finally(() => {
        this.#isFlushing = false
      })
  }

  #flushThen<T>(work: () => T | Promise<T>): Promise<T> {
    this.#freeze()
    const layers = this.#waiting
    return this.exclusively(async () => {
      await this.#write(layers)
      return work()
    })
  }

  async #write(layers: readonly RecentChanges[]): Promise<void> {
    for (const layer of layers) {
      // The flush before may have written it.
      if (!this.#waiting.includes(layer)) continue
      await commitInOrder(layer, this.#below, this.#options)
      this.#waiting = this.#waiting.filter((one) => one !== layer)
    }
  }
}

/** How changes are brought to the file, and more. */
export interface BufferOptions extends CommitOptions {
  /** How much memory the changes may take before commits wait. */
  readonly mostBytes: number
  /** A commit that is larger goes to the file itself. */
  readonly directBytes?: number | undefined
  /** Called if the file rejects what nobody waits for. It stays here, and the next `flush` tries again. */
  readonly onFailure: (cause: unknown) => void
}

interface Layers {
  /** Oldest first. */
  readonly layers: readonly RecentChanges[]
  readonly below: HeldState | undefined
}

/** The file may have got some of the layers when its state was held: they say the same. */
class HeldLayers implements HeldState, Layers {
  readonly layers: readonly RecentChanges[]
  readonly below: HeldState

  constructor(layers: readonly RecentChanges[], below: HeldState) {
    this.layers = layers
    this.below = below
  }

  release(): void {
    this.below.release()
  }
}

/** Reads look into each of them. */
const manyLayers = 4

function isLarge(changes: readonly KeyChange[], bytes: number): boolean {
  let left = bytes
  for (const { key, value } of changes) {
    left -= key.length + (value?.length ?? 0)
    if (left < 0) return true
  }
  return false
}

function valueAt({ layers, below }: Layers, key: Key, file: DataFile): Value | undefined {
  const recent = layers.length === 0 ? undefined : recentValue(layers, keyText(key))
  return recent === undefined ? file.get(key, below) : valueOf(recent)
}

/** Null if the key was deleted, and undefined if none of the layers has changed it. */
function recentValue(layers: readonly RecentChanges[], name: string): Value | null | undefined {
  for (let index = layers.length - 1; index >= 0; index--) {
    const value = layers[index]?.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

function valueOf(recent: Value | null | undefined): Value | undefined {
  return recent ?? undefined
}

function rangeWith(
  changes: ChangesInRange,
  file: DataFile,
  { from, to, reverse = false, limit = Number.POSITIVE_INFINITY, keysOnly = false }: Range,
  visit: (key: Key, value: Value) => boolean,
  at: HeldState | undefined,
): void {
  const order = reverse ? -1 : 1
  let left = limit
  /** Returns whether to go on. */
  const pass = (key: Key, value: Value): boolean => {
    left--
    return visit(key, keysOnly ? noValue : value) && left > 0
  }
  /** Passes on the next change, unless it deletes a key. */
  const passNext = ({ key, value }: KeyChange): boolean => {
    changes.pass()
    return value === undefined || pass(key, value)
  }
  let goesOn = left > 0
  if (!goesOn) return
  file.range(
    // Some of the entries that it has may have been deleted.
    { from, to, reverse, keysOnly },
    (key, value) => {
      for (let { next } = changes; next !== undefined && goesOn; { next } = changes) {
        const compared = order * Buffer.compare(next.key, key)
        if (compared > 0) break
        goesOn = passNext(next)
        if (compared === 0) return goesOn
      }
      if (goesOn) goesOn = pass(key, value)
      return goesOn
    },
    at,
  )
  for (let { next } = changes; next !== undefined && goesOn; { next } = changes) goesOn = passNext(next)
}
