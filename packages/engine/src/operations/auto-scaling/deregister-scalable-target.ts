import type { DeregisterScalableTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { requireTarget } from '../../scaling/find-target.ts'
import { removeTarget } from '../../scaling/remove-target.ts'
import type { Scope } from '../../scope.ts'

/** A target goes with its policies, their alarms and its scheduled actions. */
export async function deregisterScalableTarget(
  engine: Engine,
  scope: Scope,
  input: DeregisterScalableTargetInput,
): Promise<object> {
  await removeTarget(engine, scope, await requireTarget(engine, scope, input, 'found'))
  return {}
}
