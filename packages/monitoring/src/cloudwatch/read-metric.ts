import type { DimensionInput } from '../api/cloudwatch-inputs.ts'
import { type Datapoint, isMetricName, type Metric, type Metrics, type Scope, unitOf } from '@hashrange/engine'
import type { CustomMetrics } from '../records/custom-metrics.ts'
import type { Value } from './metric-values.ts'
import type { Statistic } from './statistic.ts'

export const namespace = 'AWS/DynamoDB'

/** The metrics of the database, and those that clients put. */
export interface MetricSources {
  readonly metrics: Metrics
  readonly customMetrics: CustomMetrics
}

export interface MetricRequest {
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: readonly DimensionInput[]
  readonly unit?: string | undefined
  readonly fromMs: number
  readonly toMs: number
  readonly periodMs: number
}

/** The datapoints of a metric; none if it does not exist, or has another unit. */
export async function readDatapoints(
  { metrics, customMetrics }: MetricSources,
  scope: Scope,
  request: MetricRequest,
): Promise<readonly Datapoint[]> {
  if (request.namespace !== namespace) return readCustom(customMetrics, scope, request)
  const metric = metricOf(request)
  if (metric === undefined || (request.unit !== undefined && request.unit !== unitOf(metric.name))) return []
  const { fromMs, toMs, periodMs } = request
  const alignedMs = Math.floor(fromMs / periodMs) * periodMs
  if (alignedMs >= toMs) return []
  return (await metrics.series(scope, metric, alignedMs, toMs, periodMs)).filter(
    ({ atMs, sampleCount }) => atMs >= alignedMs && atMs < toMs && sampleCount > 0,
  )
}

async function readCustom(
  customMetrics: CustomMetrics,
  scope: Scope,
  request: MetricRequest,
): Promise<readonly Datapoint[]> {
  if (request.unit !== undefined && (await customMetrics.find(scope, request))?.unit !== request.unit) return []
  const { fromMs, periodMs } = request
  const alignedMs = Math.floor(fromMs / periodMs) * periodMs
  return (await customMetrics.series(scope, request, { ...request, fromMs: alignedMs })).filter(
    ({ atMs }) => atMs >= alignedMs,
  )
}

export async function readValues(
  metrics: MetricSources,
  scope: Scope,
  request: MetricRequest,
  statistic: Statistic,
): Promise<readonly Value[]> {
  return (await readDatapoints(metrics, scope, request)).map((datapoint) => ({
    atMs: datapoint.atMs,
    value: statistic(datapoint),
  }))
}

/** The series with a name and all of its dimensions: CloudWatch does not add up over a missing dimension. */
function metricOf(request: Pick<MetricRequest, 'namespace' | 'metricName' | 'dimensions'>): Metric | undefined {
  if (request.namespace !== namespace || !isMetricName(request.metricName)) return undefined
  const dimensions: Record<string, string> = {}
  for (const { Name, Value: value } of request.dimensions) {
    if (!dimensionNames.has(Name) || dimensions[Name] !== undefined) return undefined
    dimensions[Name] = value
  }
  return { name: request.metricName, dimensions }
}

const dimensionNames: ReadonlySet<string> = new Set([
  'TableName',
  'GlobalSecondaryIndexName',
  'Operation',
  'ReceivingRegion',
])

export function dimensionsOfMetric({ dimensions }: Metric): readonly DimensionInput[] {
  return Object.entries(dimensions).flatMap(([Name, value]: [string, string | undefined]) =>
    value === undefined ? [] : [{ Name, Value: value }],
  )
}
