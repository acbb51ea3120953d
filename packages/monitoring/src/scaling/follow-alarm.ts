import type { Alarm } from '../records/alarm-records.ts'
import { alarmValues } from '../alarms/alarm-values.ts'
import type { Scope } from '@hashrange/engine'
import { recordActivity } from './record-activity.ts'
import { capacityOf, readScalableResource, type ScalableResource } from '../resources/scalable-resource.ts'
import {
  targetParts,
  type NotScaledReason,
  type ScalableTarget,
  type ScalingPolicy,
} from '../records/scaling-records.ts'
import { setCapacity } from './set-capacity.ts'
import { wantedCapacity, withinBounds } from './wanted-capacity.ts'
import type { Monitoring } from '../monitoring.ts'

/** Whether an alarm's action is a policy of auto scaling. */
export function isPolicyAction(action: string): boolean {
  return action.startsWith('arn:aws:autoscaling:')
}

/** Changes capacity as the policy behind an alarm's action requires, given the metrics up to some moment. Called once
 *  a minute as long as the alarm lasts. */
export async function followAlarm(
  monitoring: Monitoring,
  scope: Scope,
  alarm: Alarm,
  action: string,
  atMs: number,
): Promise<void> {
  const policy = await findPolicy(monitoring, scope, action)
  if (policy === undefined) return
  const target = await monitoring.scaling.targets.get(scope, targetParts(policy))
  if (target === undefined) return
  const kind = alarmKind(policy, alarm)
  const trigger = { policy, alarm, atMs }
  if (kind === 'high') await scaleOut(monitoring, scope, target, trigger)
  else if (kind === 'low') await scaleIn(monitoring, scope, target, trigger)
}

async function findPolicy(
  monitoring: Monitoring,
  scope: Scope,
  action: string,
): Promise<ScalingPolicy | undefined> {
  const [, id, resourceId] = /:scalingPolicy:([^:]+):resource\/dynamodb\/([^:\0]{1,600}):/.exec(action) ?? []
  if (resourceId === undefined) return undefined
  return (await monitoring.scaling.policies.list(scope, [resourceId])).find((policy) => policy.id === id)
}

/** The alarms on provisioned capacity only tell the service that it was changed by hand, which is known here at once. */
function alarmKind({ alarmNames }: ScalingPolicy, { name }: Alarm): 'high' | 'low' | undefined {
  if (!alarmNames.includes(name)) return undefined
  if (name.includes('-AlarmHigh-')) return 'high'
  return name.includes('-AlarmLow-') ? 'low' : undefined
}

/** What triggers a policy. */
interface Trigger {
  readonly policy: ScalingPolicy
  readonly alarm: Alarm
  /** The moment up to which its metrics are read. */
  readonly atMs: number
}

async function scaleOut(
  monitoring: Monitoring,
  scope: Scope,
  target: ScalableTarget,
  trigger: Trigger,
): Promise<void> {
  const { policy, alarm, atMs } = trigger
  const capacity = capacityOf(monitoring, scope, resourceOf(target))
  if (capacity === undefined || target.suspended.scalingOut) return
  const values = await alarmValues(monitoring, scope, alarm, atMs)
  const wanted = withinBounds(target, wantedCapacity(policy, values, capacity, 'out') ?? capacity)
  if (wanted <= capacity) {
    if (capacity < target.maxCapacity) return
    const { maxCapacity: MaxCapacity } = target
    const reason: NotScaledReason = { Code: 'AlreadyAtMaxCapacity', MaxCapacity, CurrentCapacity: capacity }
    return recordNotScaled(monitoring, scope, target, reason)
  }
  if (isCoolingDown(policy.lastScaleOutAtMs, policy.tracking.ScaleOutCooldown, monitoring.clock.now())) return
  if (await scaleTo(monitoring, scope, target, trigger, wanted)) {
    await remember(monitoring, scope, policy, { lastScaleOutAtMs: monitoring.clock.now() })
  }
}

/** A target scales in only as far as all of its policies allow. */
async function scaleIn(
  monitoring: Monitoring,
  scope: Scope,
  target: ScalableTarget,
  trigger: Trigger,
): Promise<void> {
  const { policy, alarm, atMs } = trigger
  const capacity = capacityOf(monitoring, scope, resourceOf(target))
  if (capacity === undefined || target.suspended.scalingIn || policy.tracking.DisableScaleIn === true) return
  const nowMs = monitoring.clock.now()
  const wants = await Promise.all(
    (await monitoring.scaling.policies.list(scope, targetParts(target))).map((one) =>
      one.id === policy.id
        ? wantedBy(monitoring, scope, { policy: one, alarm, atMs }, capacity)
        : wantedByOther(monitoring, scope, one, atMs, capacity),
    ),
  )
  const wanted = withinBounds(target, Math.max(...wants))
  if (wanted >= capacity) {
    if (capacity > target.minCapacity) return
    const { minCapacity: MinCapacity } = target
    const reason: NotScaledReason = { Code: 'AlreadyAtMinCapacity', MinCapacity, CurrentCapacity: capacity }
    return recordNotScaled(monitoring, scope, target, reason)
  }
  if (isCoolingDown(policy.lastScaleInAtMs, policy.tracking.ScaleInCooldown, nowMs)) return
  if (await scaleTo(monitoring, scope, target, trigger, wanted)) {
    await remember(monitoring, scope, policy, { lastScaleInAtMs: nowMs })
  }
}

/** Whether the capacity was set. */
function scaleTo(
  monitoring: Monitoring,
  scope: Scope,
  target: ScalableTarget,
  { alarm, policy }: Trigger,
  capacity: number,
): Promise<boolean> {
  return setCapacity(monitoring, scope, {
    target: { resourceId: target.resourceId, dimension: target.dimension },
    resource: resourceOf(target),
    capacity,
    cause: `monitor alarm ${alarm.name} in state ALARM triggered policy ${policy.policyName}`,
  })
}

function resourceOf({ resourceId, dimension }: ScalableTarget): ScalableResource {
  return readScalableResource('dynamodb', resourceId, dimension)
}

async function wantedBy(
  monitoring: Monitoring,
  scope: Scope,
  { policy, alarm, atMs }: Trigger,
  capacity: number,
): Promise<number> {
  const values = (await alarmValues(monitoring, scope, alarm, atMs)).slice(-alarm.evaluationPeriods)
  return wantedCapacity(policy, values, capacity, 'in') ?? capacity
}

/** A policy without an alarm for scaling in does not count. */
async function wantedByOther(
  monitoring: Monitoring,
  scope: Scope,
  policy: ScalingPolicy,
  atMs: number,
  capacity: number,
): Promise<number> {
  const lowName = policy.alarmNames.find((name) => name.includes('-AlarmLow-'))
  if (lowName === undefined) return 0
  const low = await monitoring.alarms.alarms.get(scope, [lowName])
  if (low === undefined) return 0
  return low.state.value === 'ALARM'
    ? wantedBy(monitoring, scope, { policy, alarm: low, atMs }, capacity)
    : capacity
}

/** Tables have no cooldown unless one is set. */
function isCoolingDown(lastMs: number | undefined, cooldownSeconds = 0, nowMs: number): boolean {
  return lastMs !== undefined && nowMs - lastMs < cooldownSeconds * 1000
}

async function remember(
  monitoring: Monitoring,
  scope: Scope,
  policy: ScalingPolicy,
  change: Pick<ScalingPolicy, 'lastScaleInAtMs'> | Pick<ScalingPolicy, 'lastScaleOutAtMs'>,
): Promise<void> {
  await monitoring.scaling.policies.change(scope, [...targetParts(policy), policy.policyName], (current) =>
    current?.id === policy.id ? { ...current, ...change } : current,
  )
}

function recordNotScaled(
  monitoring: Monitoring,
  scope: Scope,
  { resourceId, dimension }: ScalableTarget,
  reason: NotScaledReason,
): Promise<void> {
  return recordActivity(monitoring, scope, {
    resourceId,
    dimension,
    description: 'Attempting to scale due to alarm triggered',
    cause: 'monitor alarm in state ALARM triggered policy',
    statusCode: 'NotScaled',
    notScaledReasons: [reason],
  })
}
