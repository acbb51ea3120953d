import { following } from '../layout/key-bounds.ts'
import type { Key, MaybePromise, Range, Store, Value } from '../store/store.ts'

export interface Entry {
  readonly key: Key
  readonly value: Value
}

/** A snapshot, or anything else from which entries can be read in order. */
export interface EntryReader {
  range(bounds: Range, visit: (key: Key, value: Value) => boolean): MaybePromise<void>
}

/** Reads each page from the current state of the store: for entries that nobody changes. */
export function currentEntries(store: Store): EntryReader {
  return { range: (bounds, visit) => store.view((snapshot) => snapshot.range(bounds, visit)) }
}

const entriesPerPage = 200
const bytesPerPage = 2 ** 20

/** The entries between the bounds, a page at a time, however many there are. */
export async function* storedPages(reader: EntryReader, bounds: Range): AsyncGenerator<readonly Entry[]> {
  let { from, to } = bounds
  for (;;) {
    const page: Entry[] = []
    let bytes = 0
    await reader.range({ ...bounds, from, to, limit: entriesPerPage }, (key, value) => {
      bytes += value.length
      return page.push({ key, value }) < entriesPerPage && bytes < bytesPerPage
    })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (bounds.reverse === true) to = last.key
    else from = following(last.key)
  }
}
