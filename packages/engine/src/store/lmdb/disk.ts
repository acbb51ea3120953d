import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  statfsSync,
  unlinkSync,
  write,
} from 'node:fs'
import { join } from 'node:path'
import { openDataFile, type CheckedDataFile, type StoredValues } from './data-file.ts'

/** Everything that the store does with the files of its folder. A simulation replaces it with one that tears, loses
 *  and rejects what a real disk may tear, lose and reject. */
export interface Disk {
  /** Opens a file for reading and writing, and creates it if it does not exist. With `everyWrite`, a write is on disk
   *  when it resolves. */
  open(name: string, synced?: 'everyWrite'): DiskFile
  /** Opens LMDB on a file, and creates it if it does not exist. */
  openData(name: string, values?: StoredValues): CheckedDataFile
  exists(name: string): boolean
  rename(from: string, to: string): void
  remove(name: string): void
  /** Syncs the names of the files; without this, a new file or a new name may be lost. */
  syncNames(): void
  /** How much space is left. */
  freeBytes(): number
}

export interface DiskFile {
  size(): number
  /** Reads as much as there is, and returns how much that was. */
  read(into: Buffer, position: number): number
  /** Resolves when all bytes have been passed to the system. */
  write(bytes: Buffer, position: number): Promise<void>
  /** Resolves when everything written is on disk. */
  sync(): Promise<void>
  truncate(bytes: number): void
  close(): void
}

export function openDisk(folder: string): Disk {
  return {
    open: (name, synced) => new RealFile(join(folder, name), synced === 'everyWrite'),
    // LMDB's lock has the name under which a file was opened. Only that of data.mdb is used again.
    openData: (name, values) => openDataFile(join(folder, name), values, name !== 'data.mdb'),
    exists: (name) => existsSync(join(folder, name)),
    rename: (from, to) => renameSync(join(folder, from), join(folder, to)),
    remove: (name) => unlinkSync(join(folder, name)),
    syncNames: () => syncFolder(folder),
    freeBytes: () => freeBytesOf(folder),
  }
}

/** If the system supports it, a write is synced as it is made: one call instead of two. */
const dataSync = process.platform === 'linux' ? constants.O_DSYNC : 0

class RealFile implements DiskFile {
  readonly #descriptor: number
  readonly #syncsAfterWrite: boolean

  constructor(path: string, everyWrite: boolean) {
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | (everyWrite ? dataSync : 0))
    this.#syncsAfterWrite = everyWrite && dataSync === 0
  }

  size(): number {
    return fstatSync(this.#descriptor).size
  }

  read(into: Buffer, position: number): number {
    return readAsMuchAsThereIs(this.#descriptor, into, position)
  }

  async write(bytes: Buffer, position: number): Promise<void> {
    let written = 0
    while (written < bytes.length) written += await this.#writeSome(bytes.subarray(written), position + written)
    if (this.#syncsAfterWrite) await this.sync()
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#descriptor, (error) => {
        if (error === null) resolve()
        else reject(error)
      })
    })
  }

  truncate(bytes: number): void {
    ftruncateSync(this.#descriptor, bytes)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #writeSome(bytes: Buffer, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      write(this.#descriptor, bytes, 0, bytes.length, position, (error, written) => {
        if (error === null) resolve(written)
        else reject(error)
      })
    })
  }
}

/** Where nobody knows, there is room until a write fails: some file systems do not count, and the folder of a database in
 *  memory may be gone while its files are in use. */
function freeBytesOf(folder: string): number {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder)
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** One call may read less than requested. */
export function readAsMuchAsThereIs(descriptor: number, into: Buffer, position: number): number {
  let count = 0
  while (count < into.length) {
    const more = readSync(descriptor, into, count, into.length - count, position + count)
    if (more === 0) break
    count += more
  }
  return count
}

/** Not every system supports it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
