import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import type { Write } from '../store/store.ts'
import { targetParts, type ScalingPolicy, type TargetName } from './scaling-records.ts'

export async function removeTarget(engine: Engine, scope: Scope, target: TargetName): Promise<void> {
  const { targets, policies, scheduledActions } = engine.scaling
  const parts = targetParts(target)
  const itsPolicies = await policies.list(scope, parts)
  const itsActions = await scheduledActions.list(scope, parts)
  await engine.store.transact([], () => ({
    writes: [
      targets.delete(scope, parts),
      ...itsActions.map(({ name }) => scheduledActions.delete(scope, [...parts, name])),
      ...itsPolicies.flatMap((policy) => policyRemoval(engine, scope, policy)),
    ],
    answer: undefined,
  }))
}

/** A policy goes with its alarms. */
export function policyRemoval(engine: Engine, scope: Scope, policy: ScalingPolicy): readonly Write[] {
  return [
    engine.scaling.policies.delete(scope, [...targetParts(policy), policy.policyName]),
    ...policy.alarmNames.map((name) => engine.alarms.alarms.delete(scope, [name])),
  ]
}
