import type { RegisterScalableTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { targetNameOf } from '../../scaling/find-target.ts'
import { keepWithinBounds } from '../../scaling/keep-within-bounds.ts'
import { registerTarget } from '../../scaling/register-target.ts'
import { readScalableResource } from '../../scaling/scalable-resource.ts'
import { targetArn } from '../../scaling/scaling-records.ts'
import type { Scope } from '../../scope.ts'

export interface RegisterScalableTargetOutput {
  readonly ScalableTargetARN: string
}

/** Capacity that lies outside the target's bounds is brought inside, in the background. */
export async function registerScalableTarget(
  engine: Engine,
  scope: Scope,
  input: RegisterScalableTargetInput,
): Promise<RegisterScalableTargetOutput> {
  readScalableResource(input.ServiceNamespace, input.ResourceId, input.ScalableDimension)
  const target = await registerTarget(engine, scope, targetNameOf(input), input)
  engine.background.run(() => keepWithinBounds(engine, scope, target))
  return { ScalableTargetARN: targetArn(scope, target) }
}
