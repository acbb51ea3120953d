import { validationException } from '@hashrange/core'
import type { RegisterScalableTargetInput, SuspendedStateInput } from '../../api/auto-scaling-inputs.ts'
import type { Engine } from '../../engine.ts'
import { targetNameOf } from '../../scaling/find-target.ts'
import { keepWithinBounds } from '../../scaling/keep-within-bounds.ts'
import { assertExists, readScalableResource } from '../../scaling/scalable-resource.ts'
import { checkTags } from '../../scaling/target-tags.ts'
import { targetArn, targetParts, type ScalableTarget, type SuspendedState } from '../../scaling/scaling-records.ts'
import type { Scope } from '../../scope.ts'

export interface RegisterScalableTargetOutput {
  readonly ScalableTargetARN: string
}

/** Registers a target, or changes what is given of one that is registered. Capacity that lies outside its bounds is brought
 *  inside, in the background. */
export async function registerScalableTarget(
  engine: Engine,
  scope: Scope,
  input: RegisterScalableTargetInput,
): Promise<RegisterScalableTargetOutput> {
  const resource = readScalableResource(input.ServiceNamespace, input.ResourceId, input.ScalableDimension)
  const name = targetNameOf(input)
  const id = `0ec5${engine.randomness.uuid().replaceAll('-', '')}`
  const target = await engine.scaling.targets.change(scope, targetParts(name), (current) => {
    if (current === undefined) assertExists(engine, scope, resource, input.ResourceId)
    const minCapacity = input.MinCapacity ?? current?.minCapacity
    const maxCapacity = input.MaxCapacity ?? current?.maxCapacity
    if (minCapacity === undefined || maxCapacity === undefined) {
      throw validationException('MinCapacity and MaxCapacity are required when registering a new scalable target')
    }
    assertBounds(minCapacity, maxCapacity)
    if (input.Tags !== undefined && current !== undefined) {
      throw validationException(
        'Tags can be specified only when a scalable target is registered for the first time. Use TagResource to add tags to an existing scalable target.',
      )
    }
    return {
      ...name,
      id: current?.id ?? id,
      minCapacity,
      maxCapacity,
      roleArn: input.RoleARN ?? current?.roleArn ?? serviceLinkedRole(scope),
      createdAtMs: current?.createdAtMs ?? engine.clock.now(),
      suspended: changeSuspension(current?.suspended, input.SuspendedState),
      tags: current?.tags ?? checkTags({}, input.Tags ?? {}),
    } satisfies ScalableTarget
  })
  if (target === undefined) throw new Error('a target that was registered is not there')
  engine.background.run(() => keepWithinBounds(engine, scope, target))
  return { ScalableTargetARN: targetArn(scope, target) }
}

export function assertBounds(minCapacity: number, maxCapacity: number): void {
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
