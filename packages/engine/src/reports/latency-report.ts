import type { MetricName } from '../metering/metric-names.ts'
import type { Datapoint } from '../metering/metrics.ts'
import { meteredOperations } from '../metering/operation-codes.ts'
import type { Scope } from '../scope.ts'
import type { ReportSource } from './report-source.ts'

/** The use of one operation on a table: in the minute that has just passed, or in the current one if it has enough
 *  samples. */
export interface OperationReport {
  readonly operation: string
  /** Those that succeeded. */
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maximumMs: number
  /** Requests of the same time. */
  readonly throttled: number
  readonly systemErrors: number
}

/** Fewer samples than this say little about a 99th percentile; then the previous minute is used if it has more. */
const enoughSamples = 100
const minuteMs = 60_000

export async function latencyReport(
  source: ReportSource,
  scope: Scope,
  tableName: string,
): Promise<readonly OperationReport[]> {
  const nowMs = source.clock.now()
  const thisMinuteMs = Math.floor(nowMs / minuteMs) * minuteMs
  const reports: OperationReport[] = []
  for (const operation of meteredOperations) {
    const read = (name: MetricName): Promise<readonly Datapoint[]> =>
      source.metrics.series(
        scope,
        { name, dimensions: { TableName: tableName, Operation: operation } },
        thisMinuteMs - minuteMs,
        nowMs + 1,
        minuteMs,
      )
    const latencies = await read('SuccessfulRequestLatency')
    const throttles = await read('ThrottledRequests')
    if (latencies.length === 0 && throttles.length === 0) continue
    const latency = telling(latencies)
    const atMs = latency?.atMs ?? thisMinuteMs
    const seconds = atMs === thisMinuteMs ? Math.max(1, (nowMs - thisMinuteMs) / 1000) : 60
    reports.push({
      operation,
      requestsPerSecond: (latency?.sampleCount ?? 0) / seconds,
      p50Ms: latency?.quantile(0.5) ?? 0,
      p99Ms: latency?.quantile(0.99) ?? 0,
      maximumMs: latency?.maximum ?? 0,
      throttled: sumAt(throttles, atMs),
      systemErrors: sumAt(await read('SystemErrors'), atMs),
    })
  }
  return reports.toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond)
}

function telling(points: readonly Datapoint[]): Datapoint | undefined {
  const latest = points.at(-1)
  const before = points.at(-2)
  if (latest === undefined || before === undefined || latest.sampleCount >= enoughSamples) return latest
  return before.sampleCount > latest.sampleCount ? before : latest
}

function sumAt(points: readonly Datapoint[], atMs: number): number {
  return points.find((point) => point.atMs === atMs)?.sum ?? 0
}
