import {
  addConsumption,
  type Consumption,
  type ConsumptionResolution,
  type MetricName,
  type ReportSource,
  type Scope,
} from '@hashrange/engine'
import type { ErrorHistory, PlaceHistory, TimeRange } from '@hashrange/workbench/answers'
import { readParts } from './read-parts.ts'
import { byMinutes, periodsOf } from './time-range.ts'
import { whatIsRead } from './what-is-read.ts'

interface PlaceHistoryAndErrors extends PlaceHistory {
  /** Other errors, by the minute at the finest. */
  readonly errors: readonly ErrorHistory[]
}

/** `isProvisioned` says whether to look for provisioned capacity at all. */
export async function placeHistory(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  indexName: string | undefined,
  range: TimeRange,
  isProvisioned: boolean,
): Promise<PlaceHistoryAndErrors> {
  const timesMs = periodsOf(range)
  const consumed = await consumedIn(source, scope, tableName, indexName, range)
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
  const over = byMinutes(range)
  const series = (name: MetricName): Promise<ReadonlyMap<number, number>> =>
    seriesIn(source, scope, tableName, indexName, name, over)
  const settings = async (name: MetricName): Promise<readonly (number | null)[]> => {
    const known: ReadonlyMap<number, number> = isProvisioned ? await series(name) : new Map()
    return timesMs.map((atMs) => known.get(Math.floor(atMs / over.periodMs) * over.periodMs) ?? null)
  }
  const readWouldThrottles = column((one) => one.readWouldThrottles)
  const writeWouldThrottles = column((one) => one.writeWouldThrottles)
  const reasons: { name: string; count: number }[] = []
  const addReasons = async (prefix: 'Read' | 'Write', suffix: '' | 'WouldBe'): Promise<void> => {
    for (const exhaustion of exhaustions) {
      const name = `${prefix}${exhaustion}${suffix}ThrottleEvents` as const
      const count = total((await series(name)).values())
      if (count > 0) reasons.push({ name, count })
    }
  }
  if (readThrottles.some(isSome)) await addReasons('Read', '')
  if (writeThrottles.some(isSome)) await addReasons('Write', '')
  if (readWouldThrottles.some(isSome)) await addReasons('Read', 'WouldBe')
  if (writeWouldThrottles.some(isSome)) await addReasons('Write', 'WouldBe')
  const errors: ErrorHistory[] = []
  const times = periodsOf(over)
  // Both only occur with writes: if there was none, nothing is looked for.
  const hasWrites = [...consumed.values()].some(({ writeUnits }) => writeUnits > 0)
  for (const name of indexName === undefined && hasWrites ? errorMetrics : []) {
    const counts = await series(name)
    if (counts.size === 0) continue
    errors.push({ name, timesMs: times, counts: times.map((atMs) => counts.get(atMs) ?? 0) })
  }
  return {
    timesMs,
    read: column((one, atMs) => rate(one.readUnits, atMs)),
    write: column((one, atMs) => rate(one.writeUnits, atMs)),
    provisionedRead: await settings('ProvisionedReadCapacityUnits'),
    provisionedWrite: await settings('ProvisionedWriteCapacityUnits'),
    readThrottles,
    writeThrottles,
    readWouldThrottles,
    writeWouldThrottles,
    reasons,
    errors,
  }
}

/** What was used, added up for each period. */
async function consumedIn(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  indexName: string | undefined,
  range: TimeRange,
): Promise<ReadonlyMap<number, Consumption>> {
  const resolution = resolutionFor(range.periodMs)
  const name = whatIsRead(scope, 'consumption', tableName, indexName)
  const parts = await readParts(source, name, range, async (fromMs, toMs) => {
    const periods = new Map<number, Consumption>()
    const points = await source.metrics.consumption(scope, tableName, indexName, fromMs, toMs, resolution)
    for (const point of points) {
      const atMs = Math.floor(point.atMs / range.periodMs) * range.periodMs
      periods.set(atMs, addConsumption(periods.get(atMs), point))
    }
    return [...periods]
  })
  return new Map(parts.flat())
}

/** As coarse as the periods allow. */
function resolutionFor(periodMs: number): ConsumptionResolution {
  if (periodMs < 60_000) return 'second'
  if (periodMs % 3_600_000 === 0) return 'hour'
  return periodMs % 300_000 === 0 ? 'fiveMinutes' : 'minute'
}

/** The sums of a metric, or what was set, for each period that has any. */
async function seriesIn(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  indexName: string | undefined,
  name: MetricName,
  range: TimeRange,
): Promise<ReadonlyMap<number, number>> {
  const isSetting = name.startsWith('Provisioned')
  const dimensions = {
    TableName: tableName,
    ...(indexName !== undefined && { GlobalSecondaryIndexName: indexName }),
  }
  const what = whatIsRead(scope, 'series', tableName, indexName, name)
  const parts = await readParts(source, what, range, async (fromMs, toMs) => {
    const points = await source.metrics.series(scope, { name, dimensions }, fromMs, toMs, range.periodMs)
    return points.map((point) => [point.atMs, isSetting ? point.maximum : point.sum] as const)
  })
  return new Map(parts.flat())
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

function isSome(count: number): boolean {
  return count > 0
}

function total(counts: Iterable<number>): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}
