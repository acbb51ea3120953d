import { isSame } from '../apply/compare.ts'
import { planOf, type Step } from '../apply/resource-plan.ts'
import { unlessMissing } from '../apply/unless-missing.ts'
import { listOf, objectOf, plainText, type Json, type JsonObject } from '../table-design.ts'
import { changed, type ResourceKind, type ResourcePort } from './resource-kind.ts'
import { typedProperties } from './typed-properties.ts'

export const autoScalingTarget = 'AnyScaleFrontendService'
const target = autoScalingTarget

/** `AWS::ApplicationAutoScaling::ScalableTarget`, of tables and indexes. */
export const scalableTargetKind: ResourceKind = {
  nameOf: (properties) => scalableTargetId(properties),
  replacedBy: (before, after) => changed(['ResourceId', 'ScalableDimension', 'ServiceNamespace'], before, after),
  plan: async (port, id, properties) => {
    const { ScheduledActions, RoleARN: _, ...settings } = typedProperties(properties)
    const where = targetOf(id)
    const [current] = await describe(port, 'ScalableTargets', {
      ...ofService(where),
      ResourceIds: [where.ResourceId],
    })
    const register = { does: '', target, operation: 'RegisterScalableTarget', input: settings }
    const range = `between ${plainText(settings['MinCapacity'])} and ${plainText(settings['MaxCapacity'])} units`
    const isSet = current !== undefined && isSubset(settings, current)
    const actions = await actionSteps(port, where, listOf(ScheduledActions).map(objectOf), current === undefined)
    return planOf(current !== undefined, [...(isSet ? [] : [{ ...register, does: `scales ${range}` }]), ...actions])
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
    const { input, current } = await findPolicy(port, properties)
    const isSet = current !== undefined && isSubset(input, current)
    const tracking = objectOf(input['TargetTrackingScalingPolicyConfiguration'])
    const does = `keeps the use of capacity at ${plainText(tracking['TargetValue'])} percent`
    return planOf(current !== undefined, isSet ? [] : [{ does, target, operation: 'PutScalingPolicy', input }])
  },
  idOf: async (port, id, properties) =>
    plainText((await findPolicy(port, properties)).current?.['PolicyARN'] ?? id),
  remove: async (port, _id, properties) => {
    const input = { PolicyName: properties['PolicyName'], ...placeOf(properties) }
    await unlessMissing(port.call(target, 'DeleteScalingPolicy', input))
  },
  attributes: async (_port, id) => ({ Arn: id }),
}

/** What of a table scales: its indexes by their names, the table itself as ''. */
export function scaledIndexes(resourceIds: readonly string[], tableName: string): ReadonlySet<string> {
  return new Set(
    resourceIds.flatMap((id) => {
      const [, table, , index = ''] = id.split('/')
      return table === tableName ? [index] : []
    }),
  )
}

/** What `Ref` gives for a target. */
function scalableTargetId({ ResourceId, ScalableDimension, ServiceNamespace }: JsonObject): string {
  return [ResourceId, ScalableDimension, ServiceNamespace].map(plainText).join('|')
}

type Place = { readonly ResourceId: string; readonly ScalableDimension: string; readonly ServiceNamespace: string }

function targetOf(id: string): Place {
  const [ResourceId = '', ScalableDimension = '', ServiceNamespace = ''] = id.split('|')
  return { ResourceId, ScalableDimension, ServiceNamespace }
}

function ofService({ ServiceNamespace, ScalableDimension }: Place): JsonObject {
  return { ServiceNamespace, ScalableDimension }
}

function placeOf({ ScalingTargetId, ResourceId, ScalableDimension, ServiceNamespace }: JsonObject): Place {
  if (typeof ScalingTargetId === 'string') return targetOf(ScalingTargetId)
  return {
    ResourceId: plainText(ResourceId),
    ScalableDimension: plainText(ScalableDimension),
    ServiceNamespace: plainText(ServiceNamespace),
  }
}

async function findPolicy(
  port: ResourcePort,
  properties: JsonObject,
): Promise<{ readonly input: JsonObject; readonly current: JsonObject | undefined }> {
  const { ScalingTargetId: _, ...settings } = typedProperties(properties)
  const place = placeOf(properties)
  const input = { ...settings, ...place }
  const PolicyNames = [plainText(settings['PolicyName'])]
  const [current] = await describe(port, 'ScalingPolicies', { ...place, PolicyNames })
  return { input, current }
}

/** On a schedule, the bounds of a target change. */
async function actionSteps(
  port: ResourcePort,
  where: Place,
  actions: readonly JsonObject[],
  isNew: boolean,
): Promise<readonly Step[]> {
  if (actions.length === 0) return []
  const current = isNew ? [] : await describe(port, 'ScheduledActions', where)
  return actions.flatMap((action): Step[] => {
    const name = plainText(action['ScheduledActionName'])
    const input = { ...where, ...action }
    const before = current.find((one) => one['ScheduledActionName'] === name)
    if (before !== undefined && isSubset(input, before)) return []
    return [{ does: `schedules ${name}`, target, operation: 'PutScheduledAction', input }]
  })
}

async function describe(
  port: ResourcePort,
  what: 'ScalableTargets' | 'ScalingPolicies' | 'ScheduledActions',
  input: object,
): Promise<readonly JsonObject[]> {
  const answer = await port.call(target, `Describe${what}`, input)
  return listOf(answer[what] as Json).map(objectOf)
}

/** Whether everything that is wanted is so; what else there is has its default. */
function isSubset(wanted: Json, current: Json): boolean {
  const [one, other] = [objectOf(wanted), objectOf(current)]
  if (Object.keys(one).length === 0) return isSame(wanted, current)
  return Object.entries(one).every(([name, part]) => isSubset(part, other[name] ?? usual[name] ?? null))
}

const usual: Readonly<Record<string, Json>> = { DisableScaleIn: false }
