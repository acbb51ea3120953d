import type { AlarmStateValue } from '../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import type { AlarmNotification } from '../api/alarm-notifier.ts'
import { alarmArn, type Alarm } from '../records/alarm-records.ts'

export interface StateChange {
  readonly alarm: Alarm
  readonly before: AlarmStateValue
  readonly threshold: number
}

export function alarmNotification(
  scope: Scope,
  { alarm, before, threshold }: StateChange,
  url: string,
  messageId: string,
): AlarmNotification {
  const { state } = alarm
  const message = {
    AlarmName: alarm.name,
    AlarmDescription: alarm.description ?? null,
    AWSAccountId: scope.accountId,
    AlarmConfigurationUpdatedTimestamp: snsTime(alarm.configuredAtMs),
    NewStateValue: state.value,
    NewStateReason: state.reason,
    StateChangeTime: snsTime(state.updatedAtMs),
    Region: scope.region,
    AlarmArn: alarmArn(scope, alarm.name),
    OldStateValue: before,
    OKActions: alarm.okActions,
    AlarmActions: alarm.alarmActions,
    InsufficientDataActions: alarm.insufficientDataActions,
    Trigger: triggerOf(alarm, threshold),
  }
  return {
    Type: 'Notification',
    MessageId: messageId,
    TopicArn: url,
    Subject: `${state.value}: "${alarm.name}" in ${scope.region}`,
    Message: JSON.stringify(message),
    Timestamp: new Date(state.updatedAtMs).toISOString(),
  }
}

function triggerOf(alarm: Alarm, threshold: number): unknown {
  const { metric } = alarm
  return {
    ...(metric === undefined
      ? { Metrics: alarm.queries }
      : {
          MetricName: metric.metricName,
          Namespace: metric.namespace,
          StatisticType: metric.extendedStatistic === undefined ? 'Statistic' : 'ExtendedStatistic',
          ...(metric.extendedStatistic === undefined
            ? { Statistic: snsStatistics.get(metric.statistic ?? '') }
            : { ExtendedStatistic: metric.extendedStatistic }),
          Unit: metric.unit ?? null,
          Dimensions: metric.dimensions.map(({ Name, Value }) => ({ value: Value, name: Name })),
          Period: metric.periodSeconds,
        }),
    EvaluationPeriods: alarm.evaluationPeriods,
    DatapointsToAlarm: alarm.datapointsToAlarm ?? alarm.evaluationPeriods,
    ComparisonOperator: alarm.comparison,
    Threshold: threshold,
    TreatMissingData: alarm.treatMissingData ?? 'missing',
    EvaluateLowSampleCountPercentile: alarm.evaluateLowSampleCountPercentile ?? '',
  }
}

const snsStatistics = new Map([
  ['SampleCount', 'SAMPLE_COUNT'],
  ['Average', 'AVERAGE'],
  ['Sum', 'SUM'],
  ['Minimum', 'MINIMUM'],
  ['Maximum', 'MAXIMUM'],
])

/** `2026-11-15T19:00:00.000+0000`. */
export function snsTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('Z', '+0000')
}
