import type { Value } from '../cloudwatch/metric-values.ts'
import { MetricQueries } from '../cloudwatch/metric-queries.ts'
import { readValues } from '../cloudwatch/read-metric.ts'
import { statisticOf } from '../cloudwatch/statistic.ts'
import type { Scope } from '@hashrange/engine'
import { capacityOf } from '../resources/scalable-resource.ts'
import type { Alarm } from '../records/alarm-records.ts'
import type { Monitoring } from '../monitoring.ts'

/** How many more periods are read than an alarm evaluates, for missing values. */
const morePeriods = 2

/** The periods that an alarm evaluates at some moment: the last that have ended, the oldest first. */
export function periodsOf(alarm: Alarm, atMs: number): readonly number[] {
  const periodMs = alarmPeriodMs(alarm)
  const endMs = Math.floor(atMs / periodMs) * periodMs
  const count = alarm.evaluationPeriods + morePeriods
  return Array.from({ length: count }, (_, index) => endMs - (count - index) * periodMs)
}

/** The values that an alarm evaluates at some moment, in order of time. */
export async function alarmValues(
  monitoring: Monitoring,
  scope: Scope,
  alarm: Alarm,
  atMs: number,
): Promise<readonly Value[]> {
  const [fromMs = 0] = periodsOf(alarm, atMs)
  const periodMs = alarmPeriodMs(alarm)
  const toMs = fromMs + (alarm.evaluationPeriods + morePeriods) * periodMs
  const { metric, queries, follows } = alarm
  // What is provisioned now does not require reading metrics, which a policy would need twice a minute.
  if (follows !== undefined && metric?.metricName.startsWith('Provisioned') === true) {
    const { tableName, indexName, units } = follows
    const value = capacityOf(monitoring, scope, { tableName, indexName, units })
    return value === undefined ? [] : periodsOf(alarm, atMs).map((startMs) => ({ atMs: startMs, value }))
  }
  if (metric !== undefined) {
    const statistic = statisticOf(metric.extendedStatistic ?? metric.statistic ?? 'Average')
    if (statistic === undefined) return []
    const { namespace, metricName, dimensions, unit } = metric
    const request = { namespace, metricName, dimensions, unit, fromMs, toMs, periodMs }
    return readValues(monitoring, scope, request, statistic)
  }
  const [result] = await new MetricQueries(queries ?? [], 'Metrics').run(monitoring, scope, fromMs, toMs)
  const [series] = result?.all ?? []
  return [...(series?.values ?? [])]
    .filter(([startMs]) => startMs >= fromMs && startMs < toMs)
    .map(([startMs, value]) => ({ atMs: startMs, value }))
}

/** The longest of everything it watches. */
export function alarmPeriodMs({ metric, queries }: Alarm): number {
  if (metric !== undefined) return metric.periodSeconds * 1000
  const seconds = (queries ?? []).map(({ MetricStat, Period }) => MetricStat?.Period ?? Period ?? 60)
  return Math.max(1, ...seconds) * 1000
}
