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

/** A backup's items, or those from some key on, a page at a time. Nobody changes them: each page is a read of its own. */
export async function* itemsOfBackup(store: Store, range: Range): AsyncGenerator<BackupPage> {
  for await (const page of storedPages(currentEntries(store), range)) {
    // Where an item came after the backup was asked for, it says that there was none.
    const items = page.filter(({ value }) => !isNoItem(value))
    yield { items, next: following(page.at(-1)?.key ?? range.from), isLast: false }
  }
  yield { items: [], next: range.to, isLast: true }
}
