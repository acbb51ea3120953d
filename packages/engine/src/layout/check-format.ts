import { StorageError } from '../store/storage-error.ts'
import type { Store } from '../store/store.ts'
import { copyMarkKey, formatKey, formatVersion } from './key-space.ts'

/** Marks a new store with the version of its format, and refuses one that a later version has written. */
export async function checkFormat(store: Store): Promise<void> {
  const [found, copyMark] = await store.view((snapshot) => snapshot.getMany([formatKey(), copyMarkKey()]))
  if (copyMark !== undefined) throw unfinishedCopy()
  if (found === undefined) {
    await store.transact([formatKey()], ([value]) => ({
      writes: value === undefined ? [{ kind: 'put', key: formatKey(), value: Buffer.of(formatVersion) }] : [],
      answer: undefined,
    }))
    return
  }
  if (found[0] !== formatVersion) throw otherFormat(found[0])
}

export function unfinishedCopy(): StorageError {
  return new StorageError('incompatible', 'The data is an unfinished copy.', undefined, { kind: 'unfinished-copy' })
}

export function otherFormat(format: number | undefined): StorageError {
  return new StorageError(
    'incompatible',
    `The data was written in format ${format}, and this version of hashrange reads format ${formatVersion}.`,
    undefined,
    { kind: 'other-format', format },
  )
}
