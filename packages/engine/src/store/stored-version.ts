import { StorageError } from './storage-error.ts'

/** What a store says about the version of its data: its own version, and which versions of the software may read and
 *  write it. A change that older servers need not know about only raises the version, so that they can run beside
 *  newer ones; a change that they would misread or corrupt also raises the other numbers. ON DISK, in each store in
 *  its own way. */
export interface StoredVersion {
  readonly version: number
  readonly readableFrom: number
  readonly writableFrom: number
}

/** What software that knows a version may do. */
export type Standing = 'read-and-write' | 'read' | 'nothing'

export function standingOf(known: number, { readableFrom, writableFrom }: StoredVersion): Standing {
  if (known < readableFrom) return 'nothing'
  return known < writableFrom ? 'read' : 'read-and-write'
}

/** Why software that knows a version may not write, or not even read, and what to do. `what` begins the sentence:
 *  "The data". */
export function outdatedSoftware(
  code: 'incompatible' | 'unavailable',
  what: string,
  known: number,
  stored: StoredVersion,
): StorageError {
  const isReadable = standingOf(known, stored) === 'read'
  const needed = isReadable ? stored.writableFrom : stored.readableFrom
  const problem = `${what} has version ${stored.version}, written by a newer hashrange. To ${isReadable ? 'write' : 'read'} it, a server must know version ${needed}, and this one knows version ${known}.`
  const remedy = isReadable
    ? 'It can still be read. Replace this server with the newer hashrange.'
    : 'Replace this server with the newer hashrange, or use another database.'
  return new StorageError(code, `${problem} ${remedy}`)
}
