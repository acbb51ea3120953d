import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from './storage-error.ts'

/** Makes sure that the data folder exists, and that it will still exist after a power cut: the name of a folder is
 *  only on disk when the folder above it has been synced. */
export function makeDataFolder(path: string): void {
  try {
    makeFolders(path)
    // Somebody else may have created the folder, or a start that was interrupted before this.
    if (isEmpty(path)) syncFoldersAbove(realpathSync(path))
  } catch (cause) {
    throw new StorageError('not-writable', `The data folder ${path} cannot be created.`, cause, {
      kind: 'folder-not-created',
      folder: path,
    })
  }
}

/** Node.js can do this itself, but does not end where no folder can be created in one that is there, such as /proc. */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(folder)
  if (!existsSync(parent)) makeFolders(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Somebody else was faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    // Whoever opens the folder next reports what is wrong with it.
    return false
  }
}

function syncFoldersAbove(folder: string): void {
  const parent = dirname(folder)
  if (parent === folder) return
  syncFolder(parent)
  syncFoldersAbove(parent)
}

/** Not every system supports it, and not every user has permission. Real errors are not ignored. */
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
