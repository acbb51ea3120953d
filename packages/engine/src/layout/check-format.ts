import { StorageError } from '../store/storage-error.ts'
import type { Store } from '../store/store.ts'
import { copyMarkKey, formatKey, formatVersion } from './key-space.ts'

/** Marks a new store with the version of its format, and refuses one that a later version has written. */
export async function checkFormat(store: Store): Promise<void> {
  const [found, copyMark] = await store.view((snapshot) => snapshot.getMany([formatKey(), copyMarkKey()]))
  if (copyMark !== undefined) {
    throw new StorageError(
      'incompatible',
      'The data is a copy that has not come to its end. Run the same hashrange copy again, or copy to an empty place.',
    )
  }
  if (found === undefined) {
    await store.transact([formatKey()], ([value]) => ({
      writes: value === undefined ? [{ kind: 'put', key: formatKey(), value: Buffer.of(formatVersion) }] : [],
      answer: undefined,
    }))
    return
  }
  if (found[0] !== formatVersion) {
    throw new StorageError(
      'incompatible',
      `The data was written in format ${found[0]}, and this version of hashrange reads format ${formatVersion}.`,
      undefined,
      { kind: 'other-format', format: found[0] },
    )
  }
}
