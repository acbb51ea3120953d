import { totalmem } from 'node:os'
import type { Key } from '../store.ts'
import type { FileState } from './file-state.ts'
import type { PageFile } from './page-file.ts'
import { PageDamage, pageHeaderBytes } from './tree-page.ts'

/** A position in the tree of a data file. Bytes are read in place. Anything outside its page, or otherwise invalid,
 *  is an error. */
export class PageCursor {
  readonly #pages: PageCache
  readonly #state: FileState
  /** From the root to the leaf. */
  readonly #path: { readonly page: Buffer; index: number }[] = []

  constructor(pages: PageCache, state: FileState) {
    this.#pages = pages
    this.#state = state
  }

  /** Moves to the first key that is not before this one; false if there is none. */
  seek(key: Key): boolean {
    this.#path.length = 0
    let { root: number } = this.#state.main
    if (number === undefined) return false
    for (;;) {
      const page = this.#enter(number)
      const { length } = this.#path
      const last = this.#path[length - 1]
      if (last === undefined) return false
      if (isLeaf(page)) {
        last.index = firstNotBefore(page, key, 0)
        return last.index < countOf(page) || this.#forward()
      }
      // The first key of a branch stands for everything before the second.
      const next = firstNotBefore(page, key, 1)
      last.index = next < countOf(page) && compareAt(page, next, key) === 0 ? next : next - 1
      number = childAt(page, last.index)
    }
  }

  /** Moves to the last key; false if there is none. */
  seekEnd(): boolean {
    this.#path.length = 0
    const { root } = this.#state.main
    if (root === undefined) return false
    this.#descend(root, 'last')
    return countOf(this.#leaf().page) > 0
  }

  next(): boolean {
    const leaf = this.#leaf()
    leaf.index++
    return leaf.index < countOf(leaf.page) || this.#forward()
  }

  previous(): boolean {
    const leaf = this.#leaf()
    if (leaf.index > 0) {
      leaf.index--
      return true
    }
    return this.#backward()
  }

  get key(): Buffer {
    const { page, index } = this.#leaf()
    return keyAt(page, index)
  }

  get value(): Buffer {
    const { page, index } = this.#leaf()
    const node = nodeAt(page, index)
    const end = node + nodeHeaderBytes + page.readUInt16LE(node + 6)
    const bytes = page.readUInt32LE(node)
    const isLarge = (page.readUInt16LE(node + 4) & 1) !== 0
    if (!isLarge) return part(page, end, end + bytes)
    const pages = this.#pages.readRun(Number(page.readBigUInt64LE(end)), Number(page.readBigUInt64LE(end + 16)))
    return part(pages, pageHeaderBytes, pageHeaderBytes + bytes)
  }

  #leaf(): { readonly page: Buffer; index: number } {
    const leaf = this.#path.at(-1)
    if (leaf === undefined) throw new Error('the cursor is nowhere')
    return leaf
  }

  #enter(number: number): Buffer {
    if (this.#path.length >= deepest) throw new PageDamage('the tree is deeper than a tree can be')
    const page = this.#pages.read(number)
    this.#path.push({ page, index: 0 })
    return page
  }

  #descend(from: number, to: 'first' | 'last'): void {
    let number = from
    for (;;) {
      const page = this.#enter(number)
      const last = this.#leaf()
      last.index = to === 'first' ? 0 : countOf(page) - 1
      if (isLeaf(page)) return
      number = childAt(page, last.index)
    }
  }

  /** To the first entry of the next leaf. */
  #forward(): boolean {
    for (;;) {
      this.#path.pop()
      const above = this.#path.at(-1)
      if (above === undefined) return false
      if (above.index + 1 >= countOf(above.page)) continue
      above.index++
      this.#descend(childAt(above.page, above.index), 'first')
      return true
    }
  }

  #backward(): boolean {
    for (;;) {
      this.#path.pop()
      const above = this.#path.at(-1)
      if (above === undefined) return false
      if (above.index === 0) continue
      above.index--
      this.#descend(childAt(above.page, above.index), 'last')
      return true
    }
  }
}

/** Recently read pages, as far as there is room. */
export class PageCache {
  readonly #file: PageFile
  readonly #mostKnown: number
  /** What was read since the cache was last full, and before that. */
  #known = new Map<number, Buffer>()
  #before = new Map<number, Buffer>()
  /** Memory for the next pages: many share one allocation. */
  #slab = Buffer.alloc(0)

  constructor(file: PageFile) {
    this.#file = file
    this.#mostKnown = Math.max(64, Math.floor(cacheBytes() / 2 / file.pageBytes))
  }

  read(number: number): Buffer {
    const known = this.#known.get(number)
    if (known !== undefined) return known
    const page = this.#before.get(number) ?? this.#readPage(number)
    if (this.#known.size >= this.#mostKnown) {
      this.#before = this.#known
      this.#known = new Map()
    }
    this.#known.set(number, page)
    return page
  }

  readRun(first: number, count: number): Buffer {
    return this.#file.read(first, count)
  }

  #readPage(number: number): Buffer {
    const { pageBytes } = this.#file
    if (this.#slab.length < pageBytes) this.#slab = Buffer.allocUnsafeSlow(slabPages * pageBytes)
    const page = this.#file.read(number, 1, this.#slab.subarray(0, pageBytes))
    const flags = page.readUInt16LE(18)
    if (flags !== branchFlag && flags !== leafFlag) throw new PageDamage('it is not a page of a tree')
    if (countOf(page) === 0) throw new PageDamage('it is empty')
    this.#slab = this.#slab.subarray(pageBytes)
    return page
  }
}

const slabPages = 64

/** A part of the memory, and not more than needed. */
function cacheBytes(): number {
  return Math.min(2 ** 30, totalmem() / 4)
}

const deepest = 32
const branchFlag = 0x01
const leafFlag = 0x02
const nodeHeaderBytes = 8

function isLeaf(page: Buffer): boolean {
  return page.readUInt16LE(18) === leafFlag
}

function countOf(page: Buffer): number {
  return page.readUInt16LE(20) >> 1
}

function nodeAt(page: Buffer, index: number): number {
  return pageHeaderBytes + page.readUInt16LE(pageHeaderBytes + 2 * index)
}

function childAt(page: Buffer, index: number): number {
  const node = nodeAt(page, index)
  return page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32
}

function keyAt(page: Buffer, index: number): Buffer {
  const start = nodeAt(page, index) + nodeHeaderBytes
  return part(page, start, start + page.readUInt16LE(start - 2))
}

/** Negative if the key at that position is before this one. Most keys differ early: a loop is faster than a call out
 *  of JavaScript. */
function compareAt(page: Buffer, index: number, key: Key): number {
  const start = nodeAt(page, index) + nodeHeaderBytes
  const length = page.readUInt16LE(start - 2)
  if (start + length > page.length) throw new PageDamage('a key does not lie in it')
  const common = Math.min(length, key.length)
  for (let at = 0; at < common; at++) {
    const difference = (page[start + at] ?? 0) - (key[at] ?? 0)
    if (difference !== 0) return difference
  }
  return length - key.length
}

/** The first place from `from` on whose key is not before this one. */
function firstNotBefore(page: Buffer, key: Key, from: number): number {
  let low = from
  let high = countOf(page)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(page, middle, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function part(page: Buffer, start: number, end: number): Buffer {
  if (end > page.length) throw new PageDamage('it has a part that does not lie in it')
  return page.subarray(start, end)
}
