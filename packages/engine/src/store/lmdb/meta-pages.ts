import type { DiskFile } from './disk.ts'

/** The contents of LMDB's two meta pages. Offsets are those of LMDB's data format 2 on 64-bit machines. */
export interface MetaPages {
  /** Both pages, as they are. */
  readonly bytes: Buffer
  /** The latest transaction. */
  readonly transaction: bigint
}

/** Reads the meta pages of a file that nobody is writing to. */
export function readMetaPages(file: DiskFile): MetaPages {
  const first = readMeta(file, 0)
  const second = readMeta(file, first.pageBytes)
  const bytes = Buffer.allocUnsafe(2 * first.pageBytes)
  if (file.read(bytes, 0) < bytes.length) throw new Error('the file was cut short')
  return { bytes, transaction: first.transaction > second.transaction ? first.transaction : second.transaction }
}

/** Takes a data file back to the state that these meta pages describe, whose pages must all still exist. */
export async function restoreMetaPages(file: DiskFile, { bytes, transaction }: MetaPages): Promise<void> {
  if (readMetaPages(file).transaction < transaction) {
    throw new Error('data.mdb is older than the other files of the folder, which must be copied together')
  }
  await file.write(bytes, 0)
}

/** LMDB maps its file into memory and trusts it: a file of another kind, or a truncated one, would end the process
 *  instead of raising an error. So the two meta pages are checked first. */
export function checkMetaPages(file: DiskFile): void {
  const size = file.size()
  const first = readMeta(file, 0)
  const second = readMeta(file, first.pageBytes)
  for (const meta of [first, second]) {
    if (meta.deepestRoot * BigInt(first.pageBytes) >= BigInt(size)) throw new Error('the file was cut short')
  }
  const latest = first.transaction > second.transaction ? first : second
  // Pages at the end may never have been written if they were free by then; reading them must not fail.
  const expectedBytes = (Number(latest.lastPage) + 1) * first.pageBytes
  if (size < expectedBytes) file.truncate(expectedBytes)
}

/** Whether a data file is empty: LMDB has only just created it, or was interrupted when it did. */
export function isEmptyDataFile(file: DiskFile): boolean {
  if (file.size() === 0) return true
  try {
    const first = readMeta(file, 0)
    return !first.hasEntries && !readMeta(file, first.pageBytes).hasEntries
  } catch {
    // LMDB begins with its two meta pages, of which any part may have reached the disk.
    return file.size() <= 2 * usualPageBytes
  }
}

const usualPageBytes = 4_096

interface Meta {
  readonly pageBytes: number
  readonly hasEntries: boolean
  readonly deepestRoot: bigint
  readonly lastPage: bigint
  readonly transaction: bigint
}

const noRoot = 0xffff_ffff_ffff_ffffn

function readMeta(file: DiskFile, offset: number): Meta {
  const page = Buffer.alloc(168)
  if (file.read(page, offset) < page.length) throw new Error('the file was cut short')
  if (page.readUInt32LE(24) !== 0xbeef_c0de) throw new Error('it is not a data file of this database')
  if ((page.readUInt32LE(28) & 0xffff) !== 2) throw new Error('its data format is unknown')
  const roots = [page.readBigUInt64LE(88), page.readBigUInt64LE(136)].filter((root) => root !== noRoot)
  return {
    pageBytes: page.readUInt32LE(48),
    hasEntries: page.readBigUInt64LE(136) !== noRoot,
    deepestRoot: roots.reduce((deepest, root) => (root > deepest ? root : deepest), 0n),
    lastPage: page.readBigUInt64LE(144),
    transaction: page.readBigUInt64LE(152),
  }
}
