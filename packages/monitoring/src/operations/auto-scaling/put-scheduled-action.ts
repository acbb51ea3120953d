import { ServiceError, validationException } from '@hashrange/core'
import type { PutScheduledActionInput } from '../../api/auto-scaling-inputs.ts'
import type { Scope } from '@hashrange/engine'
import { requireTarget } from '../../scaling/find-target.ts'
import { nextRun, parseSchedule, type Schedule } from '../../scaling/schedule.ts'
import { targetParts, type ScheduledAction } from '../../records/scaling-records.ts'
import type { Monitoring } from '../../monitoring.ts'

const actionsOfATarget = 200

/** Creates a scheduled action, or changes the given members of an existing one. */
export async function putScheduledAction(
  monitoring: Monitoring,
  scope: Scope,
  input: PutScheduledActionInput,
): Promise<object> {
  const target = await requireTarget(monitoring, scope, input)
  const { scheduledActions } = monitoring.scaling
  const parts = targetParts(target)
  const others = (await scheduledActions.list(scope, parts)).filter(
    ({ name }) => name !== input.ScheduledActionName,
  )
  if (others.length >= actionsOfATarget) {
    throw new ServiceError(
      'LimitExceededException',
      `A scalable target can have at most ${actionsOfATarget} scheduled actions.`,
    )
  }
  const nowMs = monitoring.clock.now()
  const newId = monitoring.randomness.uuid()
  await scheduledActions.change(scope, [...parts, input.ScheduledActionName], (current) => {
    const action = changeAction(current, input, nowMs, newId)
    return { ...action, resourceId: target.resourceId, dimension: target.dimension }
  })
  return {}
}

/** A time zone, bounds and times belong to the request that gives them: without them, the action has none. */
function changeAction(
  current: ScheduledAction | undefined,
  input: PutScheduledActionInput,
  nowMs: number,
  newId: string,
): Omit<ScheduledAction, 'resourceId' | 'dimension'> {
  const text = input.Schedule ?? current?.schedule
  if (text === undefined) throw validationException('Schedule is required to create a scheduled action')
  const timezone = input.Timezone ?? current?.timezone
  const schedule = readSchedule(text, timezone)
  const startAtMs = input.StartTime === undefined ? current?.startAtMs : input.StartTime * 1000
  const endAtMs = input.EndTime === undefined ? current?.endAtMs : input.EndTime * 1000
  if (startAtMs !== undefined && endAtMs !== undefined && startAtMs >= endAtMs) {
    throw validationException('The start time must be before the end time')
  }
  const { MinCapacity: minCapacity, MaxCapacity: maxCapacity } = input.ScalableTargetAction ?? {
    MinCapacity: current?.minCapacity,
    MaxCapacity: current?.maxCapacity,
  }
  if (minCapacity === undefined && maxCapacity === undefined) {
    throw validationException('At least one of MinCapacity and MaxCapacity is required in ScalableTargetAction')
  }
  if (minCapacity !== undefined && maxCapacity !== undefined && maxCapacity < minCapacity) {
    throw validationException('Maximum capacity cannot be less than minimum capacity')
  }
  const next = nextRun(schedule, nowMs, startAtMs ?? current?.createdAtMs ?? nowMs)
  if (schedule.kind === 'at' && next === undefined) {
    throw validationException(`Schedule expression ${text} is in the past`)
  }
  return {
    name: input.ScheduledActionName,
    id: current?.id ?? newId,
    schedule: text,
    ...(timezone !== undefined && { timezone }),
    ...(startAtMs !== undefined && { startAtMs }),
    ...(endAtMs !== undefined && { endAtMs }),
    ...(minCapacity !== undefined && { minCapacity }),
    ...(maxCapacity !== undefined && { maxCapacity }),
    createdAtMs: current?.createdAtMs ?? nowMs,
    ...(next !== undefined && (endAtMs === undefined || next <= endAtMs) && { nextRunAtMs: next }),
  }
}

function readSchedule(text: string, timezone: string | undefined): Schedule {
  let schedule: Schedule | undefined
  try {
    schedule = parseSchedule(text, timezone)
  } catch {
    throw validationException(`Invalid timezone: ${timezone}`)
  }
  if (schedule === undefined) throw validationException(`Invalid schedule expression: ${text}`)
  return schedule
}
