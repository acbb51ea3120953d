import type { Scope } from '@hashrange/engine'
import { alarmArn, type Alarm } from '../records/alarm-records.ts'
import { thresholdOf } from './alarm-threshold.ts'
import type { Monitoring } from '../monitoring.ts'

/** An alarm as CloudWatch describes it. */
export function describeAlarm(monitoring: Monitoring, scope: Scope, alarm: Alarm): unknown {
  const { metric, state } = alarm
  return {
    AlarmName: alarm.name,
    AlarmArn: alarmArn(scope, alarm.name),
    AlarmDescription: alarm.description,
    AlarmConfigurationUpdatedTimestamp: new Date(alarm.configuredAtMs),
    ActionsEnabled: alarm.actionsEnabled,
    OKActions: alarm.okActions,
    AlarmActions: alarm.alarmActions,
    InsufficientDataActions: alarm.insufficientDataActions,
    StateValue: state.value,
    StateReason: state.reason,
    StateReasonData: state.reasonData,
    StateUpdatedTimestamp: new Date(state.updatedAtMs),
    ...(metric !== undefined && {
      MetricName: metric.metricName,
      Namespace: metric.namespace,
      Statistic: metric.statistic,
      ExtendedStatistic: metric.extendedStatistic,
      Period: metric.periodSeconds,
      Unit: metric.unit,
    }),
    Dimensions: metric?.dimensions ?? [],
    EvaluationPeriods: alarm.evaluationPeriods,
    DatapointsToAlarm: alarm.datapointsToAlarm,
    Threshold: thresholdOf(monitoring, scope, alarm),
    ComparisonOperator: alarm.comparison,
    TreatMissingData: alarm.treatMissingData,
    EvaluateLowSampleCountPercentile: alarm.evaluateLowSampleCountPercentile,
    Metrics: alarm.queries,
    StateTransitionedTimestamp: new Date(state.transitionedAtMs),
  }
}
