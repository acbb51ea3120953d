import { keyText } from '../key-text.ts'
import type { KeyChange, Value } from '../store.ts'

/** Changes in memory: the last one of each key, in the order of keys. Values are copied into blocks and out of them
 *  again, so that the garbage collector has few objects to look at, and no block outlives the changes. */
export class RecentChanges {
  /** Where the value of a key is; `deleted` if it has none. */
  readonly #places = new Map<string, number>()
  readonly #blocks: Buffer[] = []
  /** How much of the last block is used. */
  #used = 0
  #bytes = 0
  /** Every key in order, except for those that were added since somebody asked. Replaced, and never changed. */
  #sorted: readonly string[] = []
  #added: string[] = []

  get count(): number {
    return this.#places.size
  }

  /** Roughly how much memory the changes take. What was replaced takes some, too. */
  get bytes(): number {
    return this.#bytes
  }

  add(changes: readonly KeyChange[]): void {
    for (const { key, name = keyText(key), value } of changes) {
      if (!this.#places.has(name)) {
        this.#added.push(name)
        this.#bytes += bytesPerKey + name.length
      }
      this.#places.set(name, value === undefined ? deleted : this.#keep(value))
    }
  }

  /** Null if the key was deleted, and undefined if it was not changed. `name` is the key as text. */
  get(name: string): Value | null | undefined {
    const value = this.look(name)
    return value && Buffer.from(value)
  }

  /** The same without a copy, for what is only read at once. */
  look(name: string): Value | null | undefined {
    const place = this.#places.get(name)
    if (place === undefined) return undefined
    return place === deleted ? null : this.#at(place)
  }

  /** The names of all keys, in order. A text of one byte per character is ordered like its bytes. */
  names(): readonly string[] {
    if (this.#added.length > 0) {
      const added = this.#added.toSorted(byText)
      this.#sorted = this.#sorted.length === 0 ? added : merged(this.#sorted, added)
      this.#added = []
    }
    return this.#sorted
  }

  #keep(value: Value): number {
    const length = value.length
    const needed = lengthBytes + length
    let block = this.#blocks.at(-1)
    if (block === undefined || this.#used + needed > block.length || this.#used >= blockBytes) {
      block = Buffer.allocUnsafeSlow(Math.max(blockBytes, needed))
      this.#blocks.push(block)
      this.#used = 0
    }
    const start = this.#used
    block.writeUInt32LE(length, start)
    block.set(value, start + lengthBytes)
    this.#used += needed
    this.#bytes += needed
    return (this.#blocks.length - 1) * blockBytes + start
  }

  #at(place: number): Value {
    const start = place % blockBytes
    const block = this.#blocks[(place - start) / blockBytes]
    if (block === undefined) throw new Error('a value is in a block that does not exist')
    const from = start + lengthBytes
    return block.subarray(from, from + block.readUInt32LE(start))
  }
}

const deleted = -1

/** A value that is larger has a block for itself. */
const blockBytes = 256 * 1024
const lengthBytes = 4

/** What a key takes beside its bytes, roughly. */
const bytesPerKey = 100

function byText(one: string, other: string): number {
  return one < other ? -1 : 1
}

/** `added` is short, as a rule: what is between its names is not compared. */
function merged(sorted: readonly string[], added: readonly string[]): string[] {
  const all: string[] = []
  let next = 0
  for (const name of added) {
    const end = firstNotBefore(sorted, name, next)
    while (next < end) all.push(sorted[next++] ?? '')
    all.push(name)
  }
  while (next < sorted.length) all.push(sorted[next++] ?? '')
  return all
}

/** Where the first of the names is that does not come before `name`, from `low` on. */
export function firstNotBefore(sorted: readonly string[], name: string, low = 0): number {
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < name) low = middle + 1
    else high = middle
  }
  return low
}
