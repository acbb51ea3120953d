import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { openLmdbStore, StorageError } from '@hashrange/engine'
import { withAdvice } from '../storage-advice.ts'
import { openArchivePlace, restoreArchive, type RestoredArchive } from '@hashrange/transfer'

export interface RestoreFolderOptions {
  readonly from: string
  readonly atMs?: number | undefined
  readonly path: string
  readonly onProgress?: (entries: number) => void
}

/** Fills a new data folder from an archive. The folder appears when it is complete: an interrupted restore starts
 *  again. */
export async function restoreFolder({
  from,
  atMs,
  path,
  onProgress,
}: RestoreFolderOptions): Promise<RestoredArchive> {
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new StorageError(
      'not-writable',
      `${path} already holds data, so nothing was restored. Name a new folder with --path, or start without --from.`,
    )
  }
  const place = await openArchivePlace(from)
  const unfinished = `${path}.restoring`
  rmSync(unfinished, { recursive: true, force: true })
  const store = await openLmdbStore({ path: unfinished })
  try {
    const restored = await restoreArchive({ from: place, atMs, to: store, onProgress })
    await store.close()
    if (existsSync(path)) rmdirSync(path)
    renameSync(unfinished, path)
    return restored
  } catch (error) {
    await store.close()
    rmSync(unfinished, { recursive: true, force: true })
    const reason =
      error instanceof StorageError
        ? withAdvice(error, 'command')
        : error instanceof Error
          ? error.message
          : String(error)
    throw new StorageError('io', `Nothing was restored. ${reason}`, error)
  }
}
