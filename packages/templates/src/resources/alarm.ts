import { isSame } from '../apply/compare.ts'
import { planOf, type Step } from '../apply/resource-plan.ts'
import { unlessMissing } from '../apply/unless-missing.ts'
import { listOf, objectOf, plainText, type Json, type JsonObject } from '../table-design.ts'
import type { ResourcePort } from '../apply/resource-port.ts'
import { changed, textOf, type ResourceKind } from './resource-kind.ts'
import { typedProperties } from '../typed-properties.ts'

const target = 'GraniteServiceVersion20100801'

/** `AWS::CloudWatch::Alarm` */
export const alarmKind: ResourceKind = {
  nameOf: ({ AlarmName }) => textOf(AlarmName),
  replacedBy: (before, after) => changed(['AlarmName'], before, after),
  plan: async (port, id, properties) => {
    const current = await alarmOf(port, id)
    const input = { ...typedProperties(properties), AlarmName: id }
    const different = current === undefined ? [] : differences(input, current)
    const put = (does: string): Step => ({ does, target, operation: 'PutMetricAlarm', input })
    if (current === undefined) return planOf(false, [put('creates the alarm')])
    return planOf(true, different.length === 0 ? [] : [put(`changes ${different.join(', ')}`)])
  },
  remove: async (port, id) => {
    await unlessMissing(port.call(target, 'DeleteAlarms', { AlarmNames: [id] }))
  },
  attributes: async (port, id) => ({ Arn: plainText((await alarmOf(port, id))?.['AlarmArn']) }),
}

async function alarmOf(port: ResourcePort, id: string): Promise<JsonObject | undefined> {
  const { MetricAlarms } = await port.call(target, 'DescribeAlarms', { AlarmNames: [id] })
  const [alarm] = listOf(MetricAlarms as Json)
  return alarm === undefined ? undefined : objectOf(alarm)
}

/** An alarm is always set as a whole: what is not declared has its default. */
function differences(wanted: JsonObject, current: JsonObject): readonly string[] {
  return compared.filter((name) => !isSame(plain(name, wanted), plain(name, current)))
}

const compared = [
  'AlarmDescription',
  'ActionsEnabled',
  'OKActions',
  'AlarmActions',
  'InsufficientDataActions',
  'MetricName',
  'Namespace',
  'Statistic',
  'ExtendedStatistic',
  'Dimensions',
  'Period',
  'Unit',
  'EvaluationPeriods',
  'DatapointsToAlarm',
  'Threshold',
  'ComparisonOperator',
  'TreatMissingData',
  'Metrics',
] as const

const usual: Readonly<Record<string, Json>> = { ActionsEnabled: true, TreatMissingData: 'missing' }
const unordered: ReadonlySet<string> = new Set([
  'Dimensions',
  'OKActions',
  'AlarmActions',
  'InsufficientDataActions',
])

function plain(name: string, alarm: JsonObject): Json {
  const value = alarm[name] ?? usual[name] ?? null
  if (!Array.isArray(value)) return value
  const list = [...(value as readonly Json[])]
  if (list.length === 0) return null
  return unordered.has(name) ? list.map((one) => JSON.stringify(sorted(one))).toSorted() : list
}

function sorted(value: Json): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
}
