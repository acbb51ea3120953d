import { ServiceError, validationException } from '@hashrange/core'
import type { AutoScalingSettingsUpdateInput } from '../api/replica-auto-scaling-inputs.ts'
import { readTableName, type Scope, type TableDefinition } from '@hashrange/engine'
import { keepWithinBounds } from './keep-within-bounds.ts'
import { putPolicy } from './put-policy.ts'
import { assertTracking } from './read-target-tracking.ts'
import { registerTarget } from './register-target.ts'
import { removeTarget } from './remove-target.ts'
import { dimensionOf, resourceIdOf, type ScalableResource } from '../resources/scalable-resource.ts'
import { targetParts, type ScalingPolicy } from '../records/scaling-records.ts'
import type { TargetTracking } from '../api/auto-scaling-inputs.ts'
import type { Monitoring } from '../monitoring.ts'

/** The table whose replica settings are requested. A table without replicas is no global table. */
export function findReplicatedTable(monitoring: Monitoring, scope: Scope, tableNameOrArn: string): TableDefinition {
  const tableName = readTableName(scope, tableNameOrArn)
  const definition = monitoring.definitionOf(scope, tableName)
  if (definition?.replication !== undefined) return definition
  throw new ServiceError('ResourceNotFoundException', `Global table with name: '${tableName}' does not exist.`)
}

/** The settings of one dimension, as DynamoDB describes them. A target without a policy is shown as if there were
 *  none. */
export async function describeSettings(
  monitoring: Monitoring,
  scope: Scope,
  resource: ScalableResource,
): Promise<AutoScalingSettings> {
  const name = targetNameOf(resource)
  const target = await monitoring.scaling.targets.get(scope, targetParts(name))
  const policies = await monitoring.scaling.policies.list(scope, targetParts(name))
  if (target === undefined || policies.length === 0) return { AutoScalingDisabled: true, ScalingPolicies: [] }
  return {
    MinimumUnits: target.minCapacity,
    MaximumUnits: target.maxCapacity,
    AutoScalingRoleArn: target.roleArn,
    ScalingPolicies: policies.map(describePolicy),
  }
}

export interface AutoScalingSettings {
  readonly MinimumUnits?: number
  readonly MaximumUnits?: number
  readonly AutoScalingDisabled?: boolean
  readonly AutoScalingRoleArn?: string
  readonly ScalingPolicies: readonly object[]
}

function describePolicy({ policyName, tracking }: ScalingPolicy): object {
  const { TargetValue, DisableScaleIn, ScaleInCooldown, ScaleOutCooldown } = tracking
  return {
    PolicyName: policyName,
    TargetTrackingScalingPolicyConfiguration: {
      ...(DisableScaleIn !== undefined && { DisableScaleIn }),
      ...(ScaleInCooldown !== undefined && { ScaleInCooldown }),
      ...(ScaleOutCooldown !== undefined && { ScaleOutCooldown }),
      TargetValue,
    },
  }
}

export interface SettingsChange {
  readonly resource: ScalableResource
  readonly update: AutoScalingSettingsUpdateInput
}

/** Errors are reported before anything is changed. */
export function assertSettings(tableName: string, { resource, update }: SettingsChange): void {
  const { MaximumUnits: most, MinimumUnits: least, ScalingPolicyUpdate: policy } = update
  if (update.AutoScalingDisabled === true) {
    const given = [
      ...(most === undefined ? [] : ["'MaximumUnits'"]),
      ...(policy === undefined ? [] : ["'ScalingPolicyUpdate'"]),
      ...(least === undefined ? [] : ["'MinimumUnits'"]),
    ]
    if (given.length === 0) return
    throw validationException(
      `Failed to update settings for global table with name ‘${tableName}’: Parameters ${given.join(', ')} must be left blank when disabling auto scaling.`,
    )
  }
  const missing = [
    ...(most === undefined ? ["'MaximumUnits'"] : []),
    ...(policy === undefined ? ["'ScalingPolicyUpdate'"] : []),
    ...(least === undefined ? ["'MinimumUnits'"] : []),
  ]
  if (missing.length > 0) {
    throw validationException(
      `Failed to update settings for global table with name: ‘${tableName}’: Parameters ${missing.join(', ')} are required unless auto scaling is being disabled.`,
    )
  }
  if ((most ?? 0) < (least ?? 0)) throw validationException('Maximum capacity cannot be less than minimum capacity')
  assertTracking(trackingOf(resource, update), resource)
}

/** Registers a target with the one given policy, or removes it. */
export async function applySettings(monitoring: Monitoring, scope: Scope, change: SettingsChange): Promise<void> {
  const { resource, update } = change
  const name = targetNameOf(resource)
  if (update.AutoScalingDisabled === true) return removeTarget(monitoring, scope, name)
  const target = await registerTarget(monitoring, scope, name, {
    MinCapacity: update.MinimumUnits,
    MaxCapacity: update.MaximumUnits,
    RoleARN: update.AutoScalingRoleArn,
  })
  const tracking = trackingOf(resource, update)
  const policyName =
    update.ScalingPolicyUpdate?.PolicyName ??
    `${tracking.PredefinedMetricSpecification?.PredefinedMetricType}:${name.resourceId}`
  await putPolicy(monitoring, scope, { target, resource, policyName, tracking, replacesOthers: true })
  monitoring.background.run(() => keepWithinBounds(monitoring, scope, target))
}

function trackingOf({ units }: ScalableResource, update: AutoScalingSettingsUpdateInput): TargetTracking {
  return {
    TargetValue: 0,
    ...update.ScalingPolicyUpdate?.TargetTrackingScalingPolicyConfiguration,
    PredefinedMetricSpecification: {
      PredefinedMetricType: `DynamoDB${units === 'read' ? 'Read' : 'Write'}CapacityUtilization`,
    },
  }
}

function targetNameOf(resource: ScalableResource): { readonly resourceId: string; readonly dimension: string } {
  return { resourceId: resourceIdOf(resource.tableName, resource.indexName), dimension: dimensionOf(resource) }
}
