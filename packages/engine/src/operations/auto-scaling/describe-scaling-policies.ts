import { alarmArn } from '../../alarms/alarm-records.ts'
import type { DescribeScalingPoliciesInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { assertDimensionHasResource } from '../../scaling/assert-dimension-has-resource.ts'
import { describePage } from '../../scaling/describe-page.ts'
import { policyArn, type ScalingPolicy } from '../../scaling/scaling-records.ts'
import type { Scope } from '../../scope.ts'

export async function describeScalingPolicies(
  engine: Engine,
  scope: Scope,
  input: DescribeScalingPoliciesInput,
): Promise<unknown> {
  assertDimensionHasResource(input)
  const { PolicyNames, ResourceId, ScalableDimension } = input
  const { records, NextToken } = await describePage(
    engine.scaling.policies,
    scope,
    input,
    ({ policyName, resourceId, dimension }) =>
      (PolicyNames === undefined || PolicyNames.length === 0 || PolicyNames.includes(policyName)) &&
      (ResourceId === undefined || ResourceId === resourceId) &&
      (ScalableDimension === undefined || ScalableDimension === dimension),
  )
  return { ScalingPolicies: records.map((policy) => describe(scope, policy)), NextToken }
}

function describe(scope: Scope, policy: ScalingPolicy): unknown {
  return {
    PolicyARN: policyArn(scope, policy),
    PolicyName: policy.policyName,
    ServiceNamespace: 'dynamodb',
    ResourceId: policy.resourceId,
    ScalableDimension: policy.dimension,
    PolicyType: 'TargetTrackingScaling',
    TargetTrackingScalingPolicyConfiguration: policy.tracking,
    Alarms: policy.alarmNames.map((name) => ({ AlarmName: name, AlarmARN: alarmArn(scope, name) })),
    CreationTime: new Date(policy.createdAtMs),
  }
}
