import type { PartitionNow } from './heat-types.ts'

/** What one range of keys did in one stretch of time. */
export interface HeatCell {
  readonly fromKey: string
  readonly toKey: string
  readonly read: HeatOfSide
  readonly write: HeatOfSide
}

export interface HeatOfSide {
  readonly unitsPerSecond: number
  /** Of what the partition can take. */
  readonly share: number
  readonly throttles: number
}

export interface HeatColumn {
  readonly fromMs: number
  readonly toMs: number
  readonly cells: readonly HeatCell[]
}

const minuteMs = 60_000
const liveMs = 5 * minuteMs
const minutesKept = 61

/** What was seen of the partitions of one table or index while the page is open. The database tells what each partition does
 *  now and did in each of the last 60 minutes; a partition that was divided is no longer told of, so that what was
 *  seen of it is kept here. */
export class HeatMemory {
  /** Every look, for as long as the live map shows. */
  private looks: { readonly atMs: number; readonly cells: readonly HeatCell[] }[] = []
  private readonly minutes = new Map<number, readonly HeatCell[]>()

  look(atMs: number, partitions: readonly PartitionNow[]): void {
    if (this.looks.some((look) => look.atMs >= atMs)) return
    this.looks = [
      ...this.looks.filter((look) => look.atMs > atMs - liveMs - minuteMs),
      { atMs, cells: cellsNow(partitions) },
    ]
    const current = Math.floor(atMs / minuteMs)
    for (let ago = 0; ago < minutesKept - 1; ago++) {
      const minute = current - ago
      // A minute that is over was seen when it was: partitions have been divided since, perhaps.
      const known = this.minutes.get(minute)
      if (known !== undefined && ago > 1) continue
      const seen = cellsOfMinute(partitions, ago, ago === 0 ? Math.max(1, (atMs % minuteMs) / 1000) : 60)
      if (known === undefined || ago === 0) this.minutes.set(minute, seen)
      else if (isSameDivision(known, seen)) this.minutes.set(minute, withThrottles(seen, known))
    }
    for (const minute of this.minutes.keys()) if (minute <= current - minutesKept) this.minutes.delete(minute)
  }

  /** The last five minutes: by the look, and before the first of them by the minute. */
  live(nowMs: number): readonly HeatColumn[] {
    const fromMs = nowMs - liveMs
    const firstMs = (this.looks[0]?.atMs ?? nowMs) - lookMs
    const before = this.byMinute(nowMs)
      .filter((column) => column.toMs > fromMs && column.fromMs < firstMs)
      .map((column) => ({
        ...column,
        fromMs: Math.max(fromMs, column.fromMs),
        toMs: Math.min(firstMs, column.toMs),
      }))
      .filter((column) => column.toMs > column.fromMs)
    const looks = this.looks.map(({ atMs, cells }, position) => {
      const previousMs = this.looks[position - 1]?.atMs ?? atMs - lookMs
      // A page that was paused or asleep knows nothing of the time between.
      return { fromMs: Math.max(previousMs, atMs - longestLookMs), toMs: atMs, cells }
    })
    return [...before, ...looks.filter((column) => column.toMs > fromMs)]
  }

  /** The last hour. */
  byMinute(nowMs: number): readonly HeatColumn[] {
    return [...this.minutes]
      .toSorted(([a], [b]) => a - b)
      .map(([minute, cells]) => ({
        fromMs: minute * minuteMs,
        toMs: Math.min(nowMs, (minute + 1) * minuteMs),
        cells,
      }))
      .filter(({ fromMs, toMs }) => toMs > fromMs)
  }
}

const lookMs = 2_000
const longestLookMs = 10_000

function cellsNow(partitions: readonly PartitionNow[]): readonly HeatCell[] {
  return partitions.map((one) => ({
    fromKey: one.fromKey,
    toKey: one.toKey,
    read: sideOf(one.readUnitsPerSecond, one.readCapacity, one.readThrottles),
    write: sideOf(one.writeUnitsPerSecond, one.writeCapacity, one.writeThrottles),
  }))
}

function cellsOfMinute(partitions: readonly PartitionNow[], ago: number, seconds: number): readonly HeatCell[] {
  return partitions.map((one) => ({
    fromKey: one.fromKey,
    toKey: one.toKey,
    read: sideOf(
      (one.readHistory.at(-1 - ago) ?? 0) / seconds,
      one.readCapacity,
      ago === 0 ? one.readThrottles : 0,
    ),
    write: sideOf(
      (one.writeHistory.at(-1 - ago) ?? 0) / seconds,
      one.writeCapacity,
      ago === 0 ? one.writeThrottles : 0,
    ),
  }))
}

/** Throttles are told of the current minute alone: of one that is over, those that were seen last hold. */
function withThrottles(cells: readonly HeatCell[], seen: readonly HeatCell[]): readonly HeatCell[] {
  return cells.map((cell, position) => ({
    ...cell,
    read: { ...cell.read, throttles: seen[position]?.read.throttles ?? 0 },
    write: { ...cell.write, throttles: seen[position]?.write.throttles ?? 0 },
  }))
}

function sideOf(unitsPerSecond: number, capacity: number, throttles: number): HeatOfSide {
  return { unitsPerSecond, share: unitsPerSecond / Math.max(1, capacity), throttles }
}

function isSameDivision(left: readonly HeatCell[], right: readonly HeatCell[]): boolean {
  return left.length === right.length && left.every(({ fromKey }, position) => right[position]?.fromKey === fromKey)
}

const memories = new Map<string, HeatMemory>()
const memoriesKept = 24

/** The memory of a table or index, by a name that holds its scope; kept while the page is open. */
export function heatMemoryOf(name: string): HeatMemory {
  const memory = memories.get(name) ?? new HeatMemory()
  // The one that was used last is dropped last.
  memories.delete(name)
  memories.set(name, memory)
  for (const oldest of memories.keys()) {
    if (memories.size <= memoriesKept) break
    memories.delete(oldest)
  }
  return memory
}
