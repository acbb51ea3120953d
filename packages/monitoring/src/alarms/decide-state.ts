import type { AlarmStateValue, ComparisonOperator } from '../api/cloudwatch-inputs.ts'
import type { MissingData } from '../records/alarm-records.ts'

export interface StateRequest {
  /** One per period, the oldest first; undefined where there is none. */
  readonly values: readonly (number | undefined)[]
  readonly evaluationPeriods: number
  readonly datapointsToAlarm: number
  readonly threshold: number
  readonly comparison: ComparisonOperator
  readonly treatMissingData: MissingData
}

/** The state that follows from an alarm's values; undefined if it stays as it is. The last existing values count, if
 *  there are enough. Missing ones are treated as the alarm says. With `missing`, the existing values decide, but only
 *  once the first of them is as old as the datapoints that an alarm requires. So one high value after a silence is
 *  not an alarm yet. (CloudWatch's guide, "How alarm state is evaluated when data is missing" and "Avoiding premature
 *  transitions to alarm state".) */
export function decideState(request: StateRequest): AlarmStateValue | undefined {
  const { evaluationPeriods, datapointsToAlarm, threshold, comparison, treatMissingData } = request
  const isBreaching = request.values.map((value) =>
    value === undefined ? undefined : breaches(value, threshold, comparison),
  )
  const present = isBreaching.filter((breaching) => breaching !== undefined)
  const considered = present.slice(-evaluationPeriods)
  const breaching = considered.filter(Boolean).length
  if (breaching >= datapointsToAlarm) return 'ALARM'
  const missing = evaluationPeriods - considered.length
  if (missing === 0) return 'OK'
  switch (treatMissingData) {
    case 'breaching':
      return breaching + missing >= datapointsToAlarm ? 'ALARM' : 'OK'
    case 'notBreaching':
      return 'OK'
    case 'ignore':
      return breaching < considered.length ? 'OK' : undefined
    case 'missing':
    default:
      return decideByPresent(isBreaching, considered.length, breaching, datapointsToAlarm)
  }
}

function decideByPresent(
  isBreaching: readonly (boolean | undefined)[],
  present: number,
  breaching: number,
  datapointsToAlarm: number,
): AlarmStateValue | undefined {
  if (present === 0) return 'INSUFFICIENT_DATA'
  if (breaching < present) return 'OK'
  const oldest = isBreaching.indexOf(true)
  return isBreaching.length - oldest >= datapointsToAlarm ? 'ALARM' : undefined
}

export function breaches(value: number, threshold: number, comparison: ComparisonOperator): boolean {
  switch (comparison) {
    case 'GreaterThanOrEqualToThreshold':
      return value >= threshold
    case 'GreaterThanThreshold':
      return value > threshold
    case 'LessThanOrEqualToThreshold':
      return value <= threshold
    case 'LessThanThreshold':
      return value < threshold
    case 'LessThanLowerOrGreaterThanUpperThreshold':
    case 'LessThanLowerThreshold':
    case 'GreaterThanUpperThreshold':
    default:
      // Bands of anomaly detectors, which PutMetricAlarm rejects.
      return false
  }
}
