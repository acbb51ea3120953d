import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDataFolder } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { openDataFile } from './lmdb/data-file.ts'
import { openDisk } from './lmdb/disk.ts'
import { GroupCommitStore } from './lmdb/group-commit-store.ts'
import { isOutOfRoom } from './lmdb/is-out-of-room.ts'
import { Journal, type JournalOptions } from './lmdb/journal.ts'
import { DamagedLogError, type Recovery } from './lmdb/recover-folder.ts'
import { hasLittleRoom } from './lmdb/spare-room.ts'
import { StorageError } from './storage-error.ts'
import { processTimers } from './store-timers.ts'
import type { Store } from './store.ts'

export type LmdbOptions = DiskOptions | { readonly memory: true }

export interface DiskOptions {
  readonly path: string
  /** How often changes are brought from the redo log to the data file, at most. The file grows by the pages that are
   *  replaced meanwhile; a longer time saves writes, a shorter one space. */
  readonly checkpointEveryMs?: number
  /** Opens a folder whose redo log is damaged, without what was acknowledged after the damage. */
  readonly acceptsLoss?: boolean
  /** Rewrites the data file, without the space that it no longer needs. */
  readonly compacts?: boolean
  /** Called when a folder had not been closed properly. */
  readonly onRecovery?: (recovery: Recovery) => void
}

/** Opens the embedded store: one file in the folder `path`, or one that nobody else can see and that disappears with
 *  the process. With a path, a transaction is only acknowledged when its commit is on disk. */
export async function openLmdbStore(options: LmdbOptions): Promise<Store> {
  if ('memory' in options) return openInMemory()
  const { path } = options
  makeDataFolder(path)
  const lock = lockFolder(path)
  try {
    const journal: JournalOptions = {
      ...options,
      disk: openDisk(path),
      timers: processTimers,
      checkpointEveryMs: options.checkpointEveryMs ?? 1_000,
      checkpointAfterBytes: 32 * 1024 * 1024,
    }
    return await openStoreOn(journal, () => lock.release())
  } catch (cause) {
    lock.release()
    throw damagedOrUnreadable(path, cause)
  }
}

/** Opens a store on any disk. */
export async function openStoreOn(options: JournalOptions, onClosed: () => void): Promise<Store> {
  const journal = await Journal.open(options)
  try {
    return new GroupCommitStore(journal.data, journal, options.timers, onClosed)
  } catch (error) {
    try {
      await journal.close()
    } finally {
      await journal.data.close()
    }
    throw error
  }
}

function openInMemory(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const data = openDataFile(join(folder, 'data.mdb'), 'bare')
  // An open file outlives its name, so nothing is left behind even after a crash.
  if (process.platform === 'win32') process.once('exit', remove)
  else remove()
  return new GroupCommitStore(data, undefined, processTimers, remove)
}

/** LMDB calls it an input/output error if the disk takes a part of its pages only, as a full one does. */
function isCutShort(reason: string): boolean {
  return /EIO|Input\/output error/i.test(reason)
}

function damagedOrUnreadable(path: string, cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (/EACCES|EPERM|Permission denied|read-only/i.test(reason)) {
    return new StorageError('not-writable', `The data folder ${path} is not writable.`, cause, {
      kind: 'folder-not-writable',
      folder: path,
    })
  }
  if (isOutOfRoom(cause) || (isCutShort(reason) && hasLittleRoom(openDisk(path)))) {
    return new StorageError(
      'io',
      `The data in ${path} cannot be recovered because the disk is full. Nothing is lost. Free some space and start again.`,
      cause,
    )
  }
  if (cause instanceof DamagedLogError) {
    return new StorageError('damaged', `The data in ${path} cannot be opened: ${reason}.`, cause, {
      kind: 'redo-log-damaged',
      folder: path,
    })
  }
  return new StorageError('damaged', `The data in ${path} cannot be opened (${reason}).`, cause, {
    kind: 'data-unreadable',
    folder: path,
  })
}
