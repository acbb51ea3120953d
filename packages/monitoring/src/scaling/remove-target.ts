import type { Scope, Write } from '@hashrange/engine'
import { targetParts, type ScalingPolicy, type TargetName } from '../records/scaling-records.ts'
import type { Monitoring } from '../monitoring.ts'

export async function removeTarget(monitoring: Monitoring, scope: Scope, target: TargetName): Promise<void> {
  const { targets, policies, scheduledActions } = monitoring.scaling
  const parts = targetParts(target)
  const itsPolicies = await policies.list(scope, parts)
  const itsActions = await scheduledActions.list(scope, parts)
  await monitoring.transact([], () => ({
    writes: [
      targets.delete(scope, parts),
      ...itsActions.map(({ name }) => scheduledActions.delete(scope, [...parts, name])),
      ...itsPolicies.flatMap((policy) => policyRemoval(monitoring, scope, policy)),
    ],
    answer: undefined,
  }))
}

/** A policy is removed with its alarms. */
export function policyRemoval(monitoring: Monitoring, scope: Scope, policy: ScalingPolicy): readonly Write[] {
  return [
    monitoring.scaling.policies.delete(scope, [...targetParts(policy), policy.policyName]),
    ...policy.alarmNames.map((name) => monitoring.alarms.alarms.delete(scope, [name])),
  ]
}
