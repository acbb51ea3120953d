import { currentEntries, storedPages, type Entry } from '../backups/stored-pages.ts'
import { following } from '../layout/key-bounds.ts'
import { keyText } from '../store/key-text.ts'
import { keyPlacement } from '../layout/key-placement.ts'
import { decodeCounters } from '../store/counters.ts'
import type { Key, Store, Value, Write } from '../store/store.ts'

/** A part of two stores, side by side. */
export interface Compared {
  /** What the source contains there. */
  readonly source: readonly Entry[]
  /** What makes the target the same; undefined if it already is. */
  readonly writes: readonly Write[]
}

/** Compares everything that two stores contain between the bounds, one page at a time. Entries that are not `wanted`
 *  are left alone. */
export async function* compareStores(
  from: Store,
  to: Store,
  bounds: { readonly from: Key; readonly to: Key },
  wanted: (entry: Entry) => boolean,
): AsyncGenerator<Compared> {
  let start = bounds.from
  for await (const page of storedPages(currentEntries(from), bounds)) {
    const end = following(page.at(-1)?.key ?? start)
    yield* comparePage(page.filter(wanted), to, { from: start, to: end }, wanted)
    start = end
  }
  yield* comparePage([], to, { from: start, to: bounds.to }, wanted)
}

/** The target may contain far more there than a page. */
async function* comparePage(
  source: readonly Entry[],
  to: Store,
  bounds: { readonly from: Key; readonly to: Key },
  wanted: (entry: Entry) => boolean,
): AsyncGenerator<Compared> {
  const missing = new Map(source.map((entry) => [keyText(entry.key), entry]))
  for await (const page of storedPages(currentEntries(to), bounds)) {
    const writes: Write[] = []
    for (const { key, value } of page.filter(wanted)) {
      const name = keyText(key)
      const write = difference(key, missing.get(name)?.value, value)
      if (write !== undefined) writes.push(write)
      missing.delete(name)
    }
    if (writes.length > 0) yield { source: [], writes }
  }
  yield { source, writes: [...missing.values()].map(newEntry) }
}

/** Counters may be kept in parts: they are corrected by adding. */
export function newEntry({ key, value }: Entry): Write {
  if (keyPlacement.isCounter(key)) return { kind: 'add', key, amounts: decodeCounters(value) }
  return { kind: 'put', key, value }
}

function difference(key: Key, wanted: Value | undefined, found: Value): Write | undefined {
  if (wanted === undefined) return { kind: 'delete', key }
  if (!keyPlacement.isCounter(key)) return wanted.equals(found) ? undefined : { kind: 'put', key, value: wanted }
  const [is, isToBe] = [decodeCounters(found), decodeCounters(wanted)]
  const amounts = Array.from(
    { length: Math.max(is.length, isToBe.length) },
    (_, part) => (isToBe[part] ?? 0) - (is[part] ?? 0),
  )
  return amounts.some((amount) => amount !== 0) ? { kind: 'add', key, amounts } : undefined
}
