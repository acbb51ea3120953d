import type { HeatCell, HeatColumn, HeatOfSide } from '../answers/heat-memory.ts'
import type { KeyRangeHistory, KeyRangeUse, PartitionNow } from '../../../answers/heat.ts'

/** What a partition takes in a second. */
const capacities = { read: 3_000, write: 1_000 } as const

const idle: HeatOfSide = { unitsPerSecond: 0, share: 0, throttles: 0 }

/** The columns of a map from what is known about key ranges: one for each period, including those in which nothing
 *  happened. Idle ranges are not reported; they are divided as last known, because partitions are never merged. */
export function heatColumns(
  { periodMs, periods }: KeyRangeHistory,
  partitions: readonly PartitionNow[],
  fromMs: number,
  nowMs: number,
): readonly HeatColumn[] {
  const byTime = new Map(periods.map(({ atMs, ranges }) => [atMs, ranges]))
  const cuts = new Set(boundariesOf(periods[0]?.ranges ?? partitions))
  const columns: HeatColumn[] = []
  for (let atMs = Math.floor(fromMs / periodMs) * periodMs; atMs < nowMs; atMs += periodMs) {
    const ranges = byTime.get(atMs) ?? []
    for (const key of boundariesOf(ranges)) cuts.add(key)
    const isCurrent = atMs + periodMs >= nowMs
    if (isCurrent) for (const key of boundariesOf(partitions)) cuts.add(key)
    const toMs = Math.min(nowMs, atMs + periodMs)
    const seconds = Math.max(1, (toMs - atMs) / 1000)
    columns.push({
      fromMs: atMs,
      toMs,
      cells: withIdle(
        ranges.map((one) => cellOf(one, seconds)),
        cuts,
      ),
    })
  }
  return columns
}

interface KeyRange {
  readonly fromKey: string
  readonly toKey: string
}

/** Fills the space between cells with idle ones. */
function withIdle(cells: readonly HeatCell[], cuts: ReadonlySet<string>): readonly HeatCell[] {
  const sorted = [...cuts].toSorted()
  const filled: HeatCell[] = []
  const fill = (fromKey: string, toKey: string): void => {
    const starts = [fromKey, ...sorted.filter((key) => key > fromKey && isBefore(key, toKey))]
    for (const [position, start] of starts.entries()) {
      filled.push({ fromKey: start, toKey: starts[position + 1] ?? toKey, read: idle, write: idle })
    }
  }
  let at: string | undefined = firstKey
  for (const cell of cells) {
    if (at !== undefined && at < cell.fromKey) fill(at, cell.fromKey)
    filled.push(cell)
    at = cell.toKey === '' ? undefined : cell.toKey
  }
  if (at !== undefined) fill(at, '')
  return filled
}

const firstKey = '00000000'

function boundariesOf(ranges: readonly KeyRange[]): readonly string[] {
  return ranges.flatMap(({ fromKey, toKey }) => [fromKey, toKey]).filter((key) => key !== '' && key !== firstKey)
}

function cellOf(use: KeyRangeUse, seconds: number): HeatCell {
  return {
    fromKey: use.fromKey,
    toKey: use.toKey,
    read: sideOf(use.readUnits / seconds, capacities.read, use.readThrottles),
    write: sideOf(use.writeUnits / seconds, capacities.write, use.writeThrottles),
  }
}

function sideOf(unitsPerSecond: number, capacity: number, throttles: number): HeatOfSide {
  return { unitsPerSecond, share: unitsPerSecond / capacity, throttles }
}

/** An empty end is the end of all keys. */
function isBefore(key: string, end: string): boolean {
  return end === '' || key < end
}
