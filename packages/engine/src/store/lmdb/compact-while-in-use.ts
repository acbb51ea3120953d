import { StorageError } from '../storage-error.ts'
import type { CompactedStore, KeyChange, StoreCompaction } from '../store.ts'
import { spareBytes, type DataCopy } from './data-copy.ts'
import type { DataSize, Journal } from './journal.ts'

export interface CompactWhileInUseOptions {
  readonly journal: Journal
  /** Calls `note` with everything that is committed from now on. */
  readonly follow: (note: (changes: readonly KeyChange[]) => void) => { stop(): void }
  /** Runs something when nothing is being written to the journal or the data file. */
  readonly whenQuiet: (work: () => Promise<void>) => Promise<void>
  readonly run: StoreCompaction
}

/** Copies the data file while it is in use, without the space that it does not need, and replaces it with the copy. A
 *  failure before that leaves the store as it was. Resolves when the copy is in place; `closed` resolves when the
 *  space of the old file has been freed. */
export async function compactWhileInUse({
  journal,
  follow,
  whenQuiet,
  run,
}: CompactWhileInUseOptions): Promise<CompactedStore & { readonly closed: Promise<void> }> {
  const { bytes: bytesBefore, entries: ofEntries, ...room } = journal.size()
  assertPossible(room)
  const copy = beginCopy(journal)
  const following = follow((changes) => copy.note(changes))
  let closed = Promise.resolve()
  try {
    await copy.run({
      stopping: run.stopping,
      onProgress: (entries) => run.onProgress(entries, Math.max(entries, ofEntries)),
    })
    await whenQuiet(async () => {
      ;({ closed } = await journal.switchTo(copy))
    })
  } catch (cause) {
    await copy.discard()
    throw cause instanceof StorageError ? cause : givenUp(cause)
  } finally {
    following.stop()
  }
  return { bytesBefore, bytesAfter: journal.size().bytes, closed }
}

function beginCopy(journal: Journal): DataCopy {
  try {
    return journal.copyData()
  } catch (cause) {
    throw givenUp(cause)
  }
}

function assertPossible({ neededBytes, freeBytes }: Pick<DataSize, 'neededBytes' | 'freeBytes'>): void {
  if (process.platform === 'win32') {
    throw new StorageError(
      'unavailable',
      'On Windows a data file cannot be replaced while it is in use. Stop the server, then compact its folder.',
    )
  }
  if (freeBytes < neededBytes + spareBytes) {
    throw new StorageError(
      'io',
      `The disk does not have enough space for a copy of the data: ${megabytes(neededBytes + spareBytes)} MB are needed, ${megabytes(freeBytes)} MB are free. Nothing has changed.`,
    )
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024)
}

function givenUp(cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StorageError('io', `The compaction was cancelled (${reason}). Nothing has changed.`, cause)
}
