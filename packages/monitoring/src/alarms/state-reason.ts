import type { AlarmStateValue, ComparisonOperator } from '../api/cloudwatch-inputs.ts'
import type { Value } from '../cloudwatch/metric-values.ts'
import { snsTime } from './alarm-notification.ts'
import type { Alarm } from '../records/alarm-records.ts'
import { alarmPeriodMs } from './alarm-values.ts'
import { breaches } from './decide-state.ts'

export interface ReasonRequest {
  readonly alarm: Alarm
  readonly state: AlarmStateValue
  /** Those that were evaluated, in order of time. */
  readonly values: readonly Value[]
  readonly threshold: number
  readonly nowMs: number
}

/** Why an alarm is in its state, as CloudWatch words it. */
export function stateReason({ alarm, state, values, threshold }: ReasonRequest): string {
  const { evaluationPeriods, comparison } = alarm
  const considered = values.slice(-evaluationPeriods)
  const missing = evaluationPeriods - considered.length
  if (state === 'INSUFFICIENT_DATA') {
    return `Insufficient Data: ${evaluationPeriods} ${evaluationPeriods === 1 ? 'datapoint was' : 'datapoints were'} unknown.`
  }
  const isAlarm = state === 'ALARM'
  const needed = isAlarm
    ? (alarm.datapointsToAlarm ?? evaluationPeriods)
    : evaluationPeriods - (alarm.datapointsToAlarm ?? evaluationPeriods) + 1
  const transition = `(minimum ${needed} ${needed === 1 ? 'datapoint' : 'datapoints'} for ${isAlarm ? 'OK -> ALARM' : 'ALARM -> OK'} transition)`
  if (considered.length === 0) {
    const treated = alarm.treatMissingData === 'breaching' ? 'Breaching' : 'NonBreaching'
    return `Threshold Crossed: no datapoints were received for ${missing} ${missing === 1 ? 'period' : 'periods'} and ${missing} missing ${missing === 1 ? 'datapoint was' : 'datapoints were'} treated as [${treated}].`
  }
  const telling = considered.filter(({ value }) => breaches(value, threshold, comparison) === isAlarm)
  const count = telling.length
  const listed = telling
    .slice(-5)
    .toReversed()
    .map(({ atMs, value }) => `${decimal(value)} (${shortTime(atMs)})`)
  return `Threshold Crossed: ${count} out of the last ${considered.length} datapoints [${listed.join(', ')}] ${count === 1 ? 'was' : 'were'}${isAlarm ? '' : ' not'} ${comparisonText(comparison)} the threshold (${decimal(threshold)}) ${transition}.`
}

export function stateReasonData({ alarm, values, threshold, nowMs }: ReasonRequest): string {
  const considered = values.slice(-alarm.evaluationPeriods)
  const [first] = considered
  return JSON.stringify({
    version: '1.0',
    queryDate: snsTime(nowMs),
    ...(first !== undefined && { startDate: snsTime(first.atMs) }),
    ...(alarm.metric?.unit !== undefined && { unit: alarm.metric.unit }),
    ...(alarm.metric !== undefined && { statistic: alarm.metric.extendedStatistic ?? alarm.metric.statistic }),
    period: alarmPeriodMs(alarm) / 1000,
    recentDatapoints: considered.slice(-20).map(({ value }) => value),
    threshold,
    evaluatedDatapoints: considered
      .slice(-20)
      .toReversed()
      .map(({ atMs, value }) => ({ timestamp: snsTime(atMs), value })),
  })
}

function comparisonText(comparison: ComparisonOperator): string {
  switch (comparison) {
    case 'GreaterThanOrEqualToThreshold':
      return 'greater than or equal to'
    case 'LessThanThreshold':
      return 'less than'
    case 'LessThanOrEqualToThreshold':
      return 'less than or equal to'
    case 'GreaterThanThreshold':
    case 'LessThanLowerOrGreaterThanUpperThreshold':
    case 'LessThanLowerThreshold':
    case 'GreaterThanUpperThreshold':
    default:
      return 'greater than'
  }
}

/** `15/11/26 19:00:00`. */
function shortTime(timeMs: number): string {
  const [date = '', time = ''] = new Date(timeMs).toISOString().split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  return `${day}/${month}/${year.slice(2)} ${time.slice(0, 8)}`
}

function decimal(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
