import type { AttributeValue } from '@hashrange/core'
import type { KeyCount } from './heavy-hitters.ts'
import { addStoredBuckets, LatencyHistogram, storedBuckets } from './latency-histogram.ts'
import { isMetricName, type MetricName } from './metric-names.ts'
import type { KeyRanking } from './metrics.ts'
import { codeOfOperation, meteredOperations } from './operation-codes.ts'
import { storedTally, Tally, tallyOf, type StoredTally } from './tally.ts'

/** The use of one range of keys in a period. */
export interface PartitionUse {
  readonly from: string
  readonly to: string
  readonly readUnits: number
  readonly writeUnits: number
  readonly readThrottles: number
  readonly writeThrottles: number
}

export type RankedKeys = { readonly [ranking in KeyRanking]?: readonly KeyCount[] }

/** All that was counted for one table, index or account in one period. */
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

  /** The tally of a metric, of the whole or of one operation, if there is one. */
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

/** ON DISK as JSON, of one minute or more. Members may be added. */
interface StoredRow {
  readonly tallies: Readonly<Record<string, StoredTally>>
  readonly operations: Readonly<Record<string, Readonly<Record<string, StoredTally>>>>
  readonly latencies: Readonly<Record<string, readonly number[]>>
  readonly partitions?: readonly StoredPartition[]
  readonly keys?: StoredRankings
  readonly items?: StoredRankings
}

type StoredPartition = readonly [
  from: string,
  to: string,
  readUnits: number,
  writeUnits: number,
  readThrottles: number,
  writeThrottles: number,
]
type StoredRankings = { readonly [ranking in KeyRanking]?: readonly StoredKey[] }
type StoredKey = readonly [hash: number, amount: number, overestimate: number, ...values: readonly AttributeValue[]]

export function encodeRow(row: MeterRow): Buffer {
  const tallies: Record<string, StoredTally> = {}
  const operations: Record<string, Record<string, StoredTally>> = {}
  const latencies: Record<string, readonly number[]> = {}
  for (const { name, operation, tally } of row.all()) {
    if (operation === undefined) {
      tallies[name] = storedTally(tally)
      continue
    }
    const operationName = meteredOperations[operation] ?? ''
    ;(operations[operationName] ??= {})[name] = storedTally(tally)
    if (tally instanceof LatencyHistogram) latencies[operationName] = storedBuckets(tally)
  }
  const stored: StoredRow = {
    tallies,
    operations,
    latencies,
    ...(row.partitions.length > 0 && {
      partitions: row.partitions.map(
        ({ from, to, readUnits, writeUnits, readThrottles, writeThrottles }): StoredPartition => [
          from,
          to,
          readUnits,
          writeUnits,
          readThrottles,
          writeThrottles,
        ],
      ),
    }),
    keys: storedRankings(row.keys),
    items: storedRankings(row.items),
  }
  return Buffer.from(JSON.stringify(stored))
}

export function decodeRow(value: Uint8Array): MeterRow {
  const stored = JSON.parse(Buffer.from(value).toString('utf8')) as StoredRow
  const row = new MeterRow()
  for (const [name, tally] of Object.entries(stored.tallies)) {
    if (isMetricName(name)) row.tally(name).merge(tallyOf(tally))
  }
  for (const [operationName, tallies] of Object.entries(stored.operations)) {
    const operation = codeOfOperation(operationName)
    if (operation < 0) continue
    for (const [name, tally] of Object.entries(tallies)) {
      if (isMetricName(name)) row.operationTally(operation, name).merge(tallyOf(tally))
    }
    const latency = row.find('SuccessfulRequestLatency', operation)
    if (latency instanceof LatencyHistogram) addStoredBuckets(latency, stored.latencies[operationName] ?? [])
  }
  row.partitions = (stored.partitions ?? []).map(
    ([from, to, readUnits, writeUnits, readThrottles, writeThrottles]) => ({
      from,
      to,
      readUnits,
      writeUnits,
      readThrottles,
      writeThrottles,
    }),
  )
  row.keys = rankingsOf(stored.keys)
  row.items = rankingsOf(stored.items)
  return row
}

export const keyRankings = [
  'reads',
  'writes',
  'throttledReads',
  'throttledWrites',
] as const satisfies readonly KeyRanking[]

/** How many keys of each ranking are kept of a period. */
export const keysKept = 32

function storedRankings(rankings: RankedKeys): StoredRankings {
  return Object.fromEntries(
    keyRankings.flatMap((ranking) => {
      const keys = rankings[ranking] ?? []
      return keys.length === 0
        ? []
        : [
            [
              ranking,
              keys.map(({ hash, amount, overestimate, values }): StoredKey => [
                hash,
                amount,
                overestimate,
                ...values,
              ]),
            ],
          ]
    }),
  ) as StoredRankings
}

function rankingsOf(stored: StoredRankings = {}): RankedKeys {
  return Object.fromEntries(
    keyRankings.flatMap((ranking) => {
      const keys = stored[ranking]
      if (keys === undefined) return []
      return [
        [
          ranking,
          keys.map(([hash, amount, overestimate, ...values]): KeyCount => ({ hash, amount, overestimate, values })),
        ],
      ]
    }),
  ) as RankedKeys
}

function mergeRankings(left: RankedKeys, right: RankedKeys): RankedKeys {
  return Object.fromEntries(
    keyRankings.flatMap((ranking) => {
      const keys = mergeKeys(left[ranking] ?? [], right[ranking] ?? [], keysKept)
      return keys.length === 0 ? [] : [[ranking, keys]]
    }),
  ) as RankedKeys
}

/** The keys of both, counts added up, most first. */
export function mergeKeys(
  left: readonly KeyCount[],
  right: readonly KeyCount[],
  limit: number,
): readonly KeyCount[] {
  if (right.length === 0) return left.slice(0, limit)
  const merged = new Map(left.map((key) => [key.hash, key]))
  for (const key of right) {
    const known = merged.get(key.hash)
    merged.set(
      key.hash,
      known === undefined
        ? key
        : {
            ...known,
            amount: known.amount + key.amount,
            overestimate: known.overestimate + key.overestimate,
          },
    )
  }
  return [...merged.values()].toSorted((a, b) => b.amount - a.amount).slice(0, limit)
}

function mergePartitions(left: readonly PartitionUse[], right: readonly PartitionUse[]): readonly PartitionUse[] {
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
