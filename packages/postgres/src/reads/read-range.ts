import type { Key, Range, Value } from '@hashrange/engine'
import { countersOf, type Dialect } from './found.ts'
import { readPage, type RunCalls } from './read-page.ts'
import type { Segment } from './placement.ts'

/** Reads a range page by page. The size of a page depends on how much the caller will need, and on the size of recent
 *  entries. */
export async function readRange(
  dialect: Dialect,
  run: RunCalls,
  bounds: Range,
  visit: (key: Key, value: Value) => boolean,
): Promise<void> {
  const { from, to, reverse = false } = bounds
  if (Buffer.compare(from, to) >= 0) return
  let left = bounds.limit ?? Number.POSITIVE_INFINITY
  const segments = dialect.placement.segments(from, to)
  for (const segment of reverse ? segments.toReversed() : segments) {
    left = await readSegment(dialect, run, segment, reverse, left, visit)
    if (left <= 0) return
  }
}

/** Reads a range with one statement that is its own transaction. Returns false, without calling `visit`, if one page is not enough or the
 *  range is in several shards: then all pages must come from one snapshot. */
export async function readRangeAtOnce(
  dialect: Dialect,
  run: RunCalls,
  bounds: Range,
  visit: (key: Key, value: Value) => boolean,
): Promise<boolean> {
  const { from, to, reverse = false, limit = Number.POSITIVE_INFINITY } = bounds
  if (Buffer.compare(from, to) >= 0) return true
  const segments = dialect.placement.segments(from, to)
  const [segment] = segments
  if (segments.length !== 1 || segment === undefined || segment.kind === 'counters') return false
  const { first, last } = dialect.placement.shardsBetween(from, to)
  const limitOfPage = Math.min(limit, expectedEntries())
  // After one large partition, more pages of it usually follow.
  if (first !== last || (limitOfPage < limit && largeLately > 0)) {
    largeLately = Math.max(0, largeLately - 1)
    return false
  }
  const { rows, next } = await readPage(dialect, run, { kind: segment.kind, from, to, reverse, limit: limitOfPage })
  if (next !== undefined && limitOfPage < limit) {
    largeLately = 8
    return false
  }
  for (const [key = noBytes, value = noBytes] of rows) {
    learnSize(key.length + value.length)
    if (!visit(key, value)) break
  }
  return true
}

let largeLately = 0

/** Returns how many entries may still be read: zero if the visitor has had enough. */
async function readSegment(
  dialect: Dialect,
  run: RunCalls,
  { kind, from: start, to: end }: Segment,
  reverse: boolean,
  limit: number,
  visit: (key: Key, value: Value) => boolean,
): Promise<number> {
  let [from, to] = [start, end]
  let left = limit
  while (left > 0) {
    const limitOfPage = Math.min(left, expectedEntries())
    const { rows, next } = await readPage(dialect, run, { kind, from, to, reverse, limit: limitOfPage })
    for (const row of rows) {
      const [key = noBytes, second] = row
      const value = kind === 'counters' ? countersOf(second, row.slice(2)) : (second ?? noBytes)
      learnSize(key.length + value.length)
      if (--left < 0 || !visit(key, value)) return 0
    }
    if (next === undefined) return left
    ;({ from, to } = next)
  }
  return left
}

/** The mean size of recently read entries. Small ones are read by the thousand, large ones a few at a time. */
let meanBytes = 1_024

export function learnSize(bytes: number): void {
  meanBytes += (bytes - meanBytes) / 64
}

export function expectedEntries(): number {
  return Math.max(8, Math.min(1_024, Math.floor(pageBytes / meanBytes)))
}

const pageBytes = 256 * 1_024
const noBytes = Buffer.alloc(0)
