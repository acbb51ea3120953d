import type { CheckedChange, CheckedDataFile } from './data-file.ts'
import type { RecentChanges } from './recent-changes.ts'

export interface CommitOptions {
  /** How many changes one commit has at most: requests wait while it is prepared. */
  readonly changesPerCommit?: number | undefined
  /** Called with the size of each commit before it is made. It may throw. */
  readonly before?: (bytes: number) => void
}

/** Brings changes to a data file: each key once, in the order of keys, in several commits. So a page that many of them
 *  change is written once. */
export async function commitInOrder(
  changes: RecentChanges,
  file: CheckedDataFile,
  { changesPerCommit = 2_000, before }: CommitOptions = {},
): Promise<void> {
  for (const some of portions(changes, changesPerCommit)) {
    before?.(some.reduce((sum, change) => sum + bytesOf(change), 0))
    await file.commitChecked(some)
  }
}

const bytesPerCommit = 4 * 1024 * 1024

function* portions(changes: RecentChanges, changesPerCommit: number): Iterable<readonly CheckedChange[]> {
  let some: CheckedChange[] = []
  let bytes = 0
  for (const entry of changes.inOrder()) {
    const change = changes.checked(entry)
    some.push(change)
    bytes += bytesOf(change)
    if (some.length < changesPerCommit && bytes < bytesPerCommit) continue
    yield some
    some = []
    bytes = 0
  }
  if (some.length > 0) yield some
}

function bytesOf({ name, value }: CheckedChange): number {
  return name.length + (value === undefined ? 0 : value.end - value.start)
}
