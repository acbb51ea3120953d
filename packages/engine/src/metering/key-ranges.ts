import type { PartitionUse } from './meter-row.ts'
import type { KeyRangePeriod, KeyRangeUse } from './metrics.ts'
import { partitionLimits } from '../partitions/partition-limits.ts'

/** The ranges of one period as they are reported: not overlapping, in key order, and not too many. */
export function keyRangePeriod(atMs: number, uses: readonly PartitionUse[], limit: number): KeyRangePeriod {
  const ranges = apart(uses)
  if (ranges.length <= limit) return { atMs, ranges, leftOut: 0 }
  const busiest = new Set(ranges.toSorted((a, b) => heatOf(b) - heatOf(a)).slice(0, limit))
  return { atMs, ranges: ranges.filter((range) => busiest.has(range)), leftOut: ranges.length - limit }
}

/** Ranges that were split meanwhile are reported along with their parts: they are cut where the parts begin and end. */
function apart(uses: readonly PartitionUse[]): readonly KeyRangeUse[] {
  const sorted = uses.toSorted((a, b) => compareKeys(a.from, b.from))
  const overlap = sorted.some((use, position) => {
    const next = sorted[position + 1]
    return next !== undefined && isBefore(next.from, use.to)
  })
  if (!overlap) return sorted.map((use) => partOf(use, use.from, use.to, 1))
  const cuts = [...new Set(sorted.flatMap(({ from, to }) => (to === '' ? [from] : [from, to])))].toSorted(
    compareKeys,
  )
  const parts = new Map<string, KeyRangeUse>()
  for (const use of sorted) {
    const starts = cuts.filter((cut) => cut >= use.from && isBefore(cut, use.to))
    const whole = widthOf(use.from, use.to)
    for (const [position, from] of starts.entries()) {
      const to = starts[position + 1] ?? use.to
      // Parts of one partition key's items have no hashes between them.
      const share = whole === 0 ? 1 / starts.length : widthOf(from, to) / whole
      parts.set(from, sumOf(parts.get(from), partOf(use, from, to, share)))
    }
  }
  return [...parts.values()].toSorted((a, b) => compareKeys(a.fromKey, b.fromKey))
}

function partOf(use: PartitionUse, fromKey: string, toKey: string, share: number): KeyRangeUse {
  return {
    fromKey,
    toKey,
    readUnits: use.readUnits * share,
    writeUnits: use.writeUnits * share,
    readThrottles: Math.round(use.readThrottles * share),
    writeThrottles: Math.round(use.writeThrottles * share),
  }
}

function sumOf(left: KeyRangeUse | undefined, right: KeyRangeUse): KeyRangeUse {
  if (left === undefined) return right
  return {
    ...left,
    readUnits: left.readUnits + right.readUnits,
    writeUnits: left.writeUnits + right.writeUnits,
    readThrottles: left.readThrottles + right.readThrottles,
    writeThrottles: left.writeThrottles + right.writeThrottles,
  }
}

function heatOf({ readUnits, writeUnits }: KeyRangeUse): number {
  return readUnits / partitionLimits.readUnitsPerSecond + writeUnits / partitionLimits.writeUnitsPerSecond
}

/** An empty end is the end of all keys. */
function isBefore(key: string, end: string): boolean {
  return end === '' || key < end
}

function widthOf(from: string, to: string): number {
  return (to === '' ? 2 ** 32 : hashOf(to)) - hashOf(from)
}

function hashOf(key: string): number {
  return Number.parseInt(key.slice(0, 8).padEnd(8, '0'), 16)
}

function compareKeys(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
