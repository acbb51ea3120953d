import { ServiceError, validationException } from '@hashrange/core'
import { drawUuids, type Scope } from '@hashrange/engine'
import { targetText, objectNotFound } from './find-target.ts'
import { mostAlarms, policyAlarms } from './policy-alarms.ts'
import { policyRemoval } from './remove-target.ts'
import { capacityOf, type ScalableResource } from '../resources/scalable-resource.ts'
import { targetParts, type ScalableTarget, type ScalingPolicy } from '../records/scaling-records.ts'
import type { TargetTracking } from '../api/auto-scaling-inputs.ts'
import type { Monitoring } from '../monitoring.ts'

export interface PolicyRequest {
  readonly target: ScalableTarget
  readonly resource: ScalableResource
  readonly policyName: string
  readonly tracking: TargetTracking
  /** Whether the target's other policies are removed: if a request describes a target completely. */
  readonly replacesOthers?: boolean
}

const policiesOfATarget = 50

/** Creates a policy, or changes the existing one, with its alarms. A policy that does not change keeps its alarms. */
export async function putPolicy(
  monitoring: Monitoring,
  scope: Scope,
  { target, resource, policyName, tracking, replacesOthers = false }: PolicyRequest,
): Promise<ScalingPolicy> {
  const { policies, targets } = monitoring.scaling
  const parts = [...targetParts(target), policyName]
  const others = (await policies.list(scope, targetParts(target))).filter(
    (other) => other.policyName !== policyName,
  )
  if (!replacesOthers) assertMayAdd(others, tracking)
  const nowMs = monitoring.clock.now()
  const drawn = drawUuids(monitoring.randomness, 2 + mostAlarms)
  const keys = [policies.key(scope, parts), targets.key(scope, targetParts(target))]
  return monitoring.transact(keys, ([value, targetValue]) => {
    const current = policies.decode(value)
    // Deregistered meanwhile: a policy without its target would never be removed.
    if (targetValue === undefined) throw noTarget(target)
    const removed = replacesOthers ? others.flatMap((other) => policyRemoval(monitoring, scope, other)) : []
    if (current !== undefined && isSame(current.tracking, tracking)) return { writes: removed, answer: current }
    const uuid = drawn()
    const drafted = {
      resourceId: target.resourceId,
      dimension: target.dimension,
      policyName,
      id: current?.id ?? uuid(),
      createdById: current?.createdById ?? uuid(),
      createdAtMs: current?.createdAtMs ?? nowMs,
      tracking,
    }
    const capacity = capacityOf(monitoring, scope, resource) ?? target.minCapacity
    const alarms = policyAlarms({ scope, resource, policy: drafted, capacity, nowMs, uuid })
    const policy: ScalingPolicy = { ...drafted, alarmNames: alarms.map(({ name }) => name) }
    const replaced = current?.alarmNames ?? []
    return {
      writes: [
        ...removed,
        ...replaced.map((name) => monitoring.alarms.alarms.delete(scope, [name])),
        policies.put(scope, parts, policy),
        ...alarms.map((alarm) => monitoring.alarms.alarms.put(scope, [alarm.name], alarm)),
      ],
      answer: policy,
    }
  })
}

function noTarget({ resourceId, dimension }: ScalableTarget): ServiceError {
  return objectNotFound(
    `No scalable target registered for ${targetText({ ServiceNamespace: 'dynamodb', ResourceId: resourceId, ScalableDimension: dimension })}`,
  )
}

function assertMayAdd(others: readonly ScalingPolicy[], tracking: TargetTracking): void {
  if (others.some((other) => isSame(metricOf(other.tracking), metricOf(tracking)))) {
    throw validationException('Only one TargetTrackingScaling policy for a given metric specification is allowed.')
  }
  if (others.length >= policiesOfATarget) {
    throw new ServiceError(
      'LimitExceededException',
      `A scalable target can have at most ${policiesOfATarget} scaling policies.`,
    )
  }
}

function metricOf(tracking: TargetTracking): unknown {
  return tracking.PredefinedMetricSpecification ?? tracking.CustomizedMetricSpecification
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
