import type { RegisterScalableTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { targetNameOf } from '../../scaling/find-target.ts'
import { keepWithinBounds } from '../../scaling/keep-within-bounds.ts'
import { registerTarget } from '../../scaling/register-target.ts'
import { readScalableResource } from '../../resources/scalable-resource.ts'
import { targetArn } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export interface RegisterScalableTargetOutput {
  readonly ScalableTargetARN: string
}

/** Capacity outside the target's bounds is brought inside, in the background. */
export async function registerScalableTarget(
  monitoring: Monitoring,
  scope: Scope,
  input: RegisterScalableTargetInput,
): Promise<RegisterScalableTargetOutput> {
  readScalableResource(input.ServiceNamespace, input.ResourceId, input.ScalableDimension)
  const target = await registerTarget(monitoring, scope, targetNameOf(input), input)
  monitoring.background.run(() => keepWithinBounds(monitoring, scope, target))
  return { ScalableTargetARN: targetArn(scope, target) }
}
