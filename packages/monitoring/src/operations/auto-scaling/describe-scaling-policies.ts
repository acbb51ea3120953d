import { alarmArn } from '../../records/alarm-records.ts'
import type { DescribeScalingPoliciesInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { assertDimensionHasResource } from '../../scaling/assert-dimension-has-resource.ts'
import { describePage } from '../../scaling/describe-page.ts'
import { policyArn, type ScalingPolicy } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export async function describeScalingPolicies(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeScalingPoliciesInput,
): Promise<unknown> {
  assertDimensionHasResource(input)
  const { PolicyNames, ResourceId, ScalableDimension } = input
  const { records, NextToken } = await describePage(
    monitoring.scaling.policies,
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
