import { pageHeaderBytes } from './tree-page.ts'

/** What a meta page says of a tree: `page size or padding: 4 · flags: 2 · depth: 2 · branch pages: 8 · leaf pages: 8 · overflow
 *  pages: 8 · entries: 8 · root: 8`. */
export interface TreeRecord {
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** Nothing in an empty tree. */
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

const magic = 0xbeef_c0de
const dataFormat = 2
const metaFlag = 0x08
const noRoot = 0xffff_ffff_ffff_ffffn

/** What is wrong with a meta page; nothing if it can be worked with. */
export function metaPageDamage(meta: Buffer, number: 0 | 1): string | undefined {
  if (meta.readUInt32LE(24) !== magic) return 'it is not one of this database'
  if ((meta.readUInt32LE(28) & 0xffff) !== dataFormat) return 'its data format is unknown'
  if (meta.readBigUInt64LE(0) !== BigInt(number) || meta.readUInt16LE(18) !== metaFlag)
    return 'it is not a meta page'
  const pageBytes = meta.readUInt32LE(48)
  const isPower = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0
  return isPower ? undefined : 'its page size is impossible'
}

export function readFileState(meta: Buffer): FileState {
  return {
    pageBytes: meta.readUInt32LE(48),
    transaction: meta.readBigUInt64LE(152),
    lastPage: Number(meta.readBigUInt64LE(144)),
    free: readTreeRecord(meta, pageHeaderBytes + 24),
    main: readTreeRecord(meta, pageHeaderBytes + 72),
  }
}

/** Of two meta pages, the one of the later transaction counts. */
export function latestState(first: Buffer, second: Buffer): FileState {
  const one = readFileState(first)
  const other = readFileState(second)
  return one.transaction >= other.transaction ? one : other
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

/** As many bytes of a meta page as anything is said in. */
export const metaBytes = 168
