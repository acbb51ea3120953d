import { validationException } from '@hashrange/core'
import type { RegisterScalableTargetInput, SuspendedStateInput } from '../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { assertExists, readScalableResource } from '../resources/scalable-resource.ts'
import {
  targetParts,
  type ScalableTarget,
  type SuspendedState,
  type TargetName,
} from '../records/scaling-records.ts'
import { checkTags } from './target-tags.ts'
import type { Monitoring } from '../monitoring.ts'

type TargetSettings = {
  readonly [Member in 'MinCapacity' | 'MaxCapacity' | 'RoleARN' | 'SuspendedState' | 'Tags']?:
    RegisterScalableTargetInput[Member] | undefined
}

/** Registers a target, or changes the given members of an existing one. */
export async function registerTarget(
  monitoring: Monitoring,
  scope: Scope,
  name: TargetName,
  settings: TargetSettings,
): Promise<ScalableTarget> {
  const resource = readScalableResource('dynamodb', name.resourceId, name.dimension)
  const nowMs = monitoring.clock.now()
  const id = `0ec5${monitoring.randomness.uuid().replaceAll('-', '')}`
  const target = await monitoring.scaling.targets.change(scope, targetParts(name), (current) => {
    if (current === undefined) assertExists(monitoring, scope, resource, name.resourceId)
    const minCapacity = settings.MinCapacity ?? current?.minCapacity
    const maxCapacity = settings.MaxCapacity ?? current?.maxCapacity
    if (minCapacity === undefined || maxCapacity === undefined) {
      throw validationException('MinCapacity and MaxCapacity are required when registering a new scalable target')
    }
    assertBounds(minCapacity, maxCapacity)
    if (settings.Tags !== undefined && current !== undefined) {
      throw validationException(
        'Tags can be specified only when a scalable target is registered for the first time. Use TagResource to add tags to an existing scalable target.',
      )
    }
    return {
      ...name,
      id: current?.id ?? id,
      minCapacity,
      maxCapacity,
      roleArn: settings.RoleARN ?? current?.roleArn ?? serviceLinkedRole(scope),
      createdAtMs: current?.createdAtMs ?? nowMs,
      suspended: changeSuspension(current?.suspended, settings.SuspendedState),
      tags: current?.tags ?? checkTags({}, settings.Tags ?? {}),
    }
  })
  if (target === undefined) throw new Error('a target that was registered is not there')
  return target
}

function assertBounds(minCapacity: number, maxCapacity: number): void {
  if (minCapacity < 1) {
    throw validationException(`Minimum capacity must be greater than or equal to 1, but was ${minCapacity}`)
  }
  if (maxCapacity < minCapacity) {
    throw validationException('Maximum capacity cannot be less than minimum capacity')
  }
}

function serviceLinkedRole({ accountId }: Scope): string {
  return `arn:aws:iam::${accountId}:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_DynamoDBTable`
}

const notSuspended: SuspendedState = { scalingIn: false, scalingOut: false, scheduled: false }

function changeSuspension(
  current: SuspendedState = notSuspended,
  input: SuspendedStateInput | undefined,
): SuspendedState {
  return {
    scalingIn: input?.DynamicScalingInSuspended ?? current.scalingIn,
    scalingOut: input?.DynamicScalingOutSuspended ?? current.scalingOut,
    scheduled: input?.ScheduledScalingSuspended ?? current.scheduled,
  }
}
