import { keyHeaderBytes } from '../layout/item-keys.ts'
import { storedPages, type Entry, type EntryReader } from './stored-pages.ts'
import { isNoItem } from '../cuts/kept-item.ts'
import type { Key, Range } from '../store/store.ts'

/** A table's items as they were before the changes that are to be undone, in order: each item as it is now, unless what it
 *  was has been written down. Both come in the same order, so that no more than a page of each is held. */
export async function* itemsAt(
  now: EntryReader,
  items: Range,
  undo: EntryReader,
  undone: Range,
): AsyncGenerator<readonly Entry[]> {
  const current = new Entries(now, items)
  const previous = new Entries(undo, undone)
  for (;;) {
    await current.fill()
    await previous.fill()
    if (current.first === undefined && previous.first === undefined) return
    yield merged(current, previous)
  }
}

/** Goes on until one of the two would have to be read further. */
function merged(current: Entries, previous: Entries): readonly Entry[] {
  const merge: Entry[] = []
  while (!current.isSpent && !previous.isSpent && (current.first ?? previous.first) !== undefined) {
    const order = compare(current.first, previous.first)
    if (order <= 0) {
      const item = current.take()
      if (order < 0) merge.push(item)
    }
    if (order >= 0) {
      const item = previous.take()
      if (!isNoItem(item.value)) merge.push(item)
    }
  }
  return merge
}

/** By what follows the header, which names different identifiers. The end comes after everything. */
function compare(one: Entry | undefined, other: Entry | undefined): number {
  if (one === undefined) return 1
  if (other === undefined) return -1
  return Buffer.compare(suffix(one.key), suffix(other.key))
}

function suffix(key: Key): Key {
  return key.subarray(keyHeaderBytes)
}

/** Entries that are read in pages and taken one by one. */
class Entries {
  readonly #pages: AsyncGenerator<readonly Entry[]>
  #page: readonly Entry[] = []
  #at = 0
  #ended = false

  constructor(reader: EntryReader, range: Range) {
    this.#pages = storedPages(reader, range)
  }

  get first(): Entry | undefined {
    return this.#page[this.#at]
  }

  /** Whether there may be more, but not without reading on. */
  get isSpent(): boolean {
    return !this.#ended && this.#at >= this.#page.length
  }

  take(): Entry {
    const entry = this.#page[this.#at++]
    if (entry === undefined) throw new Error('there is no entry to take')
    return entry
  }

  async fill(): Promise<void> {
    if (!this.isSpent) return
    const next = await this.#pages.next()
    this.#ended = next.done === true
    this.#page = next.done === true ? [] : next.value
    this.#at = 0
  }
}
