import { isNoItem } from '../cuts/kept-item.ts'
import { following } from '../layout/key-bounds.ts'
import type { Key, Range, Store } from '../store/store.ts'
import { currentEntries, storedPages, type Entry } from './stored-pages.ts'

export interface BackupPage {
  readonly items: readonly Entry[]
  /** Where the items of the next page begin. */
  readonly next: Key
  readonly isLast: boolean
}

/** The items of a backup, or those from some key on, one page at a time. Nobody changes them, so each page is a
 *  separate read. */
export async function* itemsOfBackup(store: Store, range: Range): AsyncGenerator<BackupPage> {
  for await (const page of storedPages(currentEntries(store), range)) {
    // For an item that was created after the backup was requested, it says that there was none.
    const items = page.filter(({ value }) => !isNoItem(value))
    yield { items, next: following(page.at(-1)?.key ?? range.from), isLast: false }
  }
  yield { items: [], next: range.to, isLast: true }
}
