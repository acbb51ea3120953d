import type { MetricDataQueryInput } from './cloudwatch-inputs.ts'

/** The inputs of operations of Application Auto Scaling, as `readServiceInput` returns them. */
export interface ScalableTargetInput {
  readonly ServiceNamespace: string
  readonly ResourceId: string
  readonly ScalableDimension: string
}

export interface RegisterScalableTargetInput extends ScalableTargetInput {
  readonly MinCapacity?: number
  readonly MaxCapacity?: number
  readonly RoleARN?: string
  readonly SuspendedState?: SuspendedStateInput
  readonly Tags?: Readonly<Record<string, string>>
}

export interface SuspendedStateInput {
  readonly DynamicScalingInSuspended?: boolean
  readonly DynamicScalingOutSuspended?: boolean
  readonly ScheduledScalingSuspended?: boolean
}

export type DeregisterScalableTargetInput = ScalableTargetInput

export interface PagedInput {
  readonly ServiceNamespace: string
  readonly MaxResults?: number
  readonly NextToken?: string
}

export interface DescribeScalableTargetsInput extends PagedInput {
  readonly ResourceIds?: readonly string[]
  readonly ScalableDimension?: string
}

export interface PutScalingPolicyInput extends ScalableTargetInput {
  readonly PolicyName: string
  readonly PolicyType?: 'StepScaling' | 'TargetTrackingScaling' | 'PredictiveScaling'
  readonly StepScalingPolicyConfiguration?: object
  readonly TargetTrackingScalingPolicyConfiguration?: TargetTracking
  readonly PredictiveScalingPolicyConfiguration?: object
}

/** A policy's configuration, as it was sent. */
export interface TargetTracking {
  readonly TargetValue: number
  readonly PredefinedMetricSpecification?: {
    readonly PredefinedMetricType: string
    readonly ResourceLabel?: string
  }
  readonly CustomizedMetricSpecification?: CustomizedMetric
  readonly ScaleOutCooldown?: number
  readonly ScaleInCooldown?: number
  readonly DisableScaleIn?: boolean
}

export interface CustomizedMetric {
  readonly MetricName?: string
  readonly Namespace?: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[]
  readonly Statistic?: string
  readonly Unit?: string
  readonly Metrics?: readonly MetricDataQueryInput[]
}

export interface DeleteScalingPolicyInput extends ScalableTargetInput {
  readonly PolicyName: string
}

export interface DescribeScalingPoliciesInput extends PagedInput {
  readonly PolicyNames?: readonly string[]
  readonly ResourceId?: string
  readonly ScalableDimension?: string
}

export interface DescribeScalingActivitiesInput extends PagedInput {
  readonly ResourceId?: string
  readonly ScalableDimension?: string
  readonly IncludeNotScaledActivities?: boolean
}

export interface PutScheduledActionInput extends ScalableTargetInput {
  readonly ScheduledActionName: string
  readonly Schedule?: string
  readonly Timezone?: string
  readonly StartTime?: number
  readonly EndTime?: number
  readonly ScalableTargetAction?: { readonly MinCapacity?: number; readonly MaxCapacity?: number }
}

export interface DeleteScheduledActionInput extends ScalableTargetInput {
  readonly ScheduledActionName: string
}

export interface DescribeScheduledActionsInput extends PagedInput {
  readonly ScheduledActionNames?: readonly string[]
  readonly ResourceId?: string
  readonly ScalableDimension?: string
}

export interface TagTargetInput {
  readonly ResourceARN: string
  readonly Tags: Readonly<Record<string, string>>
}

export interface UntagTargetInput {
  readonly ResourceARN: string
  readonly TagKeys: readonly string[]
}

export interface ListTagsForTargetInput {
  readonly ResourceARN: string
}
