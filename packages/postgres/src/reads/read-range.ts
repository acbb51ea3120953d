import type { Key, Range, Value } from '@hashrange/engine'
import type { Row } from '../connection/inbox.ts'
import type { Call } from '../connection/link.ts'
import { countersOf, type Dialect } from './found.ts'
import type { Segment } from './placement.ts'

/** Runs a call, in the snapshot that all calls of a range share. */
export type RunCall = (call: Call) => Promise<void>

/** Reads a range page by page. A page is bounded by what the caller will ask for, and by the size that entries have had. */
export async function readRange(
  dialect: Dialect,
  run: RunCall,
  bounds: Range,
  visit: (key: Key, value: Value) => boolean,
): Promise<void> {
  const { from, to, reverse = false } = bounds
  let left = bounds.limit ?? Number.POSITIVE_INFINITY
  if (Buffer.compare(from, to) >= 0) return
  const segments = dialect.placement.segments(from, to)
  for (const segment of reverse ? segments.toReversed() : segments) {
    left = await readSegment(dialect, run, segment, reverse, left, visit)
    if (left <= 0) return
  }
}

/** Answers how many entries may still be read: none if the visitor has had enough. */
async function readSegment(
  dialect: Dialect,
  run: RunCall,
  segment: Segment,
  reverse: boolean,
  limit: number,
  visit: (key: Key, value: Value) => boolean,
): Promise<number> {
  let { from, to } = segment
  let left = limit
  while (left > 0) {
    const pageEntries = Math.min(left, expectedEntries())
    const rows: Row[] = []
    await run(pageCall(dialect, segment.kind, from, to, reverse, pageEntries, rows))
    let last: Buffer | undefined
    for (const row of rows) {
      const [key = noBytes, second] = row
      const value = segment.kind === 'counters' ? countersOf(second, row.slice(2)) : (second ?? noBytes)
      learnSize(key.length + value.length)
      last = key
      left--
      if (!visit(key, value)) return 0
    }
    if (last === undefined || rows.length < pageEntries) return left
    if (reverse) to = last
    else from = Buffer.concat([last, zeroByte])
  }
  return left
}

function pageCall(
  { statements, placement }: Dialect,
  kind: Segment['kind'],
  from: Key,
  to: Key,
  reverse: boolean,
  entries: number,
  rows: Row[],
): Call {
  const onRow = (row: Row): void => void rows.push(row)
  const bounds = [from, to, BigInt(entries)] as const
  if (kind === 'counters') {
    return { statement: reverse ? statements.countersReverse : statements.counters, parameters: bounds, onRow }
  }
  const shard = placement.shardBetween(from, to)
  if (shard !== undefined) {
    return {
      statement: reverse ? statements.rangeReverse : statements.range,
      parameters: [...bounds, shard],
      onRow,
    }
  }
  const statement = reverse ? statements.rangeEverywhereReverse : statements.rangeEverywhere
  return { statement, parameters: bounds, onRow }
}

/** The mean size of the entries that were read lately. Small ones are read by the thousand, large ones a few at a time. */
let meanBytes = 1_024

function learnSize(bytes: number): void {
  meanBytes += (bytes - meanBytes) / 64
}

function expectedEntries(): number {
  return Math.max(8, Math.min(1_024, Math.floor(pageBytes / meanBytes)))
}

const pageBytes = 256 * 1_024
const zeroByte = Buffer.of(0)
const noBytes = Buffer.alloc(0)
