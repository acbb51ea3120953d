import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from './storage-error.ts'

/** Sees to it that the folder for the data is there, and that it will still be there after a power cut: the name of a
 *  folder is on disk only when the folder above it has been synced. */
export function makeDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    // Somebody else may have made the folder, or a start that was stopped before it came to this.
    if (isEmpty(path)) syncFoldersAbove(realpathSync(path))
  } catch (cause) {
    throw new StorageError('not-writable', `The data folder ${path} cannot be created.`, cause, {
      kind: 'folder-not-created',
      folder: path,
    })
  }
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    // Whoever opens the folder next says what is wrong with it.
    return false
  }
}

function syncFoldersAbove(folder: string): void {
  const parent = dirname(folder)
  if (parent === folder) return
  syncFolder(parent)
  syncFoldersAbove(parent)
}

/** Not every system can, and not every user may. What is broken is not passed over. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined
  try {
    descriptor = openSync(folder, 'r')
    fsyncSync(descriptor)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
