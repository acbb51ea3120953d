import type { ScalableTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { inWords, objectNotFound } from '../../scaling/find-target.ts'
import type { Scope } from '../../scope.ts'

/** Tables have no predictive policies, so that there is never one to forecast. */
export function getPredictiveScalingForecast(
  _engine: Engine,
  _scope: Scope,
  input: ScalableTargetInput & { readonly PolicyName: string },
): Promise<never> {
  return Promise.reject(
    objectNotFound(`No scaling policy found for ${inWords(input)}, policy name: ${input.PolicyName}`),
  )
}
