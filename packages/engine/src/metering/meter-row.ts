import { LatencyHistogram } from './latency-histogram.ts'
import type { MetricName } from './metric-names.ts'
import { mergeRankings, type RankedKeys } from './ranked-keys.ts'
import { Tally } from './tally.ts'

/** The use of one range of keys in a period. */
export interface PartitionUse {
  readonly from: string
  readonly to: string
  readonly readUnits: number
  readonly writeUnits: number
  readonly readThrottles: number
  readonly writeThrottles: number
}

/** Everything that was counted for one table, index or account in one period. */
export class MeterRow {
  readonly #tallies = new Map<MetricName, Tally>()
  /** By the operation's code. */
  readonly #operations: (Map<MetricName, Tally> | undefined)[] = []
  partitions: readonly PartitionUse[] = []
  keys: RankedKeys = {}
  items: RankedKeys = {}

  tally(name: MetricName): Tally {
    return tallyIn(this.#tallies, name)
  }

  operationTally(operation: number, name: MetricName): Tally {
    const tallies = (this.#operations[operation] ??= new Map<MetricName, Tally>())
    return tallyIn(tallies, name)
  }

  /** The tally of a metric, in total or for one operation, if there is one. */
  find(name: MetricName, operation: number | undefined): Tally | undefined {
    const tallies = operation === undefined ? this.#tallies : this.#operations[operation]
    const tally = tallies?.get(name)
    return tally === undefined || tally.count === 0 ? undefined : tally
  }

  *all(): Iterable<{ readonly name: MetricName; readonly operation: number | undefined; readonly tally: Tally }> {
    for (const [name, tally] of this.#tallies) if (tally.count > 0) yield { name, operation: undefined, tally }
    for (const [operation, tallies] of this.#operations.entries()) {
      for (const [name, tally] of tallies ?? []) if (tally.count > 0) yield { name, operation, tally }
    }
  }

  get isEmpty(): boolean {
    return this.all()[Symbol.iterator]().next().done === true
  }

  /** Adds the other row's counts, without its keys and partitions. */
  mergeCounts(other: MeterRow): void {
    for (const { name, operation, tally } of other.all()) {
      const mine = operation === undefined ? this.tally(name) : this.operationTally(operation, name)
      mine.merge(tally)
    }
  }

  merge(other: MeterRow): void {
    this.mergeCounts(other)
    this.partitions = mergePartitions(this.partitions, other.partitions)
    this.keys = mergeRankings(this.keys, other.keys)
    this.items = mergeRankings(this.items, other.items)
  }
}

function tallyIn(tallies: Map<MetricName, Tally>, name: MetricName): Tally {
  let tally = tallies.get(name)
  if (tally === undefined) {
    tally = name === 'SuccessfulRequestLatency' ? new LatencyHistogram() : new Tally()
    tallies.set(name, tally)
  }
  return tally
}

/** Adds up the usage of the same ranges. */
export function mergePartitions(
  left: readonly PartitionUse[],
  right: readonly PartitionUse[],
): readonly PartitionUse[] {
  if (right.length === 0) return left
  const merged = new Map(left.map((use) => [`${use.from}-${use.to}`, use]))
  for (const use of right) {
    const name = `${use.from}-${use.to}`
    const known = merged.get(name)
    merged.set(
      name,
      known === undefined
        ? use
        : {
            ...known,
            readUnits: known.readUnits + use.readUnits,
            writeUnits: known.writeUnits + use.writeUnits,
            readThrottles: known.readThrottles + use.readThrottles,
            writeThrottles: known.writeThrottles + use.writeThrottles,
          },
    )
  }
  return [...merged.values()].toSorted((a, b) => (a.from < b.from ? -1 : 1))
}
