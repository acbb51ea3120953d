import {
  listOf,
  objectOf,
  partOf,
  plainText,
  type Json,
  type JsonObject,
  type ScalingDesign,
  type TableDesign,
} from '../table-design.ts'
import { isSame } from './compare.ts'
import { planOf, type ResourcePlan, type Step } from './resource-plan.ts'
import { autoScalingTarget as target, type ResourcePort } from './resource-port.ts'

/** What names a scalable target. */
export type ScalingPlace = {
  readonly ResourceId: string
  readonly ScalableDimension: string
  readonly ServiceNamespace: string
}

/** The bounds of capacity, and when they change. */
export async function planTarget(
  port: ResourcePort,
  where: ScalingPlace,
  { ScheduledActions, ...settings }: JsonObject,
): Promise<ResourcePlan> {
  const { ServiceNamespace, ScalableDimension, ResourceId } = where
  const asked = { ServiceNamespace, ScalableDimension, ResourceIds: [ResourceId] }
  const [current] = await describeScaling(port, 'ScalableTargets', asked)
  const does = `scales between ${plainText(settings['MinCapacity'])} and ${plainText(settings['MaxCapacity'])} units`
  const isSet = current !== undefined && isSubset(settings, current)
  const actions = await actionSteps(port, where, listOf(ScheduledActions).map(objectOf), current === undefined)
  const register = { does, target, operation: 'RegisterScalableTarget', input: settings }
  return planOf(current !== undefined, [...(isSet ? [] : [register]), ...actions])
}

export async function planPolicy(
  port: ResourcePort,
  where: ScalingPlace,
  settings: JsonObject,
): Promise<ResourcePlan> {
  const input = { ...settings, ...where }
  const current = await findPolicy(port, where, settings)
  const isSet = current !== undefined && isSubset(input, current)
  const tracking = objectOf(settings['TargetTrackingScalingPolicyConfiguration'])
  const does = `keeps the use of capacity at ${plainText(tracking['TargetValue'])} percent`
  return planOf(current !== undefined, isSet ? [] : [{ does, target, operation: 'PutScalingPolicy', input }])
}

export async function findPolicy(
  port: ResourcePort,
  where: ScalingPlace,
  { PolicyName }: JsonObject,
): Promise<JsonObject | undefined> {
  const PolicyNames = [plainText(PolicyName)]
  const [current] = await describeScaling(port, 'ScalingPolicies', { ...where, PolicyNames })
  return current
}

/** The scaling that belongs to the declaration of a table. What is not declared any more ends. */
export async function tableScalingSteps(
  port: ResourcePort,
  { name: tableName, scaled }: TableDesign,
  wanted: readonly ScalingDesign[] | undefined,
): Promise<readonly Step[]> {
  if (wanted === undefined) return []
  const places = wanted.map((scaling) => scalingPlace(tableName, scaling))
  const targets = await describeScaling(port, 'ScalableTargets', { ServiceNamespace: 'dynamodb' })
  const ended = targets.filter(({ ResourceId, ScalableDimension }) => {
    const [, table, , index = ''] = plainText(ResourceId).split('/')
    const units = plainText(ScalableDimension).split(':').at(-1) ?? ''
    return table === tableName && scaled?.has(partOf(index, units)) !== true
  })
  const steps = ended.map(({ ResourceId, ScalableDimension, ServiceNamespace }): Step => {
    const input = { ResourceId, ScalableDimension, ServiceNamespace }
    return { does: `no longer scales ${partText(input)}`, target, operation: 'DeregisterScalableTarget', input }
  })
  for (const [index, scaling] of wanted.entries()) {
    const where = places[index] ?? scalingPlace(tableName, scaling)
    const of = ` (${partText(where)})`
    const bounds = { ...where, MinCapacity: scaling.minimum, MaxCapacity: scaling.maximum }
    const plans = [await planTarget(port, where, bounds), await planPolicy(port, where, policyOf(where, scaling))]
    steps.push(...plans.flatMap((plan) => plan.steps.map((step) => ({ ...step, does: step.does + of }))))
  }
  return steps
}

function scalingPlace(tableName: string, { indexName, units }: ScalingDesign): ScalingPlace {
  return {
    ResourceId: indexName === '' ? `table/${tableName}` : `table/${tableName}/index/${indexName}`,
    ScalableDimension: `dynamodb:${indexName === '' ? 'table' : 'index'}:${units}`,
    ServiceNamespace: 'dynamodb',
  }
}

function policyOf({ ResourceId }: ScalingPlace, { units, tracking }: ScalingDesign): JsonObject {
  const PredefinedMetricType = `DynamoDB${units === 'ReadCapacityUnits' ? 'Read' : 'Write'}CapacityUtilization`
  return {
    PolicyName: `${PredefinedMetricType}:${ResourceId}`,
    PolicyType: 'TargetTrackingScaling',
    TargetTrackingScalingPolicyConfiguration: {
      ...tracking,
      PredefinedMetricSpecification: { PredefinedMetricType },
    },
  }
}

/** `writes`, or `reads of the index byEmail` */
function partText({ ResourceId, ScalableDimension }: { readonly [name: string]: unknown }): string {
  const [, , , index] = plainText(ResourceId).split('/')
  const units = plainText(ScalableDimension).endsWith('ReadCapacityUnits') ? 'reads' : 'writes'
  return index === undefined ? units : `${units} of the index ${index}`
}

/** On a schedule, the bounds of a target change. */
async function actionSteps(
  port: ResourcePort,
  where: ScalingPlace,
  actions: readonly JsonObject[],
  isNew: boolean,
): Promise<readonly Step[]> {
  if (actions.length === 0) return []
  const current = isNew ? [] : await describeScaling(port, 'ScheduledActions', where)
  return actions.flatMap((action): Step[] => {
    const name = plainText(action['ScheduledActionName'])
    const input = { ...where, ...action }
    const before = current.find((one) => one['ScheduledActionName'] === name)
    if (before !== undefined && isSubset(input, before)) return []
    return [{ does: `schedules ${name}`, target, operation: 'PutScheduledAction', input }]
  })
}

/** Of all pages. */
export async function describeScaling(
  port: ResourcePort,
  what: 'ScalableTargets' | 'ScalingPolicies' | 'ScheduledActions',
  input: object,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = []
  let NextToken: unknown
  do {
    const page = { ...input, ...(NextToken !== undefined && { NextToken }) }
    const answer = await port.call(target, `Describe${what}`, page)
    found.push(...listOf(answer[what] as Json).map(objectOf))
    NextToken = answer['NextToken'] ?? undefined
  } while (NextToken !== undefined)
  return found
}

/** Whether everything that is wanted is so; what else there is has its default. */
function isSubset(wanted: Json, current: Json): boolean {
  const [one, other] = [objectOf(wanted), objectOf(current)]
  if (Object.keys(one).length === 0) return isSame(wanted, current)
  return Object.entries(one).every(([name, part]) => isSubset(part, other[name] ?? usual[name] ?? null))
}

const usual: Readonly<Record<string, Json>> = { DisableScaleIn: false }
