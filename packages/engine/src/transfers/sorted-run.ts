import { keyHeaderBytes } from '../layout/item-keys.ts'
import type { Key, Value } from '../store/store.ts'

const chunkBytes = 8_388_608
/** Entries and the first bytes of their keys' hashes are sorted as one number; it has no room for more. */
const mostEntries = 2 ** 21

/** Entries of one table that are gathered to be written in the order of their keys: a store that is written in order
 *  touches each of its pages once, not once an entry. They lie in a few large buffers, so that a million of them is
 *  nothing to the garbage collector. */
export class SortedRun {
  readonly #chunks: Buffer[] = []
  #chunk = 0
  #end = 0
  #count = 0
  #bytes = 0
  /** Hash and number of each entry: sorting these sorts the entries, but for those of one hash. */
  #order = new Float64Array(4_096)
  #entries = new Uint32Array(4 * 4_096)

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    return this.#bytes
  }

  get isFull(): boolean {
    return this.#count === mostEntries
  }

  add(key: Key, value: Value): void {
    const chunk = this.#chunkFor(key.length + value.length)
    const start = this.#end
    chunk.set(key, start)
    chunk.set(value, start + key.length)
    this.#end += key.length + value.length
    this.#bytes += key.length + value.length
    if (this.#count === this.#order.length) this.#grow()
    this.#order[this.#count] = chunk.readUInt32BE(start + keyHeaderBytes) * mostEntries + this.#count
    this.#entries.set([this.#chunk, start, key.length, value.length], 4 * this.#count)
    this.#count++
  }

  /** The entries' numbers in the order of their keys; of entries with the same key only the last. */
  sorted(): readonly number[] {
    const order = this.#order.subarray(0, this.#count).toSorted()
    const numbers: number[] = []
    let start = 0
    while (start < order.length) {
      const hash = Math.floor((order[start] ?? 0) / mostEntries)
      let end = start + 1
      while (end < order.length && Math.floor((order[end] ?? 0) / mostEntries) === hash) end++
      if (end === start + 1) numbers.push((order[start] ?? 0) % mostEntries)
      else this.#addOfOneHash(numbers, order.subarray(start, end))
      start = end
    }
    return numbers
  }

  key(number: number): Key {
    const [chunk, start, keyLength] = this.#entry(number)
    return this.#require(chunk).subarray(start, start + keyLength)
  }

  value(number: number): Value {
    const [chunk, start, keyLength, valueLength] = this.#entry(number)
    return this.#require(chunk).subarray(start + keyLength, start + keyLength + valueLength)
  }

  /** Forgets the entries; their keys and values must not be used any more. */
  clear(): void {
    this.#chunk = 0
    this.#end = 0
    this.#count = 0
    this.#bytes = 0
  }

  #addOfOneHash(numbers: number[], order: Float64Array): void {
    const same = Array.from(order, (place) => place % mostEntries)
    same.sort((a, b) => Buffer.compare(this.key(a), this.key(b)) || a - b)
    same.forEach((number, position) => {
      const next = same[position + 1]
      if (next === undefined || Buffer.compare(this.key(number), this.key(next)) !== 0) numbers.push(number)
    })
  }

  #chunkFor(bytes: number): Buffer {
    const current = this.#chunks[this.#chunk]
    if (current !== undefined && this.#end + bytes <= current.length) return current
    if (current !== undefined) this.#chunk++
    this.#end = 0
    const next = this.#chunks[this.#chunk]
    if (next !== undefined && bytes <= next.length) return next
    const made = Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytes))
    this.#chunks[this.#chunk] = made
    return made
  }

  #grow(): void {
    const order = new Float64Array(this.#order.length * 2)
    order.set(this.#order)
    this.#order = order
    const entries = new Uint32Array(this.#entries.length * 2)
    entries.set(this.#entries)
    this.#entries = entries
  }

  #entry(number: number): [chunk: number, start: number, keyLength: number, valueLength: number] {
    const at = 4 * number
    const entries = this.#entries
    return [entries[at] ?? 0, entries[at + 1] ?? 0, entries[at + 2] ?? 0, entries[at + 3] ?? 0]
  }

  #require(chunk: number): Buffer {
    const found = this.#chunks[chunk]
    if (found === undefined) throw new Error('an entry without its bytes')
    return found
  }
}
