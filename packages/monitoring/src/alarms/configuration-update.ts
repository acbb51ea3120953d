import type { Alarm, AlarmHistoryItem } from '../records/alarm-records.ts'
import { snsTime } from './alarm-notification.ts'

/** The history entry of an alarm that was created, changed or deleted. */
export function configurationUpdate(
  before: Alarm | undefined,
  after: Alarm | undefined,
  id: string,
  nowMs: number,
): AlarmHistoryItem {
  const alarmName = after?.name ?? before?.name ?? ''
  const verb = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated'
  return {
    alarmName,
    id,
    atMs: nowMs,
    type: 'ConfigurationUpdate',
    summary: `Alarm "${alarmName}" ${verb}`,
    data: JSON.stringify({
      version: '1.0',
      type: verb === 'created' ? 'Create' : verb === 'deleted' ? 'Delete' : 'Update',
      ...(after !== undefined && { updatedAlarm: told(after) }),
    }),
  }
}

function told({ name, threshold, comparison, evaluationPeriods, metric, configuredAtMs }: Alarm): unknown {
  return {
    alarmName: name,
    metricName: metric?.metricName,
    namespace: metric?.namespace,
    statistic: metric?.extendedStatistic ?? metric?.statistic,
    period: metric?.periodSeconds,
    evaluationPeriods,
    threshold,
    comparisonOperator: comparison,
    alarmConfigurationUpdatedTimestamp: snsTime(configuredAtMs),
  }
}
