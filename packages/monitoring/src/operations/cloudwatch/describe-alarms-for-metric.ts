import type { Alarm } from '../../records/alarm-records.ts'
import { describeAlarm } from '../../alarms/describe-alarm.ts'
import type { DescribeAlarmsForMetricInput, DimensionInput } from '../../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

export async function describeAlarmsForMetric(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeAlarmsForMetricInput,
): Promise<unknown> {
  const alarms = (await monitoring.alarms.alarms.list(scope)).filter((alarm) => watches(alarm, input))
  return { MetricAlarms: alarms.map((alarm) => describeAlarm(monitoring, scope, alarm)) }
}

function watches({ metric }: Alarm, input: DescribeAlarmsForMetricInput): boolean {
  if (metric === undefined) return false
  return (
    metric.metricName === input.MetricName &&
    metric.namespace === input.Namespace &&
    sameDimensions(metric.dimensions, input.Dimensions ?? []) &&
    (input.Statistic === undefined || metric.statistic === input.Statistic) &&
    (input.ExtendedStatistic === undefined || metric.extendedStatistic === input.ExtendedStatistic) &&
    (input.Period === undefined || metric.periodSeconds === input.Period) &&
    (input.Unit === undefined || metric.unit === input.Unit)
  )
}

function sameDimensions(one: readonly DimensionInput[], other: readonly DimensionInput[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ Name, Value }) => other.some((dimension) => dimension.Name === Name && dimension.Value === Value))
  )
}
