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
  /** Of each entry: its chunk, and where in it the key begins, the value begins and the value ends. */
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

  /** `write` puts the value, of at most `mostBytes`, where it is told to, and returns where it ends: so it needs no buffer
   *  of its own before. */
  add(key: Key, mostBytes: number, write: (target: Buffer, offset: number) => number): void {
    const chunk = this.#chunkFor(key.length + mostBytes)
    const start = this.#end
    const valueStart = start + key.length
    chunk.set(key, start)
    this.#end = write(chunk, valueStart)
    this.#bytes += this.#end - start
    if (this.#count === this.#order.length) this.#grow()
    this.#order[this.#count] = chunk.readUInt32BE(start + keyHeaderBytes) * mostEntries + this.#count
    const at = 4 * this.#count
    this.#entries[at] = this.#chunk
    this.#entries[at + 1] = start
    this.#entries[at + 2] = valueStart
    this.#entries[at + 3] = this.#end
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
    const at = 4 * number
    return this.#chunkOf(number).subarray(this.#entries[at + 1], this.#entries[at + 2])
  }

  value(number: number): Value {
    const at = 4 * number
    return this.#chunkOf(number).subarray(this.#entries[at + 2], this.#entries[at + 3])
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
    same.sort((a, b) => this.#compareKeys(a, b) || a - b)
    same.forEach((number, position) => {
      const next = same[position + 1]
      if (next === undefined || this.#compareKeys(number, next) !== 0) numbers.push(number)
    })
  }

  #compareKeys(one: number, other: number): number {
    const entries = this.#entries
    const [at, otherAt] = [4 * one, 4 * other]
    return this.#chunkOf(one).compare(
      this.#chunkOf(other),
      entries[otherAt + 1],
      entries[otherAt + 2],
      entries[at + 1],
      entries[at + 2],
    )
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

  #chunkOf(number: number): Buffer {
    const found = this.#chunks[this.#entries[4 * number] ?? 0]
    if (found === undefined) throw new Error('an entry without its bytes')
    return found
  }
}
