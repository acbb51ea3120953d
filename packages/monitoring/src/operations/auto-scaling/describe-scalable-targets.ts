import type { DescribeScalableTargetsInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { describePage } from '../../scaling/describe-page.ts'
import { targetArn, type ScalableTarget } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export async function describeScalableTargets(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeScalableTargetsInput,
): Promise<unknown> {
  const { ResourceIds, ScalableDimension } = input
  const { records, NextToken } = await describePage(
    monitoring.scaling.targets,
    scope,
    input,
    ({ resourceId, dimension }) =>
      (ResourceIds === undefined || ResourceIds.length === 0 || ResourceIds.includes(resourceId)) &&
      (ScalableDimension === undefined || ScalableDimension === dimension),
  )
  return { ScalableTargets: records.map((target) => describe(scope, target)), NextToken }
}

function describe(scope: Scope, target: ScalableTarget): unknown {
  return {
    ServiceNamespace: 'dynamodb',
    ResourceId: target.resourceId,
    ScalableDimension: target.dimension,
    MinCapacity: target.minCapacity,
    MaxCapacity: target.maxCapacity,
    RoleARN: target.roleArn,
    CreationTime: new Date(target.createdAtMs),
    SuspendedState: {
      DynamicScalingInSuspended: target.suspended.scalingIn,
      DynamicScalingOutSuspended: target.suspended.scalingOut,
      ScheduledScalingSuspended: target.suspended.scheduled,
    },
    ScalableTargetARN: targetArn(scope, target),
  }
}
