import { closeSync, fstatSync, ftruncateSync, readFileSync, statSync, writeSync, type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { CannotLockError, openExclusively } from './exclusive-file.ts'
import { StorageError } from './storage-error.ts'

export interface FolderLock {
  release(): void
}

/** Only one process at a time may use a data folder: the catalog is cached in memory, and two writers would destroy
 *  the file. What counts is the operating system's lock on the file `lock`. The contents of the file only tell people
 *  who has it, and mean nothing once the lock is free. The file is never removed: a process that still had the
 *  removed file open could lock it while another process locks its successor. */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'lock')
  const descriptor = openLock(folder, file)
  if (descriptor === undefined) throw inUse(folder, file)
  const identity = identityOf(fstatSync(descriptor, { bigint: true }))
  heldHere.add(identity)
  tell(descriptor, `${process.pid}\n${warning}\n`)
  let isHeld = true
  return {
    release: () => {
      if (!isHeld) return
      isHeld = false
      heldHere.delete(identity)
      tell(descriptor, '')
      closeSync(descriptor)
    },
  }
}

const warning =
  'This file is locked while that process runs. Deleting it frees nothing, and lets two processes damage the data.'

/** The locks of this process. Its id in a lock file may also be that of a process in another container. */
const heldHere = new Set<string>()

function openLock(folder: string, file: string): number | undefined {
  try {
    return openExclusively(file)
  } catch (cause) {
    if (cause instanceof CannotLockError) {
      throw new StorageError('io', `The data folder ${folder} cannot be locked: ${cause.message}.`, cause)
    }
    throw new StorageError('not-writable', `The data folder ${folder} is not writable.`, cause, {
      kind: 'folder-not-writable',
      folder,
    })
  }
}

function inUse(folder: string, file: string): StorageError {
  const processId = holderOf(file)
  const who = processId === undefined ? 'another process' : `process ${processId}`
  const problem = { kind: 'folder-in-use', folder, processId } as const
  return new StorageError('locked', `The data folder ${folder} is in use by ${who}.`, undefined, problem)
}

function holderOf(file: string): number | undefined {
  try {
    if (heldHere.has(identityOf(statSync(file, { bigint: true })))) return process.pid
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return pid > 0 && pid !== process.pid ? pid : undefined
  } catch {
    // Windows lets nobody else read it.
    return undefined
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

function tell(descriptor: number, text: string): void {
  try {
    ftruncateSync(descriptor, 0)
    writeSync(descriptor, text, 0)
  } catch {
    // On a full disk the file cannot say who has the folder; it is locked all the same.
  }
}
