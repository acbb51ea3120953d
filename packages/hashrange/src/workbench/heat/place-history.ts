import type { Consumption, MetricName, ReportSource, Scope } from '@hashrange/engine'
import { byMinutes, inParts, periodsOf, type TimeRange } from './time-range.ts'

/** What a table or an index did over a time. Lists have an entry for each period, by its start. */
export interface PlaceHistory {
  readonly timesMs: readonly number[]
  /** Units a second, on average over the period. */
  readonly read: readonly number[]
  readonly write: readonly number[]
  /** What was provisioned; null where it was on demand. */
  readonly provisionedRead: readonly (number | null)[]
  readonly provisionedWrite: readonly (number | null)[]
  /** Requests. */
  readonly readThrottles: readonly number[]
  readonly writeThrottles: readonly number[]
  readonly readWouldThrottles: readonly number[]
  readonly writeWouldThrottles: readonly number[]
  /** Why requests were refused, as far as they were: CloudWatch's name and how many. */
  readonly reasons: readonly { readonly name: string; readonly count: number }[]
  /** What went wrong in other ways, by the minute at least. */
  readonly errors: readonly ErrorHistory[]
}

export interface ErrorHistory {
  readonly name: string
  readonly timesMs: readonly number[]
  readonly counts: readonly number[]
}

export async function placeHistory(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  indexName: string | undefined,
  range: TimeRange,
): Promise<PlaceHistory> {
  const { metrics } = source
  const timesMs = periodsOf(range)
  const consumed = new Map<number, Consumption>()
  await inParts(range, async (fromMs, toMs) => {
    const resolution = range.periodMs < 60_000 ? 'second' : 'minute'
    const points = await metrics.consumption(scope, tableName, indexName, fromMs, toMs, resolution)
    for (const point of points) {
      const atMs = Math.floor(point.atMs / range.periodMs) * range.periodMs
      consumed.set(atMs, sumOf(consumed.get(atMs), point))
    }
  })
  const seconds = range.periodMs / 1000
  const nowMs = source.clock.now()
  /** The last period has only begun. */
  const rate = (units: number, atMs: number): number =>
    units / Math.max(1, Math.min(seconds, Math.ceil((nowMs - atMs) / 1000)))
  const column = (read: (one: Consumption, atMs: number) => number): readonly number[] =>
    timesMs.map((atMs) => {
      const one = consumed.get(atMs)
      return one === undefined ? 0 : read(one, atMs)
    })
  const readThrottles = column((one) => one.readThrottles)
  const writeThrottles = column((one) => one.writeThrottles)
  const dimensions = {
    TableName: tableName,
    ...(indexName !== undefined && { GlobalSecondaryIndexName: indexName }),
  }
  const seriesOf = async (name: MetricName, over: TimeRange): Promise<ReadonlyMap<number, number>> => {
    const sums = new Map<number, number>()
    const isSetting = name.startsWith('Provisioned') && !name.includes('Throttle')
    await inParts(over, async (fromMs, toMs) => {
      for (const point of await metrics.series(scope, { name, dimensions }, fromMs, toMs, over.periodMs)) {
        sums.set(point.atMs, isSetting ? point.maximum : (sums.get(point.atMs) ?? 0) + point.sum)
      }
    })
    return sums
  }
  const settings = async (name: MetricName): Promise<readonly (number | null)[]> => {
    const over = byMinutes(range)
    const known = await seriesOf(name, over)
    return timesMs.map((atMs) => known.get(Math.floor(atMs / over.periodMs) * over.periodMs) ?? null)
  }
  const reasons: { name: string; count: number }[] = []
  for (const [side, throttles] of [['Read', readThrottles] as const, ['Write', writeThrottles] as const]) {
    if (!throttles.some((count) => count > 0)) continue
    for (const exhaustion of exhaustions) {
      const name = `${side}${exhaustion}ThrottleEvents` as const
      const counts = await seriesOf(name, byMinutes(range))
      const count = total(counts.values())
      if (count > 0) reasons.push({ name, count })
    }
  }
  const errors: ErrorHistory[] = []
  if (indexName === undefined) {
    const over = byMinutes(range)
    const times = periodsOf(over)
    for (const name of errorMetrics) {
      const counts = await seriesOf(name, over)
      if (counts.size === 0) continue
      errors.push({ name, timesMs: times, counts: times.map((atMs) => counts.get(atMs) ?? 0) })
    }
  }
  return {
    timesMs,
    read: column((one, atMs) => rate(one.readUnits, atMs)),
    write: column((one, atMs) => rate(one.writeUnits, atMs)),
    provisionedRead: await settings('ProvisionedReadCapacityUnits'),
    provisionedWrite: await settings('ProvisionedWriteCapacityUnits'),
    readThrottles,
    writeThrottles,
    readWouldThrottles: column((one) => one.readWouldThrottles),
    writeWouldThrottles: column((one) => one.writeWouldThrottles),
    reasons,
    errors,
  }
}

const exhaustions = [
  'ProvisionedThroughput',
  'KeyRangeThroughput',
  'MaxOnDemandThroughput',
  'AccountLimit',
] as const

const errorMetrics = [
  'ConditionalCheckFailedRequests',
  'TransactionConflict',
] as const satisfies readonly MetricName[]

function total(counts: Iterable<number>): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}

function sumOf(left: Consumption | undefined, right: Consumption): Consumption {
  if (left === undefined) return right
  return {
    atMs: left.atMs,
    readUnits: left.readUnits + right.readUnits,
    writeUnits: left.writeUnits + right.writeUnits,
    readThrottles: left.readThrottles + right.readThrottles,
    writeThrottles: left.writeThrottles + right.writeThrottles,
    readWouldThrottles: left.readWouldThrottles + right.readWouldThrottles,
    writeWouldThrottles: left.writeWouldThrottles + right.writeWouldThrottles,
  }
}
