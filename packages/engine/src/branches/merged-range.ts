import { following } from '../layout/key-bounds.ts'
import type { Key, MaybePromise, Range, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'

/** One of several ordered sources of entries that together are a range. */
export type ReadSource = (bounds: Range, visit: (key: Key, value: Value) => boolean) => MaybePromise<void>

/** What the sources have under one key, in their order. */
export type Combine = (key: Key, values: readonly (Value | undefined)[]) => Value | undefined

/** Passes the entries of several sources to `visit` in the order of their keys, until it returns false. Reads a page of each
 *  source at a time: none of them is read by two at once. */
export function mergedRange(
  sources: readonly ReadSource[],
  bounds: Range,
  combine: Combine,
  visit: (key: Key, value: Value) => boolean,
): MaybePromise<void> {
  const merging = new Merging(sources, bounds, combine, visit)
  const goOn = (): MaybePromise<void> => {
    for (;;) {
      const hasMore = merging.nextPage()
      if (hasMore instanceof Promise) return hasMore.then((more) => (more ? goOn() : undefined))
      if (!hasMore) return undefined
    }
  }
  return Buffer.compare(bounds.from, bounds.to) >= 0 ? undefined : goOn()
}

interface Entry {
  readonly key: Key
  readonly value: Value
}

interface Page {
  readonly entries: readonly Entry[]
  /** Whether the source has nothing after them. */
  readonly isLast: boolean
}

/** Small at first: most readers want little. */
const firstPage = 32
const largestPage = 1_024
const pageBytes = 1_048_576

class Merging {
  readonly #sources: readonly ReadSource[]
  readonly #combine: Combine
  readonly #visit: (key: Key, value: Value) => boolean
  readonly #reverse: boolean
  #bounds: { readonly from: Key; readonly to: Key }
  #left: number
  #pageSize: number

  constructor(
    sources: readonly ReadSource[],
    bounds: Range,
    combine: Combine,
    visit: (key: Key, value: Value) => boolean,
  ) {
    this.#sources = sources
    this.#combine = combine
    this.#visit = visit
    this.#reverse = bounds.reverse ?? false
    this.#bounds = { from: bounds.from, to: bounds.to }
    this.#left = bounds.limit ?? Number.POSITIVE_INFINITY
    this.#pageSize = Math.min(largestPage, bounds.limit === undefined ? firstPage : bounds.limit + 1)
  }

  /** Returns whether there may be more. */
  nextPage(): MaybePromise<boolean> {
    if (this.#left <= 0) return false
    const pages: Page[] = []
    const read = (): MaybePromise<boolean> => {
      const source = this.#sources[pages.length]
      if (source === undefined) return this.#merge(pages)
      return whenThere(this.#readPage(source), (page) => {
        pages.push(page)
        return read()
      })
    }
    return read()
  }

  #readPage(source: ReadSource): MaybePromise<Page> {
    const entries: Entry[] = []
    let bytes = 0
    let isFull = false
    const bounds: Range = { ...this.#bounds, reverse: this.#reverse, limit: this.#pageSize }
    const reading = source(bounds, (key, value) => {
      entries.push({ key, value })
      bytes += value.length
      isFull = entries.length >= this.#pageSize || bytes >= pageBytes
      return !isFull
    })
    return whenThere(reading, () => ({ entries, isLast: !isFull }))
  }

  #merge(pages: readonly Page[]): boolean {
    const end = this.#endOf(pages)
    const cursors = pages.map(() => 0)
    for (;;) {
      const key = this.#nextKey(pages, cursors)
      if (key === undefined || (end !== undefined && this.#isBehind(key, end))) break
      const values = pages.map(({ entries }, index) => {
        const at = cursors[index] ?? 0
        const entry = entries[at]
        if (entry === undefined || Buffer.compare(entry.key, key) !== 0) return undefined
        cursors[index] = at + 1
        return entry.value
      })
      const value = this.#combine(key, values)
      if (value === undefined) continue
      if (!this.#visit(key, value) || --this.#left <= 0) return false
    }
    if (end === undefined) return false
    this.#bounds = this.#reverse ? { ...this.#bounds, to: end } : { ...this.#bounds, from: following(end) }
    this.#pageSize = Math.min(largestPage, this.#pageSize * 2)
    return true
  }

  /** The last key up to which every source has been read; undefined if all of them have been read to their end. */
  #endOf(pages: readonly Page[]): Key | undefined {
    let end: Key | undefined
    for (const { entries, isLast } of pages) {
      const last = isLast ? undefined : entries.at(-1)?.key
      if (last !== undefined && (end === undefined || this.#isBehind(end, last))) end = last
    }
    return end
  }

  #nextKey(pages: readonly Page[], cursors: readonly number[]): Key | undefined {
    let next: Key | undefined
    pages.forEach(({ entries }, index) => {
      const key = entries[cursors[index] ?? 0]?.key
      if (key !== undefined && (next === undefined || this.#isBehind(next, key))) next = key
    })
    return next
  }

  /** Whether a key comes after another, in the direction of the range. */
  #isBehind(key: Key, other: Key): boolean {
    const order = Buffer.compare(key, other)
    return this.#reverse ? order < 0 : order > 0
  }
}
