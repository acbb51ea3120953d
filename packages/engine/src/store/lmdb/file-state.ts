import { StorageError } from '../storage-error.ts'
import type { DiskFile } from './disk.ts'
import { pageHeaderBytes } from './tree-page.ts'

/** What a meta page says of a tree: `page size or padding: 4 · flags: 2 · depth: 2 · branch pages: 8 · leaf pages: 8 · overflow
 *  pages: 8 · entries: 8 · root: 8`. */
export interface TreeRecord {
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** Undefined in an empty tree. */
  readonly root: number | undefined
}

/** A state of the data file: where its two trees begin. */
export interface FileState {
  readonly pageBytes: number
  readonly transaction: bigint
  readonly lastPage: number
  /** The pages that are free, by the transaction that has freed them. */
  readonly free: TreeRecord
  readonly main: TreeRecord
}

/** Why two meta pages cannot be used; undefined if they can. */
export function metaPagesDamage(bytes: Buffer): string | undefined {
  const first = metaPageDamage(bytes, 0)
  if (first !== undefined) return first
  const pageBytes = bytes.readUInt32LE(pageSizeAt)
  if (bytes.length < 2 * pageBytes) return 'they are cut short'
  const second = metaPageDamage(bytes.subarray(pageBytes), 1)
  if (second !== undefined) return second
  const [one, other] = statesIn(bytes)
  if (one.pageBytes !== other.pageBytes) return 'they differ in the size of pages'
  // Transactions alternate: each page has those of its own parity, and they are one apart.
  const apart = one.transaction - other.transaction
  const isInTurn = one.transaction % 2n === 0n && (other.transaction % 2n === 1n || other.transaction === 0n)
  return isInTurn && apart >= -1n && apart <= 1n ? undefined : 'they are not of transactions that follow each other'
}

/** Of two meta pages, the one of the later transaction counts. */
export function latestState(bytes: Buffer): FileState {
  const [one, other] = statesIn(bytes)
  return one.transaction >= other.transaction ? one : other
}

/** The latest state of a file that is being written. A page that is being written at that moment is read again. */
export function readState(file: DiskFile): FileState {
  let bytes = readMetaBytes(file)
  for (let attempt = 0; attempt < 100; attempt++) {
    const again = readMetaBytes(file)
    if (again.equals(bytes) && metaPagesDamage(bytes) === undefined) return latestState(bytes)
    bytes = again
  }
  throw new StorageError('damaged', `The meta pages of data.mdb are damaged: ${metaPagesDamage(bytes) ?? ''}.`)
}

/** The bytes of the two meta pages, whatever they say. */
export function readMetaBytes(file: DiskFile): Buffer {
  const most = Buffer.alloc(2 * largestPageBytes)
  const count = file.read(most, 0)
  const pageBytes = count < metaBytes ? 0 : most.readUInt32LE(pageSizeAt)
  return most.subarray(0, Math.min(count, isPageSize(pageBytes) ? 2 * pageBytes : count))
}

const magic = 0xbeef_c0de
const dataFormat = 2
const metaFlag = 0x08
const noRoot = 0xffff_ffff_ffff_ffffn
const pageSizeAt = 48
const largestPageBytes = 65_536
/** The used bytes of a meta page. */
const metaBytes = 168

function metaPageDamage(meta: Buffer, number: 0 | 1): string | undefined {
  if (meta.length < metaBytes) return 'they are cut short'
  if (meta.readUInt32LE(24) !== magic) return 'they are not those of this database'
  if ((meta.readUInt32LE(28) & 0xffff) !== dataFormat) return 'their data format is unknown'
  if (meta.readBigUInt64LE(0) !== BigInt(number) || meta.readUInt16LE(18) !== metaFlag)
    return 'one is not a meta page'
  return isPageSize(meta.readUInt32LE(pageSizeAt)) ? undefined : 'their size of pages is impossible'
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= largestPageBytes && (bytes & (bytes - 1)) === 0
}

function statesIn(bytes: Buffer): readonly [FileState, FileState] {
  return [readFileState(bytes), readFileState(bytes.subarray(bytes.readUInt32LE(pageSizeAt)))]
}

function readFileState(meta: Buffer): FileState {
  return {
    pageBytes: meta.readUInt32LE(pageSizeAt),
    transaction: meta.readBigUInt64LE(152),
    lastPage: Number(meta.readBigUInt64LE(144)),
    free: readTreeRecord(meta, pageHeaderBytes + 24),
    main: readTreeRecord(meta, pageHeaderBytes + 72),
  }
}

function readTreeRecord(meta: Buffer, at: number): TreeRecord {
  const root = meta.readBigUInt64LE(at + 40)
  return {
    depth: meta.readUInt16LE(at + 6),
    branchPages: Number(meta.readBigUInt64LE(at + 8)),
    leafPages: Number(meta.readBigUInt64LE(at + 16)),
    overflowPages: Number(meta.readBigUInt64LE(at + 24)),
    entries: Number(meta.readBigUInt64LE(at + 32)),
    root: root === noRoot ? undefined : Number(root),
  }
}
