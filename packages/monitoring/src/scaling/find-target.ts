import { ServiceError } from '@hashrange/core'
import type { ScalableTargetInput } from '../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { targetParts, type ScalableTarget, type TargetName } from '../records/scaling-records.ts'
import type { Monitoring } from '../monitoring.ts'

export function targetNameOf(input: ScalableTargetInput): TargetName {
  return { resourceId: input.ResourceId, dimension: input.ScalableDimension }
}

/** The target that a request names; throws an ObjectNotFoundException if there is none. Targets of other services are
 *  never registered here. */
export async function requireTarget(
  monitoring: Monitoring,
  scope: Scope,
  input: ScalableTargetInput,
  verb: 'registered' | 'found' = 'registered',
): Promise<ScalableTarget> {
  const target =
    input.ServiceNamespace === 'dynamodb' && isStorable(input.ResourceId)
      ? await monitoring.scaling.targets.get(scope, targetParts(targetNameOf(input)))
      : undefined
  if (target !== undefined) return target
  throw objectNotFound(`No scalable target ${verb} for ${targetText(input)}`)
}

export function targetText(input: ScalableTargetInput): string {
  return `service namespace: ${input.ServiceNamespace}, resource ID: ${input.ResourceId}, scalable dimension: ${input.ScalableDimension}`
}

export function objectNotFound(message: string): ServiceError {
  return new ServiceError('ObjectNotFoundException', message)
}

/** A name longer than any table's and index's cannot have been registered, nor be a key. */
function isStorable(resourceId: string): boolean {
  return resourceId.length <= 600
}
