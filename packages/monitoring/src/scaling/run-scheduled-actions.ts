import type { Decision, Scope } from '@hashrange/engine'
import { keepWithinBounds } from './keep-within-bounds.ts'
import { recordActivity } from './record-activity.ts'
import { nextRun, parseSchedule } from './schedule.ts'
import { targetParts, type ScalableTarget, type ScheduledAction } from '../records/scaling-records.ts'
import type { Monitoring } from '../monitoring.ts'

/** Runs the actions that are due. Of several times that have passed meanwhile, the last counts. */
export async function runScheduledActions(monitoring: Monitoring): Promise<void> {
  const nowMs = monitoring.clock.now()
  const due = (await monitoring.scaling.scheduledActions.all())
    .filter(({ record }) => record.nextRunAtMs !== undefined && record.nextRunAtMs <= nowMs)
    .toSorted((one, other) => (one.record.nextRunAtMs ?? 0) - (other.record.nextRunAtMs ?? 0))
  for (const { scope, record } of due) await runAction(monitoring, scope, record, nowMs)
}

interface Outcome {
  readonly target: ScalableTarget
  readonly isDone: boolean
}

async function runAction(
  monitoring: Monitoring,
  scope: Scope,
  action: ScheduledAction,
  nowMs: number,
): Promise<void> {
  const { targets, scheduledActions } = monitoring.scaling
  const parts = targetParts(action)
  const keys = [targets.key(scope, parts), scheduledActions.key(scope, [...parts, action.name])]
  const outcome = await monitoring.transact(keys, ([targetValue, actionValue]): Decision<Outcome | undefined> => {
    const target = targets.decode(targetValue)
    const current = scheduledActions.decode(actionValue)
    // Changed or run meanwhile by somebody else.
    if (current?.nextRunAtMs !== action.nextRunAtMs || current === undefined)
      return { writes: [], answer: undefined }
    const rescheduled = scheduledActions.put(scope, [...parts, action.name], afterRun(current, nowMs))
    if (target === undefined || target.suspended.scheduled) return { writes: [rescheduled], answer: undefined }
    const changed: ScalableTarget = {
      ...target,
      minCapacity: current.minCapacity ?? target.minCapacity,
      maxCapacity: current.maxCapacity ?? target.maxCapacity,
    }
    if (changed.minCapacity > changed.maxCapacity) {
      return { writes: [rescheduled], answer: { target, isDone: false } }
    }
    return { writes: [rescheduled, targets.put(scope, parts, changed)], answer: { target: changed, isDone: true } }
  })
  if (outcome === undefined) return
  await tell(monitoring, scope, action, outcome)
  if (outcome.isDone) await keepWithinBounds(monitoring, scope, outcome.target)
}

function afterRun(action: ScheduledAction, nowMs: number): ScheduledAction {
  const { nextRunAtMs: _ran, ...rest } = action
  const schedule = parseSchedule(action.schedule, action.timezone)
  const next = schedule && nextRun(schedule, nowMs, action.startAtMs ?? action.createdAtMs)
  const goesOn = next !== undefined && (action.endAtMs === undefined || next <= action.endAtMs)
  return goesOn ? { ...rest, nextRunAtMs: next } : rest
}

function tell(monitoring: Monitoring, scope: Scope, action: ScheduledAction, { isDone }: Outcome): Promise<void> {
  const { minCapacity, maxCapacity } = action
  const what = [
    ...(minCapacity === undefined ? [] : [`min capacity to ${minCapacity}`]),
    ...(maxCapacity === undefined ? [] : [`max capacity to ${maxCapacity}`]),
  ].join(' and ')
  return recordActivity(monitoring, scope, {
    resourceId: action.resourceId,
    dimension: action.dimension,
    description: `Setting ${what}`,
    cause: `scheduled action name ${action.name} was triggered`,
    statusCode: isDone ? 'Successful' : 'Failed',
    statusMessage: isDone
      ? `Successfully set ${what}`
      : `Failed to set ${what}. Reason: Maximum capacity cannot be less than minimum capacity`,
  })
}
