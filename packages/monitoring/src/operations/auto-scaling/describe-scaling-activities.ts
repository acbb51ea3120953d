import type { DescribeScalingActivitiesInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { assertDimensionHasResource } from '../../scaling/assert-dimension-has-resource.ts'
import { describePage } from '../../scaling/describe-page.ts'
import type { ScalingActivity } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

/** The latest first. */
export async function describeScalingActivities(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeScalingActivitiesInput,
): Promise<unknown> {
  assertDimensionHasResource(input)
  const { ResourceId, ScalableDimension, IncludeNotScaledActivities = false } = input
  const { records, NextToken } = await describePage(
    monitoring.scaling.activities,
    scope,
    input,
    ({ resourceId, dimension, statusCode }) =>
      (ResourceId === undefined || ResourceId === resourceId) &&
      (ScalableDimension === undefined || ScalableDimension === dimension) &&
      (IncludeNotScaledActivities || statusCode !== 'NotScaled'),
    true,
  )
  return { ScalingActivities: records.map(describe), NextToken }
}

function describe(activity: ScalingActivity): unknown {
  return {
    ActivityId: activity.id,
    ServiceNamespace: 'dynamodb',
    ResourceId: activity.resourceId,
    ScalableDimension: activity.dimension,
    Description: activity.description,
    Cause: activity.cause,
    StartTime: new Date(activity.startAtMs),
    EndTime: activity.endAtMs === undefined ? undefined : new Date(activity.endAtMs),
    StatusCode: activity.statusCode,
    StatusMessage: activity.statusMessage,
    NotScaledReasons: activity.notScaledReasons,
  }
}
