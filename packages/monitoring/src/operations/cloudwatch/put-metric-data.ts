import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { MetricDatum, PutMetricDataInput } from '../../api/cloudwatch-inputs.ts'
import type { Monitoring } from '../../monitoring.ts'
import type { CustomSamples, Samples } from '../../records/custom-metrics.ts'

const mostData = 1_000
const mostValues = 150
const oldestMs = 14 * 86_400_000
const newestMs = 2 * 3_600_000

export async function putMetricData(
  monitoring: Monitoring,
  scope: Scope,
  input: PutMetricDataInput,
): Promise<undefined> {
  const { Namespace: namespace, MetricData = [], EntityMetricData = [] } = input
  const data = [...MetricData, ...EntityMetricData.flatMap(({ MetricData: more = [] }) => more)]
  if (data.length === 0) throw missing('The parameter MetricData is required.')
  if (namespace.startsWith('AWS/')) {
    throw invalid('The value AWS/ for parameter Namespace is invalid. Namespaces must not begin with AWS/.')
  }
  assertText(namespace, 'Namespace')
  if (data.length > mostData) {
    throw invalid(`The collection MetricData must not have a size greater than ${mostData}.`)
  }
  const nowMs = monitoring.clock.now()
  const all = data.map((datum, index) => readDatum(namespace, datum, `MetricData.member.${index + 1}`, nowMs))
  await monitoring.customMetrics.add(scope, all)
  return undefined
}

function readDatum(namespace: string, datum: MetricDatum, place: string, nowMs: number): CustomSamples {
  const { MetricName, Dimensions = [], Timestamp, Unit = 'None' } = datum
  assertText(MetricName, `${place}.MetricName`)
  for (const { Name, Value } of Dimensions) {
    assertText(Name, `${place}.Dimensions`)
    assertText(Value, `${place}.Dimensions`)
  }
  const atMs = Timestamp === undefined ? nowMs : Timestamp * 1000
  if (!(atMs >= nowMs - oldestMs && atMs <= nowMs + newestMs)) {
    throw invalid(
      `The parameter ${place}.Timestamp must specify a time within the past two weeks and no more than two hours in the future.`,
    )
  }
  return {
    namespace,
    metricName: MetricName,
    dimensions: Dimensions,
    unit: Unit,
    atMs,
    samples: samplesOf(datum, place),
  }
}

function samplesOf({ Value, StatisticValues, Values, Counts }: MetricDatum, place: string): Samples {
  const given = [Value, StatisticValues, Values].filter((member) => member !== undefined).length
  if (given !== 1) {
    throw new ServiceError(
      'InvalidParameterCombinationException',
      `The parameters ${place}.Value, ${place}.StatisticValues and ${place}.Values are mutually exclusive and you have specified ${given === 0 ? 'none' : 'more than one'}.`,
    )
  }
  if (StatisticValues !== undefined) {
    const { SampleCount, Sum, Minimum, Maximum } = StatisticValues
    if (!(SampleCount > 0) || Minimum > Maximum) throw invalid(`The parameter ${place}.StatisticValues is invalid.`)
    return { sampleCount: SampleCount, sum: Sum, minimum: Minimum, maximum: Maximum }
  }
  if (Values === undefined) {
    const value = Value ?? 0
    return { sampleCount: 1, sum: value, minimum: value, maximum: value }
  }
  const counts = Counts ?? Values.map(() => 1)
  if (Values.length === 0 || Values.length > mostValues || counts.length !== Values.length) {
    throw invalid(
      `The parameters ${place}.Values and ${place}.Counts must be of the same size, of 1 to ${mostValues}.`,
    )
  }
  if (counts.some((count) => !(count > 0))) throw invalid(`The parameter ${place}.Counts must be greater than 0.`)
  return {
    sampleCount: counts.reduce((sum, count) => sum + count, 0),
    sum: Values.reduce((sum, value, index) => sum + value * (counts[index] ?? 0), 0),
    minimum: Math.min(...Values),
    maximum: Math.max(...Values),
  }
}

function assertText(text: string, parameter: string): void {
  if (/^[\x20-\x7e]+$/.test(text)) return
  throw invalid(`The value for parameter ${parameter} contains characters that are not ASCII, or is empty.`)
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidParameterValueException', message)
}

function missing(message: string): ServiceError {
  return new ServiceError('MissingRequiredParameterException', message)
}
