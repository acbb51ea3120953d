import type { DeregisterScalableTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { requireTarget } from '../../scaling/find-target.ts'
import { removeTarget } from '../../scaling/remove-target.ts'
import type { Monitoring } from '../../monitoring.ts'

/** A target is removed with its policies, their alarms and its scheduled actions. */
export async function deregisterScalableTarget(
  monitoring: Monitoring,
  scope: Scope,
  input: DeregisterScalableTargetInput,
): Promise<object> {
  await removeTarget(monitoring, scope, await requireTarget(monitoring, scope, input, 'found'))
  return {}
}
