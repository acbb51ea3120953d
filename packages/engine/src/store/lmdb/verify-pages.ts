import type { Key } from '../store.ts'
import type { DiskFile } from './disk.ts'
import type { FileState, TreeRecord } from './file-state.ts'
import { PageFile } from './page-file.ts'
import {
  checkOverflowPage,
  PageDamage,
  pageHeaderBytes,
  readTreePage,
  type LargeValue,
  type TreeNode,
} from './tree-page.ts'

/** A fault in a page of the data file. */
export interface PageFault {
  readonly page: number
  readonly problem: string
}

export interface PageWalk {
  readonly file: DiskFile
  readonly state: FileState
  /** Only pages with keys from here on are checked, and nothing that concerns the whole file. */
  readonly from?: Key | undefined
  readonly onFault: (fault: PageFault) => void
  /** Called for every entry, in order. */
  readonly onEntry: (key: Buffer, value: Buffer) => void
}

/** Follows a state of the data file from its roots to its last value, and reports everything that LMDB would not
 *  write that way. Each page must be the one that is meant, and be used once. Keys must be in order, and where the
 *  pages above them say. Values must be within their pages. The numbers of the state must be those of its trees, and
 *  no used page may be marked free. Below a fault, nothing is checked. Yields after each page of the tree, so that
 *  others get their turn. */
export function* verifyPages(walk: PageWalk): Generator<void> {
  const { state, onEntry } = walk
  const file = new PageFile(walk.file, state.pageBytes)
  const use = new PageUse(Math.min(file.pages, state.lastPage + 1), walk)
  const main = new TreeWalk(file, use, compareBytes, walk, onEntry)
  yield* main.tree(state.main, 'the data')
  if (walk.from !== undefined) return
  const freed: { readonly page: number; readonly pages: number; readonly at: number }[] = []
  const free = new TreeWalk(file, use, compareTransactions, walk, (_key, value, page) => {
    for (const run of freedPages(value)) freed.push({ ...run, at: page })
  })
  yield* free.tree(state.free, 'the list of free pages')
  let behind = 0
  for (const { page, pages, at } of freed) behind += use.free(at, page, pages, state.lastPage)
  // Pages that were never written can only be free.
  if (state.lastPage + 1 - file.pages > behind) walk.onFault({ page: 0, problem: 'The file is cut short.' })
}

/** Which pages have been visited: each must be visited once. */
class PageUse {
  readonly #walk: PageWalk
  readonly #met: Uint8Array
  readonly #pages: number

  constructor(pages: number, walk: PageWalk) {
    this.#pages = pages
    this.#met = new Uint8Array(Math.ceil(pages / 8))
    this.#walk = walk
  }

  /** Throws if one of the pages does not exist, or has been visited before. */
  use(first: number, count: number): void {
    if (!(first >= 2) || !(first + count <= this.#pages)) throw new PageDamage('it lies outside the file')
    for (let page = first; page < first + count; page++) {
      if (this.#mark(page)) throw new PageDamage('it is used twice')
    }
  }

  /** A free page is reported if it is used. Returns how many of the pages are beyond the end of the file. */
  free(at: number, first: number, count: number, lastPage: number): number {
    if (!(first >= 2) || !(first + count <= lastPage + 1)) {
      this.#walk.onFault({ page: at, problem: 'A page that does not exist is listed as free.' })
      return 0
    }
    const end = Math.min(first + count, this.#pages)
    for (let page = first; page < end; page++) {
      if (this.#mark(page)) {
        this.#walk.onFault({ page, problem: 'A page is listed as free that is in use, or is listed twice.' })
      }
    }
    return first + count - Math.max(first, end)
  }

  #mark(page: number): boolean {
    const byte = page >>> 3
    const bit = 1 << (page & 7)
    const met = this.#met[byte] ?? 0
    this.#met[byte] = met | bit
    return (met & bit) !== 0
  }
}

type Compare = (one: Key, other: Key) => number
type Visit = (key: Buffer, value: Buffer, page: number) => void

/** LMDB's own limit. */
const deepest = 32

class TreeWalk {
  readonly #file: PageFile
  readonly #use: PageUse
  readonly #compare: Compare
  readonly #walk: PageWalk
  readonly #visit: Visit
  #branchPages = 0
  #leafPages = 0
  #overflowPages = 0
  #entries = 0
  #isWhole = true

  constructor(file: PageFile, use: PageUse, compare: Compare, walk: PageWalk, visit: Visit) {
    this.#file = file
    this.#use = use
    this.#compare = compare
    this.#walk = walk
    this.#visit = visit
  }

  *tree(record: TreeRecord, name: string): Generator<void> {
    if (record.depth > deepest) {
      this.#walk.onFault({ page: 0, problem: `The tree of ${name} is deeper than a tree can be.` })
      return
    }
    if (record.root === undefined) {
      if (record.entries !== 0)
        this.#walk.onFault({ page: 0, problem: `The tree of ${name} has entries, but no pages.` })
      return
    }
    yield* this.#subtree(record.root, record.depth, undefined, undefined)
    const isCounted =
      this.#branchPages === record.branchPages &&
      this.#leafPages === record.leafPages &&
      this.#overflowPages === record.overflowPages &&
      this.#entries === record.entries
    // Pages below a fault have not been counted.
    if (this.#isWhole && this.#walk.from === undefined && !isCounted) {
      this.#walk.onFault({
        page: 0,
        problem: `The tree of ${name} does not have as many pages or entries as it says.`,
      })
    }
  }

  /** The pages from one down, with keys from `from` up to `to`. */
  *#subtree(number: number, depth: number, from: Buffer | undefined, to: Buffer | undefined): Generator<void> {
    let children: readonly TreeNode[]
    try {
      children = this.#page(number, depth, from, to)
    } catch (error) {
      if (!(error instanceof PageDamage)) throw error
      this.#isWhole = false
      this.#walk.onFault({ page: number, problem: `The page is damaged: ${error.message}.` })
      return
    }
    yield
    for (let at = 0; at < children.length; at++) {
      const node = children[at]
      if (node === undefined) continue
      const end = children[at + 1]?.key ?? to
      if (end !== undefined && this.#walk.from !== undefined && this.#compare(end, this.#walk.from) <= 0) continue
      // The first key of a branch equals the lower bound of its page.
      yield* this.#subtree(node.child, depth - 1, at === 0 ? from : node.key, end)
    }
  }

  /** Reads one page and everything that belongs to it alone; returns the pages below it. */
  #page(number: number, depth: number, from: Buffer | undefined, to: Buffer | undefined): readonly TreeNode[] {
    this.#use.use(number, 1)
    const { kind, nodes } = readTreePage(this.#file.read(number), number, this.#walk.state.transaction)
    if ((kind === 'leaf') !== (depth === 1)) throw new PageDamage('it lies at another depth than it should')
    this.#checkOrder(kind, nodes, from, to)
    if (kind === 'branch') {
      if (nodes.length < 2) throw new PageDamage('it has fewer than two pages below it')
      this.#branchPages++
      return nodes
    }
    this.#leafPages++
    for (const { key, value, large } of nodes) {
      this.#entries++
      const bytes = value ?? (large && this.#largeValue(large))
      if (bytes !== undefined) this.#visit(key, bytes, number)
    }
    return []
  }

  #checkOrder(
    kind: 'branch' | 'leaf',
    nodes: readonly TreeNode[],
    from: Buffer | undefined,
    to: Buffer | undefined,
  ): void {
    let before = from
    nodes.forEach(({ key }, position) => {
      if (kind === 'branch' && position === 0) return
      if (key.length === 0) throw new PageDamage('a key is empty')
      const order = before === undefined ? 1 : this.#compare(key, before)
      // A page may begin with exactly the key that its parent says.
      const isFirst = kind === 'leaf' && position === 0
      if (order < 0 || (order === 0 && !isFirst)) throw new PageDamage('its keys are not in order')
      before = key
    })
    const last = nodes.at(-1)?.key
    if (to !== undefined && last !== undefined && last.length > 0 && this.#compare(last, to) >= 0) {
      throw new PageDamage('it has keys that belong to another page')
    }
  }

  #largeValue(large: LargeValue): Buffer {
    this.#use.use(large.firstPage, large.pages)
    const bytes = this.#file.read(large.firstPage, large.pages)
    checkOverflowPage(bytes.subarray(0, this.#walk.state.pageBytes), large, this.#walk.state.transaction)
    this.#overflowPages += large.pages
    return bytes.subarray(pageHeaderBytes, pageHeaderBytes + large.bytes)
  }
}

/** A list of free pages: the number of entries, then the entries, eight bytes each: a page; or a negative number, for
 *  that many pages from the next entry on; or zero. */
function* freedPages(list: Buffer): Generator<{ readonly page: number; readonly pages: number }> {
  const entries = Math.floor(list.length / 8) - 1
  const said = entries < 0 ? -1n : list.readBigUInt64LE(0)
  if (list.length % 8 !== 0 || said < 0n || said > BigInt(entries)) {
    throw new PageDamage('a list of free pages does not have its length')
  }
  for (let at = 1; at <= Number(said); at++) {
    const entry = list.readBigInt64LE(at * 8)
    if (entry === 0n) continue
    if (entry > 0n) {
      yield { page: Number(entry), pages: 1 }
      continue
    }
    at++
    if (at > Number(said)) throw new PageDamage('a list of free pages ends too early')
    yield { page: Number(list.readBigInt64LE(at * 8)), pages: Number(-entry) }
  }
}

function compareBytes(one: Key, other: Key): number {
  return Buffer.compare(one, other)
}

/** The keys of the free list are numbers. */
function compareTransactions(one: Key, other: Key): number {
  if (one.length !== 8 || other.length !== 8) throw new PageDamage('a transaction is not a number')
  const difference = Buffer.from(one).readBigUInt64LE(0) - Buffer.from(other).readBigUInt64LE(0)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
