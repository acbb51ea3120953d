import { keyHeaderBytes } from '../layout/item-keys.ts'
import { following } from '../layout/key-bounds.ts'
import { movedItemKey, keySpace } from '../layout/key-space.ts'
import type { Key, Range, Snapshot, Store, Value } from '../store/store.ts'
import { isNoItem, keptRange } from './kept-item.ts'

/** An item as it was at a cut. */
export interface CutItem {
  /** Its key in its table. */
  readonly key: Key
  readonly value: Value
  /** Whether it has been changed since, so that its old state is kept already. */
  readonly isKept: boolean
}

export interface CutPage {
  readonly items: readonly CutItem[]
  /** Where the items of the next page begin, for continuing from there. */
  readonly next: Key
  readonly isLast: boolean
}

/** The items of a table as they were at a cut, in order, one page at a time, while the table is in use. Whatever
 *  changes after the cut is first kept as it was, in the transaction that changes it. So an item that is not kept is
 *  unchanged, if what is kept is read after the item: each page consists of two short reads, in that order, and needs
 *  no snapshot that outlives it. */
export async function* itemsOfCut(
  store: Store,
  items: { readonly from: Key; readonly to: Key },
  cutId: number,
): AsyncGenerator<CutPage> {
  let page: CutPage | undefined
  while (page?.isLast !== true) {
    page = await readPage(store, { from: page?.next ?? items.from, to: items.to }, cutId)
    yield page
  }
}

async function readPage(
  store: Store,
  items: { readonly from: Key; readonly to: Key },
  cutId: number,
): Promise<CutPage> {
  const [now, kept] = await store.view(async (snapshot) => {
    const current = await readSome(snapshot, items)
    return [current, await readSome(snapshot, keptRange(cutId, { ...items, to: current.end }))] as const
  })
  // What is kept may be more than a page: then the items beyond it are read again with the next page.
  const tableId = tableIdOf(items.from)
  const end = kept.isWhole ? now.end : movedItemKey(keySpace.item, tableId, kept.end)
  return { items: merged(tableId, now.entries, kept.entries, end), next: end, isLast: now.isWhole && kept.isWhole }
}

interface Entry {
  readonly key: Key
  readonly value: Value
}

interface SomeEntries {
  readonly entries: readonly Entry[]
  /** Everything before it is included. */
  readonly end: Key
  /** Whether that is the whole range. */
  readonly isWhole: boolean
}

const entriesPerPage = 500
const bytesPerPage = 2 ** 20

async function readSome(snapshot: Snapshot, range: Range): Promise<SomeEntries> {
  const entries: Entry[] = []
  let bytes = 0
  await snapshot.range({ ...range, limit: entriesPerPage }, (key, value) => {
    bytes += value.length
    return entries.push({ key, value }) < entriesPerPage && bytes < bytesPerPage
  })
  const last = entries.at(-1)
  const isFull = entries.length === entriesPerPage || bytes >= bytesPerPage
  return last !== undefined && isFull
    ? { entries, end: following(last.key), isWhole: false }
    : { entries, end: range.to, isWhole: true }
}

/** What is kept takes the place of what is there now. */
function merged(tableId: number, now: readonly Entry[], kept: readonly Entry[], end: Key): readonly CutItem[] {
  const items: CutItem[] = []
  let at = 0
  const addKept = ({ key, value }: Entry): void => {
    if (!isNoItem(value)) items.push({ key: movedItemKey(keySpace.item, tableId, key), value, isKept: true })
  }
  for (const { key, value } of now) {
    if (Buffer.compare(key, end) >= 0) break
    let order = -1
    for (let next = kept[at]; next !== undefined; next = kept[at]) {
      order = Buffer.compare(suffix(key), suffix(next.key))
      if (order < 0) break
      addKept(next)
      at++
      if (order === 0) break
    }
    if (order !== 0) items.push({ key, value, isKept: false })
  }
  kept.slice(at).forEach(addKept)
  return items
}

/** The part after the header, because the identifiers in the headers differ. */
function suffix(key: Key): Key {
  return key.subarray(keyHeaderBytes)
}

function tableIdOf(key: Key): number {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUInt32BE(1)
}
