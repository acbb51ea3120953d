import type { CheckedDataFile } from '../data-file.ts'
import type { Disk, DiskFile } from '../disk.ts'

export interface Interruptions {
  /** Called before a file is written. What it waits for delays the write, and what it throws is its failure. */
  readonly beforeWrite?: (name: string, position: number) => Promise<void> | void
  /** The same before recent changes are committed to a data file. */
  readonly beforeCommit?: () => Promise<void> | void
}

/** A disk whose writes a test can delay or reject. */
export function interruptedDisk(disk: Disk, { beforeWrite, beforeCommit }: Interruptions): Disk {
  return {
    open: (name, synced) => interruptedFile(disk.open(name, synced), (position) => beforeWrite?.(name, position)),
    openData: (name, values) => interruptedData(disk.openData(name, values), () => beforeCommit?.()),
    exists: (name) => disk.exists(name),
    rename: (from, to) => disk.rename(from, to),
    remove: (name) => disk.remove(name),
    syncNames: () => disk.syncNames(),
    freeBytes: () => disk.freeBytes(),
  }
}

function interruptedFile(file: DiskFile, before: (position: number) => Promise<void> | void): DiskFile {
  return {
    size: () => file.size(),
    read: (into, position) => file.read(into, position),
    write: async (bytes, position) => {
      await before(position)
      await file.write(bytes, position)
    },
    sync: () => file.sync(),
    truncate: (bytes) => file.truncate(bytes),
    close: () => file.close(),
  }
}

function interruptedData(data: CheckedDataFile, before: () => Promise<void> | void): CheckedDataFile {
  return {
    get: (key, at) => data.get(key, at),
    range: (bounds, visit, at) => data.range(bounds, visit, at),
    hold: () => data.hold(),
    close: () => data.close(),
    commitSync: (changes, appended) => data.commitSync(changes, appended),
    commit: (changes, appended) => data.commit(changes, appended),
    commitChecked: async (changes) => {
      await before()
      await data.commitChecked(changes)
    },
  }
}
