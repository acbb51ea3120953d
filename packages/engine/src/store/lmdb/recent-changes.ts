import { keyText } from '../key-text.ts'
import type { Key, KeyChange, Value } from '../store.ts'
import type { CheckedChange } from './data-file.ts'
import { checksumBytes, checksumOf } from './value-checksum.ts'

/** Changes in memory: the last one of each key. Values are copied into blocks and out of them again, so that the garbage
 *  collector has few objects to look at, and no block outlives the changes. Each is followed by its checksum, as in the
 *  data file, which then takes it from here. */
export class RecentChanges {
  readonly #entries = new Map<string, RecentChange>()
  readonly #blocks: Buffer[] = []
  /** How much of the last block is used. */
  #used = 0
  #bytes = 0
  /** Every key but those that were added since somebody asked for an order. Each run is ordered, and at least twice as
   *  long as the next: so there are few of them, and an entry is seldom moved to another. None is ever changed. */
  #runs: readonly Run[] = []
  #added: RecentChange[] = []

  get count(): number {
    return this.#entries.size
  }

  /** Roughly how much memory the changes take. What was replaced takes some, too. */
  get bytes(): number {
    return this.#bytes
  }

  add(changes: readonly KeyChange[]): void {
    for (const { key, name = keyText(key), value } of changes) {
      const place = value === undefined ? deleted : this.#keep(key, value)
      const length = value?.length ?? 0
      const known = this.#entries.get(name)
      if (known !== undefined) {
        known.place = place
        known.length = length
        continue
      }
      const entry = { name, place, length }
      this.#entries.set(name, entry)
      this.#added.push(entry)
      this.#bytes += bytesPerKey + name.length
    }
    // A little at a time: all at once, it would take ten milliseconds.
    if (this.#added.length >= manyAdded) this.#orderAdded()
  }

  /** Null if the key was deleted, and undefined if it was not changed. `name` is the key as text. */
  get(name: string): Value | null | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    const value = this.look(entry)
    return value === undefined ? null : Buffer.from(value)
  }

  /** The value without a copy, for what is only read at once; undefined if the key was deleted. */
  look({ place, length }: RecentChange): Value | undefined {
    if (place === deleted) return undefined
    const start = place % blockBytes
    return this.#blockOf(place - start).subarray(start, start + length)
  }

  /** The change as the data file takes it. It must be in the file before this is forgotten. The value itself is not
   *  touched: it may have left the processor's caches, and whoever writes it has to wait for it anyway. */
  checked({ name, place, length }: RecentChange): CheckedChange {
    if (place === deleted) return { name, value: undefined }
    const start = place % blockBytes
    const { buffer } = this.#blockOf(place - start)
    return { name, value: { buffer, start, end: start + length + checksumBytes } }
  }

  /** All keys, as a few runs. */
  runs(): readonly Run[] {
    this.#orderAdded()
    return this.#runs
  }

  /** All keys in order, one after the other: whoever takes a part of them does not wait for the rest. */
  *inOrder(): Generator<RecentChange> {
    const runs = this.runs()
    const positions = runs.map(() => 0)
    for (;;) {
      let first: RecentChange | undefined
      let firstRun = 0
      for (let run = 0; run < runs.length; run++) {
        const entry = runs[run]?.[positions[run] ?? 0]
        if (entry === undefined || (first !== undefined && first.name < entry.name)) continue
        first = entry
        firstRun = run
      }
      if (first === undefined) return
      positions[firstRun] = (positions[firstRun] ?? 0) + 1
      yield first
    }
  }

  #orderAdded(): void {
    if (this.#added.length === 0) return
    const runs = [...this.#runs]
    let last: Run = this.#added.toSorted(byName)
    this.#added = []
    for (let before = runs.at(-1); before !== undefined && before.length < 2 * last.length; before = runs.at(-1)) {
      runs.pop()
      last = merged(before, last)
    }
    this.#runs = [...runs, last]
  }

  #keep(key: Key, value: Value): number {
    const { length } = value
    const needed = length + checksumBytes
    let block = this.#blocks.at(-1)
    if (block === undefined || this.#used + needed > block.length || this.#used >= blockBytes) {
      block = Buffer.allocUnsafeSlow(Math.max(blockBytes, needed))
      this.#blocks.push(block)
      this.#used = 0
    }
    const start = this.#used
    block.set(value, start)
    block.writeUInt32LE(checksumOf(key, value), start + length)
    this.#used += needed
    this.#bytes += needed
    return (this.#blocks.length - 1) * blockBytes + start
  }

  #blockOf(place: number): Buffer {
    const block = this.#blocks[place / blockBytes]
    if (block === undefined) throw new Error('a value is in a block that does not exist')
    return block
  }
}

/** A key, and where its value is. */
export interface RecentChange {
  /** The key as text. A text of one byte per character is ordered like its bytes. */
  readonly name: string
  /** `deleted` if it has no value. */
  place: number
  /** That of the value. */
  length: number
}

/** In the order of keys. */
export type Run = readonly RecentChange[]

const deleted = -1

/** So many are put in order at once, if nobody has asked for their order before. */
const manyAdded = 1_000

/** A value that is larger has a block for itself. */
const blockBytes = 256 * 1024

/** What a key takes beside its bytes, roughly. */
const bytesPerKey = 150

function byName({ name }: RecentChange, { name: other }: RecentChange): number {
  return name < other ? -1 : 1
}

/** No key is in both. */
function merged(one: Run, other: Run): Run {
  const all: RecentChange[] = []
  let at = 0
  for (const entry of other) {
    for (let next = one[at]; next !== undefined && next.name < entry.name; next = one[at]) {
      all.push(next)
      at++
    }
    all.push(entry)
  }
  for (let next = one[at]; next !== undefined; next = one[at]) {
    all.push(next)
    at++
  }
  return all
}

/** Where the first entry is that does not come before `name`, from `low` on. */
export function firstNotBefore(run: Run, name: string, low = 0): number {
  let high = run.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((run[middle]?.name ?? '') < name) low = middle + 1
    else high = middle
  }
  return low
}
