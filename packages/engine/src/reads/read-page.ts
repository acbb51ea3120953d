import { limits } from '@hashrange/core'
import type { Key, MaybePromise, Range, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { storedSizeBytes } from '../items/stored-item.ts'

export interface Page {
  /** The entries that passed the filter, in order. */
  readonly values: readonly Value[]
  readonly evaluated: number
  readonly evaluatedBytes: number
  /** The last entry that was evaluated, if the page ended before the range. */
  readonly last: Value | undefined
}

export interface PageLimits {
  readonly limit: number | undefined
  readonly keep: ((value: Value) => boolean) | undefined
  /** Less than a megabyte if something was already read. */
  readonly pageBytes?: number | undefined
  /** Whether the page is all that is read from the snapshot. */
  readonly isAlone?: boolean | undefined
}

/** Reads entries until `limit` of them, or a megabyte, have been evaluated. The entry that passes the megabyte is still
 *  part of the page, and filters come after both limits, as in the service. */
export function readPage(snapshot: Snapshot, range: Range, pageLimits: PageLimits): MaybePromise<Page> {
  const { limit, keep, pageBytes = limits.pageBytes, isAlone } = pageLimits
  const values: Value[] = []
  const atMost = limit ?? Number.POSITIVE_INFINITY
  let evaluated = 0
  let evaluatedBytes = 0
  let last: Value | undefined
  const visit = (_key: Key, value: Value): boolean => {
    evaluated++
    evaluatedBytes += storedSizeBytes(value)
    if (keep === undefined || keep(value)) values.push(value)
    if (evaluated < atMost && evaluatedBytes < pageBytes) return true
    last = value
    return false
  }
  const { from, to, reverse } = range
  return whenThere(snapshot.range({ from, to, reverse, limit, isAlone }, visit), () => ({
    values,
    evaluated,
    evaluatedBytes,
    last,
  }))
}
