import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

/** LMDB maps its file into memory and trusts it: a file that is not its own, or that was cut short, would end the
 *  process instead of raising an error. So the two meta pages are looked at first.
 *  Offsets are those of LMDB's data format 2 on 64-bit machines. */
export function checkLmdbFile(file: string): void {
  if (!existsSync(file)) return
  const descriptor = openSync(file, 'r+')
  try {
    const { size } = fstatSync(descriptor)
    // An interrupted first start leaves an empty file, which LMDB fills anew.
    if (size === 0) return
    const first = readMeta(descriptor, 0)
    const second = readMeta(descriptor, first.pageBytes)
    for (const meta of [first, second]) {
      if (meta.deepestRoot * BigInt(first.pageBytes) >= BigInt(size)) throw new Error('the file was cut short')
    }
    const latest = first.transaction > second.transaction ? first : second
    // Pages at the end may never have been written if they were free by then; reading them must not fail all the same.
    const expectedBytes = (Number(latest.lastPage) + 1) * first.pageBytes
    if (size < expectedBytes) ftruncateSync(descriptor, expectedBytes)
  } finally {
    closeSync(descriptor)
  }
}

interface Meta {
  readonly pageBytes: number
  readonly deepestRoot: bigint
  readonly lastPage: bigint
  readonly transaction: bigint
}

const noRoot = 0xffff_ffff_ffff_ffffn

function readMeta(descriptor: number, offset: number): Meta {
  const page = Buffer.alloc(168)
  if (readSync(descriptor, page, 0, page.length, offset) < page.length) throw new Error('the file was cut short')
  if (page.readUInt32LE(24) !== 0xbeef_c0de) throw new Error('it is not a data file of this database')
  if ((page.readUInt32LE(28) & 0xffff) !== 2) throw new Error('its data format is unknown')
  const roots = [page.readBigUInt64LE(88), page.readBigUInt64LE(136)].filter((root) => root !== noRoot)
  return {
    pageBytes: page.readUInt32LE(48),
    deepestRoot: roots.reduce((deepest, root) => (root > deepest ? root : deepest), 0n),
    lastPage: page.readBigUInt64LE(144),
    transaction: page.readBigUInt64LE(152),
  }
}
