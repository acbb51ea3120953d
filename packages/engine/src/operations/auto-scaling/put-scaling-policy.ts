import { alarmArn } from '../../alarms/alarm-records.ts'
import type { PutScalingPolicyInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { requireTarget } from '../../scaling/find-target.ts'
import { putPolicy } from '../../scaling/put-policy.ts'
import { readTargetTracking } from '../../scaling/read-target-tracking.ts'
import { readScalableResource } from '../../scaling/scalable-resource.ts'
import { policyArn } from '../../scaling/scaling-records.ts'
import type { Scope } from '../../scope.ts'

export interface PutScalingPolicyOutput {
  readonly PolicyARN: string
  readonly Alarms: readonly { readonly AlarmName: string; readonly AlarmARN: string }[]
}

export async function putScalingPolicy(
  engine: Engine,
  scope: Scope,
  input: PutScalingPolicyInput,
): Promise<PutScalingPolicyOutput> {
  const target = await requireTarget(engine, scope, input)
  const resource = readScalableResource(input.ServiceNamespace, input.ResourceId, input.ScalableDimension)
  const tracking = readTargetTracking(input, resource)
  const policy = await putPolicy(engine, scope, { target, resource, policyName: input.PolicyName, tracking })
  return {
    PolicyARN: policyArn(scope, policy),
    Alarms: policy.alarmNames.map((name) => ({ AlarmName: name, AlarmARN: alarmArn(scope, name) })),
  }
}
