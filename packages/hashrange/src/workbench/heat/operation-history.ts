import type { Datapoint, MetricName, ReportSource, Scope } from '@hashrange/engine'
import { meteredOperations } from '@hashrange/engine'
import type { OperationHistory, TimeRange } from '@hashrange/workbench/answers'
import { readParts } from './read-parts.ts'
import { byMinutes, periodsOf } from './time-range.ts'
import { whatIsRead } from './what-is-read.ts'

/** Latencies are kept by the minute at the finest. */
export async function operationHistory(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  range: TimeRange,
): Promise<readonly OperationHistory[]> {
  const over = byMinutes(range)
  const timesMs = periodsOf(over)
  const histories: OperationHistory[] = []
  for (const [operation, names] of await operationsOf(source.metrics, scope, tableName, over.periodMs)) {
    const read = async <Point>(name: MetricName, take: (point: Datapoint) => Point): Promise<readonly Point[]> => {
      if (!names.has(name)) return []
      const metric = { name, dimensions: { TableName: tableName, Operation: operation } }
      const what = whatIsRead(scope, 'operation', tableName, operation, name)
      const parts = await readParts(source, what, over, async (fromMs, toMs) =>
        (await source.metrics.series(scope, metric, fromMs, toMs, over.periodMs)).map(take),
      )
      return parts.flat()
    }
    const latencies = new Map(
      (await read('SuccessfulRequestLatency', latencyOf)).map((latency) => [latency.atMs, latency]),
    )
    const throttled = sum(await read('ThrottledRequests', (point) => point.sum))
    const systemErrors = sum(await read('SystemErrors', (point) => point.sum))
    if (latencies.size === 0 && throttled + systemErrors === 0) continue
    histories.push({
      operation,
      timesMs,
      p50Ms: timesMs.map((atMs) => latencies.get(atMs)?.p50Ms ?? null),
      p99Ms: timesMs.map((atMs) => latencies.get(atMs)?.p99Ms ?? null),
      requests: timesMs.map((atMs) => latencies.get(atMs)?.requests ?? 0),
      throttled,
      systemErrors,
    })
  }
  return histories.toSorted((a, b) => sum(b.requests) - sum(a.requests))
}

function latencyOf(point: Datapoint) {
  return {
    atMs: point.atMs,
    p50Ms: point.quantile(0.5),
    p99Ms: point.quantile(0.99),
    requests: point.sampleCount,
  }
}

/** The operations that were recently used on the table, with their metrics. For a short time it costs less to ask for
 *  every operation than to find out which of them exist. */
async function operationsOf(
  metrics: ReportSource['metrics'],
  scope: Scope,
  tableName: string,
  periodMs: number,
): Promise<ReadonlyMap<string, ReadonlySet<MetricName>>> {
  if (periodMs <= 60_000) return new Map(meteredOperations.map((name) => [name, operationMetrics]))
  const operations = new Map<string, Set<MetricName>>()
  for (const { name, dimensions } of await metrics.list(scope)) {
    if (dimensions.TableName !== tableName || dimensions.Operation === undefined) continue
    const names = operations.get(dimensions.Operation) ?? new Set()
    names.add(name)
    operations.set(dimensions.Operation, names)
  }
  return operations
}

const operationMetrics: ReadonlySet<MetricName> = new Set([
  'SuccessfulRequestLatency',
  'ThrottledRequests',
  'SystemErrors',
])

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
