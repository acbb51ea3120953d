import { randomBytes } from 'node:crypto'
import type { KeyChange } from '../store.ts'
import type { Checkpoint, CheckpointFile } from './checkpoint-file.ts'
import type { DataFile } from './data-file.ts'
import type { Disk } from './disk.ts'
import { readMetaPages, type MetaPages } from './meta-pages.ts'

export interface Replacement {
  readonly disk: Disk
  /** Contains everything that was acknowledged. Is closed, even if this fails. */
  readonly from: DataFile
  readonly checkpoints: CheckpointFile
  readonly store: Buffer
  readonly lastBatch: number
}

/** Writes all entries to a new data file, which replaces the old one. The checkpoint that says so is the moment of
 *  the change: before it the old file counts, and after it the new one, whichever of them has the name. It is in both
 *  slots before the name changes, so that none refers to pages of the old file. At the end neither slot says so any
 *  more: it would take the next `data.mdb.new` for complete, which may be half written. Resolves with the last
 *  checkpoint's generation. */
export async function replaceDataFile({ disk, from, checkpoints, store, lastBatch }: Replacement): Promise<number> {
  const metaPages = await copyAndClose(disk, from)
  const checkpoint = { batch: lastBatch, metaPages, isClean: true, store, log: randomBytes(8) }
  await checkpoints.writeBoth({ ...checkpoint, isReplacing: true })
  takeName(disk)
  return checkpoints.writeBoth({ ...checkpoint, isReplacing: false })
}

async function copyAndClose(disk: Disk, from: DataFile): Promise<MetaPages> {
  try {
    return await copyToNew(disk, from)
  } finally {
    await from.close()
  }
}

/** Resolves with the meta pages of the new file when it is on disk, and closed. */
async function copyToNew(disk: Disk, from: DataFile): Promise<MetaPages> {
  if (disk.exists(newName)) disk.remove(newName)
  const to = disk.openData(newName)
  try {
    copyEntries(from, to)
    const file = disk.open(newName)
    try {
      const metaPages = readMetaPages(file)
      await file.sync()
      disk.syncNames()
      return metaPages
    } finally {
      file.close()
    }
  } finally {
    await to.close()
  }
}

/** Continues a replacement that was interrupted after its checkpoint, and discards one that was interrupted before. */
export function finishReplacing(disk: Disk, { isReplacing }: Checkpoint): void {
  if (isReplacing) takeName(disk)
  else if (disk.exists(newName)) {
    disk.remove(newName)
    disk.syncNames()
  }
}

/** Gives the new file the name of the data file. It may have it already, but not on disk. */
export function takeName(disk: Disk): void {
  if (disk.exists(newName)) disk.rename(newName, 'data.mdb')
  disk.syncNames()
}

/** Removes what is left of interrupted copies, and the locks of completed ones. */
export function removeCopies(disk: Disk): void {
  const locks = [...copyNames, newName].map((name) => `${name}-lock`)
  for (const name of [...copyNames, ...locks]) if (disk.exists(name)) disk.remove(name)
}

/** A file that is complete, and replaces `data.mdb` if a checkpoint says so. */
export const newName = 'data.mdb.new'

/** The files of copies that are made while the data file is in use. They alternate: LMDB's lock has the name under
 *  which a file was opened, whatever it is called later, so that name is not free while the file is open. */
export const copyNames = ['data.mdb.copy-a', 'data.mdb.copy-b'] as const

function copyEntries(from: DataFile, to: DataFile): void {
  let changes: KeyChange[] = []
  let bytes = 0
  from.range({ from: Buffer.of(0), to: Buffer.alloc(maximumKeyBytes, 0xff) }, (key, value) => {
    changes.push({ key, value })
    bytes += key.length + value.length
    if (changes.length < entriesAtOnce && bytes < bytesAtOnce) return true
    to.commitSync([], changes)
    changes = []
    bytes = 0
    return true
  })
  if (changes.length > 0) to.commitSync([], changes)
}

const maximumKeyBytes = 1_978
const entriesAtOnce = 2_000
const bytesAtOnce = 4 * 1024 * 1024
