import { listOf, objectOf, plainText, type Json, type JsonObject } from '@hashrange/templates'
import { changed, textOf, unlessMissing, type ResourceKind } from './resource-kind.ts'

const cloudWatch = 'GraniteServiceVersion20100801'
const autoScaling = 'AnyScaleFrontendService'

/** `AWS::CloudWatch::Alarm` */
export const alarmKind: ResourceKind = {
  nameOf: ({ AlarmName }) => textOf(AlarmName),
  replacedBy: (before, after) => changed(['AlarmName'], before, after),
  isThere: async (port, id) => {
    const { MetricAlarms } = await port.call(cloudWatch, 'DescribeAlarms', { AlarmNames: [id] })
    return listOf(MetricAlarms as Json).length > 0
  },
  put: async (port, id, properties) => {
    await port.call(cloudWatch, 'PutMetricAlarm', { ...typed(properties), AlarmName: id })
    return id
  },
  remove: async (port, id) => {
    await unlessMissing(port.call(cloudWatch, 'DeleteAlarms', { AlarmNames: [id] }))
  },
  attributes: async (port, id) => {
    const { MetricAlarms } = await port.call(cloudWatch, 'DescribeAlarms', { AlarmNames: [id] })
    return { Arn: plainText(objectOf(listOf(MetricAlarms as Json)[0])['AlarmArn']) }
  },
}

/** `AWS::ApplicationAutoScaling::ScalableTarget`, of tables and indexes. */
export const scalableTargetKind: ResourceKind = {
  nameOf: ({ ResourceId, ScalableDimension, ServiceNamespace }) =>
    [ResourceId, ScalableDimension, ServiceNamespace].map(plainText).join('|'),
  replacedBy: (before, after) => changed(['ResourceId', 'ScalableDimension', 'ServiceNamespace'], before, after),
  isThere: async (port, id) => {
    const { ResourceId, ScalableDimension, ServiceNamespace } = targetOf(id)
    const input = { ServiceNamespace, ScalableDimension, ResourceIds: [ResourceId] }
    const { ScalableTargets } = await port.call(autoScaling, 'DescribeScalableTargets', input)
    return listOf(ScalableTargets as Json).length > 0
  },
  put: async (port, id, properties) => {
    const { ScheduledActions, RoleARN: _, ...settings } = typed(properties)
    await port.call(autoScaling, 'RegisterScalableTarget', settings)
    for (const action of listOf(ScheduledActions).map(objectOf))
      await port.call(autoScaling, 'PutScheduledAction', { ...targetOf(id), ...typed(action) })
    return id
  },
  remove: async (port, id) => {
    await unlessMissing(port.call(autoScaling, 'DeregisterScalableTarget', targetOf(id)))
  },
  attributes: async (_port, id) => ({ Id: id }),
}

/** `AWS::ApplicationAutoScaling::ScalingPolicy`, of tables and indexes. */
export const scalingPolicyKind: ResourceKind = {
  nameOf: () => undefined,
  replacedBy: (before, after) =>
    changed(
      ['PolicyName', 'ResourceId', 'ScalableDimension', 'ServiceNamespace', 'ScalingTargetId'],
      before,
      after,
    ),
  isThere: async () => false,
  put: async (port, _id, properties) => {
    const { ScalingTargetId, ...settings } = typed(properties)
    const given = { ...settings, ...(typeof ScalingTargetId === 'string' && targetOf(ScalingTargetId)) }
    const { PolicyARN } = await port.call(autoScaling, 'PutScalingPolicy', given)
    return plainText(PolicyARN)
  },
  remove: async (port, _id, properties) => {
    const { ScalingTargetId, PolicyName, ResourceId, ScalableDimension, ServiceNamespace } = properties
    const where =
      typeof ScalingTargetId === 'string'
        ? targetOf(ScalingTargetId)
        : { ResourceId, ScalableDimension, ServiceNamespace }
    await unlessMissing(port.call(autoScaling, 'DeleteScalingPolicy', { PolicyName, ...where }))
  },
  attributes: async (_port, id) => ({ Arn: id }),
}

function targetOf(id: string): { ResourceId: string; ScalableDimension: string; ServiceNamespace: string } {
  const [ResourceId = '', ScalableDimension = '', ServiceNamespace = ''] = id.split('|')
  return { ResourceId, ScalableDimension, ServiceNamespace }
}

/** Numbers and flags are often texts in templates. */
function typed(properties: JsonObject): JsonObject {
  return objectOf(typedValue(properties, ''))
}

function typedValue(value: Json, name: string): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => typedValue(one, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, typedValue(part, key)]))
  if (typeof value !== 'string') return value
  if (numbers.has(name) && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  return flags.has(name) && (value === 'true' || value === 'false') ? value === 'true' : value
}

const numbers = new Set([
  'Cooldown',
  'DatapointsToAlarm',
  'EvaluationPeriods',
  'MaxCapacity',
  'MinCapacity',
  'Period',
  'ScaleInCooldown',
  'ScaleOutCooldown',
  'ScalingAdjustment',
  'TargetValue',
  'Threshold',
])
const flags = new Set(['ActionsEnabled', 'DisableScaleIn', 'ReturnData'])
