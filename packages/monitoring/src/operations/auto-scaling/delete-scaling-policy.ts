import type { DeleteScalingPolicyInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { targetText, objectNotFound, requireTarget } from '../../scaling/find-target.ts'
import { policyRemoval } from '../../scaling/remove-target.ts'
import { targetParts } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export async function deleteScalingPolicy(
  monitoring: Monitoring,
  scope: Scope,
  input: DeleteScalingPolicyInput,
): Promise<object> {
  const { policies } = monitoring.scaling
  const missing = objectNotFound(
    `No scaling policy found for ${targetText(input)}, policy name: ${input.PolicyName}`,
  )
  if (input.PolicyName.length > 256) throw missing
  const target = await requireTarget(monitoring, scope, input, 'found').catch(() => undefined)
  if (target === undefined) throw missing
  const key = policies.key(scope, [...targetParts(target), input.PolicyName])
  await monitoring.transact([key], ([value]) => {
    const policy = policies.decode(value)
    if (policy === undefined) throw missing
    return { writes: policyRemoval(monitoring, scope, policy), answer: undefined }
  })
  return {}
}
