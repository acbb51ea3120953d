import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readAsMuchAsThereIs, type Disk, type DiskFile } from './disk.ts'

/** The files of a folder, which are never changed. */
export function openReadOnlyDisk(folder: string): Disk {
  return {
    open: (name) => new ReadOnlyFile(join(folder, name)),
    openData: refuse,
    exists: (name) => existsSync(join(folder, name)),
    rename: refuse,
    remove: refuse,
    syncNames: refuse,
    freeBytes: refuse,
  }
}

class ReadOnlyFile implements DiskFile {
  readonly #descriptor: number

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
  }

  size(): number {
    return fstatSync(this.#descriptor).size
  }

  read(into: Buffer, position: number): number {
    return readAsMuchAsThereIs(this.#descriptor, into, position)
  }

  write(): Promise<void> {
    return refuse()
  }

  sync(): Promise<void> {
    return refuse()
  }

  truncate(): void {
    refuse()
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

function refuse(): never {
  throw new Error('the folder is only read')
}
