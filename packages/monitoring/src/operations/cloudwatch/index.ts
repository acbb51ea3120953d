import type { ServiceOperation } from '@hashrange/engine'
import type { CloudWatchOperation } from '../../api/operations.ts'
import type { Monitoring } from '../../monitoring.ts'
import { deleteAlarms } from './delete-alarms.ts'
import { describeAlarmHistory } from './describe-alarm-history.ts'
import { describeAlarmsForMetric } from './describe-alarms-for-metric.ts'
import { describeAlarms } from './describe-alarms.ts'
import { describeInsightRules } from './describe-insight-rules.ts'
import { disableAlarmActions } from './disable-alarm-actions.ts'
import { enableAlarmActions } from './enable-alarm-actions.ts'
import { getInsightRuleReport } from './get-insight-rule-report.ts'
import { getMetricData } from './get-metric-data.ts'
import { getMetricStatistics } from './get-metric-statistics.ts'
import { listMetrics } from './list-metrics.ts'
import { listTagsForResource } from './list-tags-for-resource.ts'
import { putMetricAlarm } from './put-metric-alarm.ts'
import { putMetricData } from './put-metric-data.ts'
import { setAlarmState } from './set-alarm-state.ts'
import { tagResource } from './tag-resource.ts'
import { untagResource } from './untag-resource.ts'

export const cloudWatch: Readonly<Record<CloudWatchOperation, ServiceOperation<Monitoring>>> = {
  DeleteAlarms: deleteAlarms,
  DescribeAlarmHistory: describeAlarmHistory,
  DescribeAlarms: describeAlarms,
  DescribeAlarmsForMetric: describeAlarmsForMetric,
  DescribeInsightRules: describeInsightRules,
  DisableAlarmActions: disableAlarmActions,
  EnableAlarmActions: enableAlarmActions,
  GetInsightRuleReport: getInsightRuleReport,
  GetMetricData: getMetricData,
  GetMetricStatistics: getMetricStatistics,
  ListMetrics: listMetrics,
  ListTagsForResource: listTagsForResource,
  PutMetricAlarm: putMetricAlarm,
  PutMetricData: putMetricData,
  SetAlarmState: setAlarmState,
  TagResource: tagResource,
  UntagResource: untagResource,
}
