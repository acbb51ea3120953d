import { describeScaling, findPolicy, planPolicy, planTarget, type ScalingPlace } from '../apply/plan-scaling.ts'
import { autoScalingTarget as target, type ResourcePort } from '../apply/resource-port.ts'
import { unlessMissing } from '../apply/unless-missing.ts'
import { partOf, plainText, type JsonObject } from '../table-design.ts'
import { changed, type ResourceKind } from './resource-kind.ts'
import { typedProperties } from '../typed-properties.ts'

/** `AWS::ApplicationAutoScaling::ScalableTarget`, of tables and indexes. */
export const scalableTargetKind: ResourceKind = {
  nameOf: (properties) => scalableTargetId(properties),
  replacedBy: (before, after) => changed(['ResourceId', 'ScalableDimension', 'ServiceNamespace'], before, after),
  plan: async (port, id, properties) => {
    const { RoleARN: _, ...settings } = typedProperties(properties)
    return planTarget(port, targetOf(id), settings)
  },
  remove: async (port, id) => {
    await unlessMissing(port.call(target, 'DeregisterScalableTarget', targetOf(id)))
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
  plan: async (port, _id, properties) => {
    const { ScalingTargetId: _, ...settings } = typedProperties(properties)
    return planPolicy(port, placeOf(properties), settings)
  },
  idOf: async (port, id, properties) =>
    plainText((await findPolicy(port, placeOf(properties), properties))?.['PolicyARN'] ?? id),
  remove: async (port, _id, properties) => {
    const input = { PolicyName: properties['PolicyName'], ...placeOf(properties) }
    await unlessMissing(port.call(target, 'DeleteScalingPolicy', input))
  },
  attributes: async (_port, id) => ({ Arn: id }),
}

/** What of a table scales, by the targets that there are. */
export async function scaledParts(port: ResourcePort, tableName: string): Promise<ReadonlySet<string>> {
  return partsOf(await describeScaling(port, 'ScalableTargets', { ServiceNamespace: 'dynamodb' }), tableName)
}

/** What of a table scales, by the properties of targets. */
export function partsOf(targets: readonly JsonObject[], tableName: string): ReadonlySet<string> {
  return new Set(
    targets.flatMap(({ ResourceId, ScalableDimension }) => {
      const [, table, , index = ''] = plainText(ResourceId).split('/')
      const units = plainText(ScalableDimension).split(':').at(-1) ?? ''
      return table === tableName ? [partOf(index, units)] : []
    }),
  )
}

/** What `Ref` gives for a target. */
function scalableTargetId({ ResourceId, ScalableDimension, ServiceNamespace }: JsonObject): string {
  return [ResourceId, ScalableDimension, ServiceNamespace].map(plainText).join('|')
}

function targetOf(id: string): ScalingPlace {
  const [ResourceId = '', ScalableDimension = '', ServiceNamespace = ''] = id.split('|')
  return { ResourceId, ScalableDimension, ServiceNamespace }
}

function placeOf({ ScalingTargetId, ResourceId, ScalableDimension, ServiceNamespace }: JsonObject): ScalingPlace {
  if (typeof ScalingTargetId === 'string') return targetOf(ScalingTargetId)
  return {
    ResourceId: plainText(ResourceId),
    ScalableDimension: plainText(ScalableDimension),
    ServiceNamespace: plainText(ServiceNamespace),
  }
}
