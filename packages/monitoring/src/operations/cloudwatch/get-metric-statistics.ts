import { ServiceError } from '@hashrange/core'
import type { GetMetricStatisticsInput } from '../../api/cloudwatch-inputs.ts'
import { assertPeriod } from '../../cloudwatch/period.ts'
import { namespace, readDatapoints } from '../../cloudwatch/read-metric.ts'
import { extendedStatistic, statisticOf, type Statistic } from '../../cloudwatch/statistic.ts'
import { type Datapoint, isMetricName, type Scope, unitOf } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

const mostDatapoints = 1440

export async function getMetricStatistics(
  monitoring: Monitoring,
  scope: Scope,
  input: GetMetricStatisticsInput,
): Promise<unknown> {
  const extended = readStatistics(input)
  assertPeriod(input.Period, 'Period')
  const { fromMs, toMs } = readTimes(input)
  const datapoints = await readDatapoints(monitoring, scope, {
    namespace: input.Namespace,
    metricName: input.MetricName,
    dimensions: input.Dimensions ?? [],
    unit: input.Unit,
    fromMs,
    toMs,
    periodMs: input.Period * 1000,
  })
  const unit = await unitIn(monitoring, scope, input)
  return {
    Label: input.MetricName,
    Datapoints: datapoints.map((datapoint) => describe(datapoint, input, extended, unit)),
  }
}

function readStatistics({ Statistics, ExtendedStatistics }: GetMetricStatisticsInput): Map<string, Statistic> {
  if (Statistics === undefined && ExtendedStatistics === undefined) {
    throw new ServiceError(
      'InvalidParameterCombinationException',
      'Must specify either Statistics or ExtendedStatistics',
    )
  }
  return new Map(
    (ExtendedStatistics ?? []).map((name) => {
      const statistic = extendedStatistic(name)
      if (statistic !== undefined) return [name, statistic]
      throw new ServiceError(
        'InvalidParameterValueException',
        `The value ${name} for parameter ExtendedStatistics is not supported.`,
      )
    }),
  )
}

function readTimes({ StartTime, EndTime, Period }: GetMetricStatisticsInput): {
  readonly fromMs: number
  readonly toMs: number
} {
  if (StartTime >= EndTime) {
    throw new ServiceError(
      'InvalidParameterValueException',
      'The parameter StartTime must be less than the parameter EndTime.',
    )
  }
  const count = Math.ceil((EndTime - StartTime) / Period)
  if (count > mostDatapoints) {
    throw new ServiceError(
      'InvalidParameterCombinationException',
      `You have requested up to ${count.toLocaleString('en-US')} datapoints, which exceeds the limit of ${mostDatapoints.toLocaleString('en-US')}. You may reduce the datapoints requested by increasing Period, or decreasing the time range.`,
    )
  }
  return { fromMs: StartTime * 1000, toMs: EndTime * 1000 }
}

function describe(
  datapoint: Datapoint,
  { Statistics = [] }: GetMetricStatisticsInput,
  extended: ReadonlyMap<string, Statistic>,
  unit: string,
): unknown {
  return {
    Timestamp: new Date(datapoint.atMs),
    ...Object.fromEntries(Statistics.map((name) => [name, statisticOf(name)?.(datapoint)])),
    Unit: unit,
    ...(extended.size > 0 && {
      ExtendedStatistics: new Map([...extended].map(([name, statistic]) => [name, statistic(datapoint)])),
    }),
  }
}

async function unitIn(
  { customMetrics }: Monitoring,
  scope: Scope,
  { Namespace, MetricName, Dimensions = [] }: GetMetricStatisticsInput,
): Promise<string> {
  if (Namespace === namespace) return isMetricName(MetricName) ? unitOf(MetricName) : 'None'
  const metric = { namespace: Namespace, metricName: MetricName, dimensions: Dimensions }
  return (await customMetrics.find(scope, metric))?.unit ?? 'None'
}
