import type { TargetTracking } from '../api/auto-scaling-inputs.ts'
import type { RecordSpace, Scope, ServiceHost } from '@hashrange/engine'

/** The records of auto scaling. ON DISK as JSON: members may be added, with a default for records that lack them. */
export class ScalingRecords {
  /** By resource and dimension. */
  readonly targets: RecordSpace<ScalableTarget>
  /** By resource, dimension and name. */
  readonly policies: RecordSpace<ScalingPolicy>
  /** By resource, dimension and name. */
  readonly scheduledActions: RecordSpace<ScheduledAction>
  /** By time, then identifier. */
  readonly activities: RecordSpace<ScalingActivity>

  constructor(host: ServiceHost) {
    this.targets = host.records('scalableTarget')
    this.policies = host.records('scalingPolicy')
    this.scheduledActions = host.records('scheduledAction')
    this.activities = host.records('scalingActivity')
  }
}

/** Identifies a target, and the policies and scheduled actions that it has. */
export interface TargetName {
  readonly resourceId: string
  readonly dimension: string
}

export interface ScalableTarget extends TargetName {
  /** The last part of its ARN. */
  readonly id: string
  readonly minCapacity: number
  readonly maxCapacity: number
  readonly roleArn: string
  readonly createdAtMs: number
  readonly suspended: SuspendedState
  readonly tags: Readonly<Record<string, string>>
}

export interface SuspendedState {
  readonly scalingIn: boolean
  readonly scalingOut: boolean
  readonly scheduled: boolean
}

export interface ScalingPolicy extends TargetName {
  readonly policyName: string
  readonly id: string
  /** Identifies it in the actions of its alarms. */
  readonly createdById: string
  readonly createdAtMs: number
  readonly tracking: TargetTracking
  readonly alarmNames: readonly string[]
  readonly lastScaleOutAtMs?: number
  readonly lastScaleInAtMs?: number
}

export interface ScheduledAction extends TargetName {
  readonly name: string
  readonly id: string
  readonly schedule: string
  readonly timezone?: string
  readonly startAtMs?: number
  readonly endAtMs?: number
  readonly minCapacity?: number
  readonly maxCapacity?: number
  readonly createdAtMs: number
  /** Absent when it will not run any more. */
  readonly nextRunAtMs?: number
}

export interface ScalingActivity extends TargetName {
  readonly id: string
  readonly description: string
  readonly cause: string
  readonly startAtMs: number
  readonly endAtMs?: number
  readonly statusCode: 'Successful' | 'Failed' | 'NotScaled'
  readonly statusMessage?: string
  readonly notScaledReasons?: readonly NotScaledReason[]
}

export interface NotScaledReason {
  readonly Code: string
  readonly MaxCapacity?: number
  readonly MinCapacity?: number
  readonly CurrentCapacity?: number
}

export function targetParts({ resourceId, dimension }: TargetName): readonly string[] {
  return [resourceId, dimension]
}

/** Times have a fixed number of digits, so that they sort in order of time. */
export function activityParts({ startAtMs, id }: ScalingActivity): readonly string[] {
  return [String(startAtMs).padStart(16, '0'), id]
}

export function targetArn(scope: Scope, { id }: ScalableTarget): string {
  return `arn:aws:application-autoscaling:${scope.region}:${scope.accountId}:scalable-target/${id}`
}

export function policyArn(scope: Scope, { id, resourceId, policyName }: ScalingPolicy): string {
  return `arn:aws:autoscaling:${scope.region}:${scope.accountId}:scalingPolicy:${id}:resource/dynamodb/${resourceId}:policyName/${policyName}`
}

/** What the policy's alarms call. */
export function policyAction(scope: Scope, policy: ScalingPolicy): string {
  return `${policyArn(scope, policy)}:createdBy/${policy.createdById}`
}

export function scheduledActionArn(scope: Scope, { id, resourceId, name }: ScheduledAction): string {
  return `arn:aws:autoscaling:${scope.region}:${scope.accountId}:scheduledAction:${id}:resource/dynamodb/${resourceId}:scheduledActionName/${name}`
}
