/** The layout of LMDB's pages: its data format 2 on 64-bit machines, integers little-endian. What is read here is
 *  never trusted: every length and offset is compared with the page before it is followed. A page begins with
 *  `number: 8 · transaction: 8 · padding: 2 · flags: 2 · lower: 2 · upper: 2`. Offsets within a page count from the
 *  end of that. Up to `lower` are the nodes' offsets, two bytes each, in key order; the nodes fill the space from
 *  `upper` to the end. A node is `low: 2 · high: 2 · flags: 2 · length of the key: 2 · key`, followed in a leaf by
 *  the value, or, if it is too large, by a reference to its pages. */
export const pageHeaderBytes = 24
const nodeHeaderBytes = 8
/** A reference to pages that hold a large value: `first page: 8 · transaction: 8 · number of pages: 8`. */
const overflowBytes = 24

const branchFlag = 0x01
const leafFlag = 0x02
const overflowFlag = 0x04
const largeValueFlag = 0x01

export interface TreePage {
  readonly kind: 'branch' | 'leaf'
  readonly nodes: readonly TreeNode[]
}

export interface TreeNode {
  readonly key: Buffer
  /** In a branch. */
  readonly child: number
  /** In a leaf: the value, or where it is if it is large. */
  readonly value: Buffer | undefined
  readonly large: LargeValue | undefined
}

export interface LargeValue {
  readonly firstPage: number
  readonly pages: number
  readonly bytes: number
}

/** Reads a page of a tree; throws a PageDamage that says what is wrong with it. */
export function readTreePage(page: Buffer, number: number, lastTransaction: bigint): TreePage {
  readHeader(page, number, lastTransaction)
  const flags = page.readUInt16LE(18)
  if (flags !== branchFlag && flags !== leafFlag) throw new PageDamage('it is not a page of a tree')
  const kind = flags === branchFlag ? 'branch' : 'leaf'
  const room = page.length - pageHeaderBytes
  const lower = page.readUInt16LE(20)
  const upper = page.readUInt16LE(22)
  if (lower % 2 !== 0 || lower > upper || upper > room) throw new PageDamage('its bounds are not within it')
  const nodes: TreeNode[] = []
  const starts: number[] = []
  let used = 0
  for (let at = 0; at < lower; at += 2) {
    const start = page.readUInt16LE(pageHeaderBytes + at)
    if (start < upper || start + nodeHeaderBytes > room) throw new PageDamage('a node does not lie in it')
    const { node, bytes } = readNode(page, pageHeaderBytes + start, kind)
    nodes.push(node)
    starts.push(start)
    used += bytes
  }
  // Together they fill the space reserved for them: so none overlaps another, unless two are at the same offset.
  if (used !== room - upper || new Set(starts).size < starts.length)
    throw new PageDamage('its nodes do not fill their place')
  return { kind, nodes }
}

/** Reads the first page of a large value. */
export function checkOverflowPage(page: Buffer, { firstPage, pages }: LargeValue, lastTransaction: bigint): void {
  readHeader(page, firstPage, lastTransaction)
  if (page.readUInt16LE(18) !== overflowFlag) throw new PageDamage('it does not hold a large value')
  if (page.readUInt32LE(20) !== pages) throw new PageDamage('it holds a value of another size')
}

/** Why a page is invalid. */
export class PageDamage extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PageDamage'
  }
}

function readHeader(page: Buffer, number: number, lastTransaction: bigint): void {
  if (page.readBigUInt64LE(0) !== BigInt(number)) throw new PageDamage('it says that it is another page')
  if (page.readBigUInt64LE(8) > lastTransaction) throw new PageDamage('it is of a transaction that has not been')
}

function readNode(
  page: Buffer,
  start: number,
  kind: TreePage['kind'],
): { readonly node: TreeNode; readonly bytes: number } {
  const low = page.readUInt32LE(start)
  const flags = page.readUInt16LE(start + 4)
  const keyEnd = start + nodeHeaderBytes + page.readUInt16LE(start + 6)
  if (keyEnd > page.length) throw new PageDamage('a key does not lie in it')
  const key = page.subarray(start + nodeHeaderBytes, keyEnd)
  if (kind === 'branch') {
    return {
      node: { key, child: low + flags * 2 ** 32, value: undefined, large: undefined },
      bytes: even(keyEnd - start),
    }
  }
  if (flags !== 0 && flags !== largeValueFlag) throw new PageDamage('a value is of an unknown kind')
  const end = keyEnd + (flags === 0 ? low : overflowBytes)
  if (end > page.length) throw new PageDamage('a value does not lie in it')
  const isLarge = flags === largeValueFlag
  return {
    node: {
      key,
      child: 0,
      value: isLarge ? undefined : page.subarray(keyEnd, end),
      large: isLarge ? readLargeValue(page, keyEnd, low) : undefined,
    },
    bytes: even(end - start),
  }
}

function readLargeValue(page: Buffer, at: number, bytes: number): LargeValue {
  const firstPage = Number(page.readBigUInt64LE(at))
  const pages = Number(page.readBigUInt64LE(at + 16))
  const needed = Math.ceil((pageHeaderBytes + bytes) / page.length)
  if (pages < needed || !Number.isSafeInteger(firstPage + pages)) {
    throw new PageDamage('a large value does not fit into its pages')
  }
  return { firstPage, pages, bytes }
}

/** Nodes begin at even offsets. */
function even(bytes: number): number {
  return bytes + (bytes & 1)
}
