import { ServiceError, validationException } from '@hashrange/core'
import type { MetricDataQueryInput, PutMetricAlarmInput } from '../api/cloudwatch-inputs.ts'
import { MetricQueries } from '../cloudwatch/metric-queries.ts'
import { assertPeriod } from '../cloudwatch/period.ts'
import { extendedStatistic } from '../cloudwatch/statistic.ts'
import { readAlarmTags } from './alarm-tags.ts'
import type { Alarm, AlarmMetric, MissingData } from '../records/alarm-records.ts'

export type AlarmConfiguration = Omit<Alarm, 'createdAtMs' | 'configuredAtMs' | 'state'>

/** An alarm as given to PutMetricAlarm, if CloudWatch would accept it. */
export function readAlarm(input: PutMetricAlarmInput): AlarmConfiguration {
  assertName(input.AlarmName)
  const { ComparisonOperator: comparison, EvaluationPeriods: evaluationPeriods, Threshold: threshold } = input
  if (input.EvaluationCriteria !== undefined || input.ThresholdMetricId !== undefined) {
    throw validationException(
      'Alarms on PromQL queries and on anomaly detection bands are not supported here. Give a Threshold and a ComparisonOperator.',
    )
  }
  if (comparison === undefined) throw missing('ComparisonOperator')
  if (evaluationPeriods === undefined) throw missing('EvaluationPeriods')
  if (threshold === undefined) throw missing('Threshold')
  if (comparison.includes('Lower') || comparison.includes('Upper')) {
    throw validationException(
      `ComparisonOperator ${comparison} is for anomaly detection bands, which are not supported here.`,
    )
  }
  const { DatapointsToAlarm: datapointsToAlarm, AlarmDescription: description } = input
  if (datapointsToAlarm !== undefined && datapointsToAlarm > evaluationPeriods) {
    throw validationException('The parameter DatapointsToAlarm must be less than or equal to EvaluationPeriods.')
  }
  const watched = input.Metrics === undefined ? { metric: readMetric(input) } : { queries: readQueries(input) }
  const treatMissingData = readMissingData(input.TreatMissingData)
  assertSpan(evaluationPeriods, periodSecondsOf(watched))
  const lowSamples = input.EvaluateLowSampleCountPercentile
  if (lowSamples !== undefined && lowSamples !== 'evaluate' && lowSamples !== 'ignore') {
    throw validationException(
      `Option ${lowSamples} is not supported. Supported options for parameter EvaluateLowSampleCountPercentile are evaluate and ignore.`,
    )
  }
  return {
    name: input.AlarmName,
    ...(description !== undefined && { description }),
    actionsEnabled: input.ActionsEnabled ?? true,
    okActions: readActions(input.OKActions),
    alarmActions: readActions(input.AlarmActions),
    insufficientDataActions: readActions(input.InsufficientDataActions),
    ...watched,
    evaluationPeriods,
    ...(datapointsToAlarm !== undefined && { datapointsToAlarm }),
    threshold,
    comparison,
    ...(treatMissingData !== undefined && { treatMissingData }),
    ...(lowSamples !== undefined && { evaluateLowSampleCountPercentile: lowSamples }),
    tags: readAlarmTags({}, input.Tags ?? []),
  }
}

function assertName(name: string): void {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(name)) {
    throw validationException('AlarmName must not contain ASCII control characters')
  }
}

function readMetric(input: PutMetricAlarmInput): AlarmMetric {
  const { MetricName, Namespace, Period, Statistic, ExtendedStatistic, Dimensions = [], Unit } = input
  if (MetricName === undefined) throw missing('MetricName')
  if (Namespace === undefined) throw missing('Namespace')
  if (Period === undefined) throw missing('Period')
  if (Statistic === undefined && ExtendedStatistic === undefined) throw missing('Statistic')
  if (Statistic !== undefined && ExtendedStatistic !== undefined) {
    throw new ServiceError(
      'InvalidParameterCombinationException',
      'The parameters Statistic and ExtendedStatistic are mutually exclusive and you have specified both.',
    )
  }
  if (Period !== 10 && Period !== 20 && Period !== 30 && Period % 60 !== 0) {
    throw validationException(`Period must be 10, 20, 30 or a multiple of 60`)
  }
  if (ExtendedStatistic !== undefined && extendedStatistic(ExtendedStatistic) === undefined) {
    throw new ServiceError(
      'InvalidParameterValueException',
      `The value ${ExtendedStatistic} for parameter ExtendedStatistic is not supported.`,
    )
  }
  return {
    namespace: Namespace,
    metricName: MetricName,
    dimensions: Dimensions,
    ...(Statistic !== undefined && { statistic: Statistic }),
    ...(ExtendedStatistic !== undefined && { extendedStatistic: ExtendedStatistic }),
    periodSeconds: Period,
    ...(Unit !== undefined && { unit: Unit }),
  }
}

function readQueries(input: PutMetricAlarmInput): readonly MetricDataQueryInput[] {
  const { Metrics = [] } = input
  const single = [input.MetricName, input.Namespace, input.Period, input.Statistic, input.ExtendedStatistic]
  if (single.some((member) => member !== undefined) || (input.Dimensions ?? []).length > 0) {
    throw validationException(
      'Metrics cannot be given together with MetricName, Namespace, Dimensions, Period, Statistic or ExtendedStatistic.',
    )
  }
  const queries = new MetricQueries(Metrics, 'Metrics')
  for (const [index, { Period }] of Metrics.entries()) {
    if (Period !== undefined) assertPeriod(Period, `Metrics.member.${index + 1}.Period`)
  }
  if (queries.hasSearch) throw validationException('SEARCH is not supported on Metric Alarms.')
  if (queries.returned.length !== 1) {
    throw validationException('Exactly one element of the metrics list should return data.')
  }
  return Metrics
}

function periodSecondsOf({ metric, queries }: Pick<Alarm, 'metric' | 'queries'>): number {
  if (metric !== undefined) return metric.periodSeconds
  return Math.max(1, ...(queries ?? []).map(({ MetricStat, Period }) => MetricStat?.Period ?? Period ?? 60))
}

/** A day; a week for periods of an hour and more. */
function assertSpan(evaluationPeriods: number, periodSeconds: number): void {
  const [most, name] = periodSeconds >= 3600 ? [7 * 86_400, 'seven days'] : [86_400, 'a day']
  if (evaluationPeriods * periodSeconds <= most) return
  throw validationException(
    `Metrics cannot be checked across more than ${name} (EvaluationPeriods * Period must be <= ${most}).`,
  )
}

function readMissingData(text: string | undefined): MissingData | undefined {
  switch (text) {
    case undefined:
    case 'breaching':
    case 'notBreaching':
    case 'ignore':
    case 'missing':
      return text
    default:
      throw validationException(
        `Option ${text} is not supported. Supported options for parameter TreatMissingData are breaching, notBreaching, ignore and missing.`,
      )
  }
}

/** Addresses that are notified here, and ARNs, which other services would act on. */
function readActions(actions: readonly string[] = []): readonly string[] {
  for (const action of actions) {
    const isAddress = /^https?:\/\//i.test(action) && URL.canParse(action)
    if (!isAddress && !/^arn:[^:]*:[^:]+:/.test(action)) throw validationException(`Invalid arn syntax: ${action}`)
  }
  if (new Set(actions).size < actions.length) {
    throw validationException('Actions list must not contain duplicates.')
  }
  return actions
}

function missing(parameter: string): ServiceError {
  return new ServiceError('MissingRequiredParameterException', `The parameter ${parameter} is required.`)
}
