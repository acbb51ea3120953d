import type { Datapoint, MetricName, ReportSource, Scope } from '@hashrange/engine'
import { byMinutes, inParts, periodsOf, type TimeRange } from './time-range.ts'

/** What one operation on a table took, period by period: null where there was no request. */
export interface OperationHistory {
  readonly operation: string
  readonly timesMs: readonly number[]
  readonly p50Ms: readonly (number | null)[]
  readonly p99Ms: readonly (number | null)[]
  readonly requests: readonly number[]
  /** In all of the time. */
  readonly throttled: number
  readonly systemErrors: number
}

/** Latencies are kept by the minute at the finest. */
export async function operationHistory(
  { metrics }: ReportSource,
  scope: Scope,
  tableName: string,
  range: TimeRange,
): Promise<readonly OperationHistory[]> {
  const over = byMinutes(range)
  const timesMs = periodsOf(over)
  const histories: OperationHistory[] = []
  for (const [operation, names] of await operationsOf(metrics, scope, tableName, over.periodMs)) {
    const read = async (name: MetricName): Promise<readonly Datapoint[]> => {
      if (!names.has(name)) return []
      const points: Datapoint[] = []
      const metric = { name, dimensions: { TableName: tableName, Operation: operation } }
      await inParts(over, async (fromMs, toMs) => {
        points.push(...(await metrics.series(scope, metric, fromMs, toMs, over.periodMs)))
      })
      return points
    }
    const latencies = new Map((await read('SuccessfulRequestLatency')).map((point) => [point.atMs, point]))
    const throttled = sumOf(await read('ThrottledRequests'))
    const systemErrors = sumOf(await read('SystemErrors'))
    if (latencies.size === 0 && throttled + systemErrors === 0) continue
    histories.push({
      operation,
      timesMs,
      p50Ms: timesMs.map((atMs) => latencies.get(atMs)?.quantile(0.5) ?? null),
      p99Ms: timesMs.map((atMs) => latencies.get(atMs)?.quantile(0.99) ?? null),
      requests: timesMs.map((atMs) => latencies.get(atMs)?.sampleCount ?? 0),
      throttled,
      systemErrors,
    })
  }
  return histories.toSorted((a, b) => sum(b.requests) - sum(a.requests))
}

/** The operations that were used on the table of late, with the metrics there are of each. Of a short time it costs less to
 *  ask for each operation there is than to look which of them there are. */
async function operationsOf(
  metrics: ReportSource['metrics'],
  scope: Scope,
  tableName: string,
  periodMs: number,
): Promise<ReadonlyMap<string, ReadonlySet<MetricName>>> {
  if (periodMs <= 60_000) return new Map(dataOperations.map((name) => [name, operationMetrics]))
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

const dataOperations = [
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
  'ExecuteStatement',
  'BatchExecuteStatement',
  'ExecuteTransaction',
  'GetRecords',
]

function sumOf(points: readonly Datapoint[]): number {
  return points.reduce((total, point) => total + point.sum, 0)
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
