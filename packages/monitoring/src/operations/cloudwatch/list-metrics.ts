import { ServiceError } from '@hashrange/core'
import type { DimensionInput, ListMetricsInput } from '../../api/cloudwatch-inputs.ts'
import { dimensionsOfMetric, namespace } from '../../cloudwatch/read-metric.ts'
import { type Metric, pageToken, readPageToken, type Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

const pageSize = 500
/** Pages of recent metrics may contain fewer: each must be checked. */
const mostLookedAt = 2000
const recentMs = 3 * 3_600_000

export interface ListMetricsOutput {
  readonly Metrics: readonly ListedMetric[]
  readonly NextToken: string | undefined
  readonly OwningAccounts: readonly string[] | undefined
}

export interface ListedMetric {
  readonly Namespace: string
  readonly MetricName: string
  readonly Dimensions: readonly DimensionInput[]
}

export async function listMetrics(
  monitoring: Monitoring,
  scope: Scope,
  input: ListMetricsInput,
): Promise<ListMetricsOutput> {
  const after = input.NextToken === undefined ? undefined : readPageToken(input.NextToken)?.[0]
  if (input.NextToken !== undefined && after === undefined) {
    throw new ServiceError('InvalidParameterValueException', 'Request parameter NextToken is invalid')
  }
  const isOwn = input.OwningAccount === undefined || input.OwningAccount === scope.accountId
  const found = isOwn ? (await monitoring.metrics.list(scope)).filter((metric) => matches(metric, input)) : []
  const named = found
    .map((metric) => ({ name: nameOf(metric), metric }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .filter(({ name }) => after === undefined || name > after)
  const page: { readonly name: string; readonly metric: Metric }[] = []
  let isMore = false
  let last: string | undefined
  for (const [index, entry] of named.entries()) {
    if (page.length === pageSize || index === mostLookedAt) {
      isMore = true
      break
    }
    if (input.RecentlyActive === undefined || (await isRecent(monitoring, scope, entry.metric))) page.push(entry)
    last = entry.name
  }
  return {
    Metrics: page.map(({ metric }) => ({
      Namespace: namespace,
      MetricName: metric.name,
      Dimensions: dimensionsOfMetric(metric),
    })),
    NextToken: isMore && last !== undefined ? pageToken([last]) : undefined,
    OwningAccounts: input.IncludeLinkedAccounts === true ? page.map(() => scope.accountId) : undefined,
  }
}

/** A dimension without a value must exist, with any value. Others may exist as well. */
function matches(metric: Metric, { Namespace, MetricName, Dimensions = [] }: ListMetricsInput): boolean {
  if (Namespace !== undefined && Namespace !== namespace) return false
  if (MetricName !== undefined && MetricName !== metric.name) return false
  const present = dimensionsOfMetric(metric)
  return Dimensions.every(({ Name, Value }) =>
    present.some((dimension) => dimension.Name === Name && (Value === undefined || dimension.Value === Value)),
  )
}

/** Orders the metrics, and says where a page ended. */
function nameOf(metric: Metric): string {
  const dimensions = dimensionsOfMetric(metric).map(({ Name, Value }) => `${Name}=${Value}`)
  return [metric.name, ...dimensions].join('|')
}

async function isRecent(monitoring: Monitoring, scope: Scope, metric: Metric): Promise<boolean> {
  const nowMs = monitoring.clock.now()
  const datapoints = await monitoring.metrics.series(scope, metric, nowMs - recentMs, nowMs + 60_000, 60_000)
  return datapoints.length > 0
}
