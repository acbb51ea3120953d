import { StorageError } from '../store/storage-error.ts'
import type { Store, Value } from '../store/store.ts'
import { outdatedSoftware, standingOf, type StoredVersion } from '../store/stored-version.ts'
import { copyMarkKey, format, formatKey } from './key-space.ts'

/** Marks a new store with its format version, or upgrades the mark of an earlier format that is the same to this
 *  software, and rejects a store that a later version has made incompatible. */
export async function checkFormat(store: Store): Promise<void> {
  const [found, copyMark] = await store.view((snapshot) => snapshot.getMany([formatKey(), copyMarkKey()]))
  if (copyMark !== undefined) throw unfinishedCopy()
  if (found !== undefined) assertWritable(found)
  if (found !== undefined && decodeFormat(found).version >= format.version) return
  await store.transact([formatKey()], ([value]) => {
    if (value !== undefined) assertWritable(value)
    const isCurrent = value !== undefined && decodeFormat(value).version >= format.version
    return {
      writes: isCurrent ? [] : [{ kind: 'put', key: formatKey(), value: encodeFormat(format) }],
      answer: undefined,
    }
  })
}

/** Rejects what only newer software can read. */
export function assertReadable(record: Value): void {
  const stored = decodeFormat(record)
  if (standingOf(format.version, stored) !== 'nothing') return
  throw outdatedSoftware('incompatible', 'The format of the data', format.version, stored)
}

/** Rejects what only newer software can write. */
export function assertWritable(record: Value): void {
  const stored = decodeFormat(record)
  if (standingOf(format.version, stored) === 'read-and-write') return
  throw outdatedSoftware('incompatible', 'The format of the data', format.version, stored)
}

/** `version: 1 · readable from: 1 · writable from: 1`. At first it was the version alone. */
export function encodeFormat({ version, readableFrom, writableFrom }: StoredVersion): Buffer {
  return Buffer.of(version, readableFrom, writableFrom)
}

export function decodeFormat(record: Value): StoredVersion {
  if (record.length === 0) throw new StorageError('damaged', 'The record of the format of the data is empty.')
  const [version = 0, readableFrom = version, writableFrom = readableFrom] = record
  return { version, readableFrom, writableFrom }
}

export function unfinishedCopy(): StorageError {
  return new StorageError('incompatible', 'The data is an unfinished copy.', undefined, { kind: 'unfinished-copy' })
}
