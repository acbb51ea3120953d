import type { ScalableTargetInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { targetText, objectNotFound } from '../../scaling/find-target.ts'
import type { Monitoring } from '../../monitoring.ts'

/** Tables have no predictive policies, so there is never one to forecast. */
export function getPredictiveScalingForecast(
  _engine: Monitoring,
  _scope: Scope,
  input: ScalableTargetInput & { readonly PolicyName: string },
): Promise<never> {
  return Promise.reject(
    objectNotFound(`No scaling policy found for ${targetText(input)}, policy name: ${input.PolicyName}`),
  )
}
