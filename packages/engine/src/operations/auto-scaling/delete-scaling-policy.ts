import type { DeleteScalingPolicyInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { inWords, objectNotFound, requireTarget } from '../../scaling/find-target.ts'
import { policyRemoval } from '../../scaling/remove-target.ts'
import { targetParts } from '../../scaling/scaling-records.ts'
import type { Scope } from '../../scope.ts'

export async function deleteScalingPolicy(
  engine: Engine,
  scope: Scope,
  input: DeleteScalingPolicyInput,
): Promise<object> {
  const { policies } = engine.scaling
  const missing = objectNotFound(`No scaling policy found for ${inWords(input)}, policy name: ${input.PolicyName}`)
  if (input.PolicyName.length > 256) throw missing
  const target = await requireTarget(engine, scope, input, 'found').catch(() => undefined)
  if (target === undefined) throw missing
  const key = policies.key(scope, [...targetParts(target), input.PolicyName])
  await engine.store.transact([key], ([value]) => {
    const policy = policies.decode(value)
    if (policy === undefined) throw missing
    return { writes: policyRemoval(engine, scope, policy), answer: undefined }
  })
  return {}
}
