import { alarmArn } from '../../records/alarm-records.ts'
import type { PutScalingPolicyInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { requireTarget } from '../../scaling/find-target.ts'
import { putPolicy } from '../../scaling/put-policy.ts'
import { readTargetTracking } from '../../scaling/read-target-tracking.ts'
import { readScalableResource } from '../../resources/scalable-resource.ts'
import { policyArn } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export interface PutScalingPolicyOutput {
  readonly PolicyARN: string
  readonly Alarms: readonly { readonly AlarmName: string; readonly AlarmARN: string }[]
}

export async function putScalingPolicy(
  monitoring: Monitoring,
  scope: Scope,
  input: PutScalingPolicyInput,
): Promise<PutScalingPolicyOutput> {
  const target = await requireTarget(monitoring, scope, input)
  const resource = readScalableResource(input.ServiceNamespace, input.ResourceId, input.ScalableDimension)
  const tracking = readTargetTracking(input, resource)
  const policy = await putPolicy(monitoring, scope, { target, resource, policyName: input.PolicyName, tracking })
  return {
    PolicyARN: policyArn(scope, policy),
    Alarms: policy.alarmNames.map((name) => ({ AlarmName: name, AlarmARN: alarmArn(scope, name) })),
  }
}
