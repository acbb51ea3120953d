import type { PartitionNow } from '../../../answers/heat.ts'

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

const liveMs = 5 * 60_000
const looksKeptMs = liveMs + 60_000

/** What was seen of the partitions of one table or index while the page is open: more finely than the database keeps it. */
export class HeatMemory {
  /** Every look, for as long as the live map shows. */
  #looks: { readonly atMs: number; readonly cells: readonly HeatCell[] }[] = []

  look(atMs: number, partitions: readonly PartitionNow[]): void {
    if (this.#looks.some((look) => look.atMs >= atMs)) return
    this.#looks = [
      ...this.#looks.filter((look) => look.atMs > atMs - looksKeptMs),
      { atMs, cells: cellsNow(partitions) },
    ]
  }

  /** The last five minutes: by the look, and before the first of them by the minute. */
  live(nowMs: number, minutes: readonly HeatColumn[]): readonly HeatColumn[] {
    const fromMs = nowMs - liveMs
    const firstMs = (this.#looks[0]?.atMs ?? nowMs) - lookMs
    const before = minutes
      .filter((column) => column.toMs > fromMs && column.fromMs < firstMs)
      .map((column) => ({
        ...column,
        fromMs: Math.max(fromMs, column.fromMs),
        toMs: Math.min(firstMs, column.toMs),
      }))
      .filter((column) => column.toMs > column.fromMs)
    const looks = this.#looks.map(({ atMs, cells }, position) => {
      const previousMs = this.#looks[position - 1]?.atMs ?? atMs - lookMs
      // A page that was paused or asleep knows nothing of the time between.
      return { fromMs: Math.max(previousMs, atMs - longestLookMs), toMs: atMs, cells }
    })
    return [...before, ...looks.filter((column) => column.toMs > fromMs)]
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

function sideOf(unitsPerSecond: number, capacity: number, throttles: number): HeatOfSide {
  return { unitsPerSecond, share: unitsPerSecond / Math.max(1, capacity), throttles }
}

const memories = new Map<string, HeatMemory>()
const memoriesKept = 24

/** The cache of a table or index, by a name that contains its scope; kept while the page is open. */
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
