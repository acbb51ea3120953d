import { addStoredBuckets, LatencyHistogram, storedBuckets } from './latency-histogram.ts'
import { MeterRow } from './meter-row.ts'
import { isMetricName } from './metric-names.ts'
import { codeOfOperation, meteredOperations } from './operation-codes.ts'
import { rankingsOf, storedRankings, type StoredRankings } from './ranked-keys.ts'
import { storedTally, tallyOf, type StoredTally } from './tally.ts'

/** ON DISK as JSON, for one minute or more. Members may be added. */
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
