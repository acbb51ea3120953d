import type { ServiceOperation } from '@hashrange/engine'
import type { AutoScalingOperation } from '../../api/operations.ts'
import type { Monitoring } from '../../monitoring.ts'
import { deleteScalingPolicy } from './delete-scaling-policy.ts'
import { deleteScheduledAction } from './delete-scheduled-action.ts'
import { deregisterScalableTarget } from './deregister-scalable-target.ts'
import { describeScalableTargets } from './describe-scalable-targets.ts'
import { describeScalingActivities } from './describe-scaling-activities.ts'
import { describeScalingPolicies } from './describe-scaling-policies.ts'
import { describeScheduledActions } from './describe-scheduled-actions.ts'
import { getPredictiveScalingForecast } from './get-predictive-scaling-forecast.ts'
import { listTagsForResource } from './list-tags-for-resource.ts'
import { putScalingPolicy } from './put-scaling-policy.ts'
import { putScheduledAction } from './put-scheduled-action.ts'
import { registerScalableTarget } from './register-scalable-target.ts'
import { tagResource } from './tag-resource.ts'
import { untagResource } from './untag-resource.ts'

export const autoScaling: Readonly<Record<AutoScalingOperation, ServiceOperation<Monitoring>>> = {
  DeleteScalingPolicy: deleteScalingPolicy,
  DeleteScheduledAction: deleteScheduledAction,
  DeregisterScalableTarget: deregisterScalableTarget,
  DescribeScalableTargets: describeScalableTargets,
  DescribeScalingActivities: describeScalingActivities,
  DescribeScalingPolicies: describeScalingPolicies,
  DescribeScheduledActions: describeScheduledActions,
  GetPredictiveScalingForecast: getPredictiveScalingForecast,
  ListTagsForResource: listTagsForResource,
  PutScalingPolicy: putScalingPolicy,
  PutScheduledAction: putScheduledAction,
  RegisterScalableTarget: registerScalableTarget,
  TagResource: tagResource,
  UntagResource: untagResource,
}
