import type { DescribeScheduledActionsInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { assertDimensionHasResource } from '../../scaling/assert-dimension-has-resource.ts'
import { describePage } from '../../scaling/describe-page.ts'
import { scheduledActionArn, type ScheduledAction } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

export async function describeScheduledActions(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeScheduledActionsInput,
): Promise<unknown> {
  assertDimensionHasResource(input)
  const { ScheduledActionNames: names, ResourceId, ScalableDimension } = input
  const { records, NextToken } = await describePage(
    monitoring.scaling.scheduledActions,
    scope,
    input,
    ({ name, resourceId, dimension }) =>
      (names === undefined || names.length === 0 || names.includes(name)) &&
      (ResourceId === undefined || ResourceId === resourceId) &&
      (ScalableDimension === undefined || ScalableDimension === dimension),
  )
  return { ScheduledActions: records.map((action) => describe(scope, action)), NextToken }
}

function describe(scope: Scope, action: ScheduledAction): unknown {
  return {
    ScheduledActionName: action.name,
    ScheduledActionARN: scheduledActionArn(scope, action),
    ServiceNamespace: 'dynamodb',
    Schedule: action.schedule,
    Timezone: action.timezone,
    ResourceId: action.resourceId,
    ScalableDimension: action.dimension,
    StartTime: action.startAtMs === undefined ? undefined : new Date(action.startAtMs),
    EndTime: action.endAtMs === undefined ? undefined : new Date(action.endAtMs),
    ScalableTargetAction: { MinCapacity: action.minCapacity, MaxCapacity: action.maxCapacity },
    CreationTime: new Date(action.createdAtMs),
  }
}
