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
  const found = isOwn ? (await allMetrics(monitoring, scope)).filter((metric) => matches(metric, input)) : []
  const named = found
    .map((metric) => ({ name: nameOf(metric), metric }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .filter(({ name }) => after === undefined || name > after)
  const page: { readonly name: string; readonly metric: KnownMetric }[] = []
  let isMore = false
  let last: string | undefined
  for (const [index, entry] of named.entries()) {
    if (page.length === pageSize || index === mostLookedAt) {
      isMore = true
      break
    }
    if (input.RecentlyActive === undefined || (await entry.metric.isRecent())) page.push(entry)
    last = entry.name
  }
  return {
    Metrics: page.map(({ metric: { Namespace, MetricName, Dimensions } }) => ({
      Namespace,
      MetricName,
      Dimensions,
    })),
    NextToken: isMore && last !== undefined ? pageToken([last]) : undefined,
    OwningAccounts: input.IncludeLinkedAccounts === true ? page.map(() => scope.accountId) : undefined,
  }
}

interface KnownMetric extends ListedMetric {
  /** Whether it has had values lately. */
  readonly isRecent: () => Promise<boolean>
}

/** Those of the database, and those that clients put. */
async function allMetrics(monitoring: Monitoring, scope: Scope): Promise<readonly KnownMetric[]> {
  const own = (await monitoring.metrics.list(scope)).map((metric) => ({
    Namespace: namespace,
    MetricName: metric.name,
    Dimensions: dimensionsOfMetric(metric),
    isRecent: () => isRecent(monitoring, scope, metric),
  }))
  const custom = (await monitoring.customMetrics.list(scope)).map((metric) => ({
    Namespace: metric.namespace,
    MetricName: metric.metricName,
    Dimensions: metric.dimensions,
    isRecent: () => Promise.resolve(metric.lastAtMs >= monitoring.clock.now() - recentMs),
  }))
  return [...own, ...custom]
}

/** A dimension without a value must exist, with any value. Others may exist as well. */
function matches(metric: ListedMetric, { Namespace, MetricName, Dimensions = [] }: ListMetricsInput): boolean {
  if (Namespace !== undefined && Namespace !== metric.Namespace) return false
  if (MetricName !== undefined && MetricName !== metric.MetricName) return false
  return Dimensions.every(({ Name, Value }) =>
    metric.Dimensions.some(
      (dimension) => dimension.Name === Name && (Value === undefined || dimension.Value === Value),
    ),
  )
}

/** Orders the metrics, and says where a page ended. */
function nameOf({ Namespace, MetricName, Dimensions }: ListedMetric): string {
  return [Namespace, MetricName, ...Dimensions.map(({ Name, Value }) => `${Name}=${Value}`)].join('|')
}

async function isRecent(monitoring: Monitoring, scope: Scope, metric: Metric): Promise<boolean> {
  const nowMs = monitoring.clock.now()
  const datapoints = await monitoring.metrics.series(scope, metric, nowMs - recentMs, nowMs + 60_000, 60_000)
  return datapoints.length > 0
}
