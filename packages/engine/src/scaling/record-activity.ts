import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { activityParts, type ScalingActivity, type TargetName } from './scaling-records.ts'

export type ActivityDraft = Omit<ScalingActivity, 'id' | 'startAtMs'>

/** What was not done is told once an hour, not every minute that it is not done. */
export async function recordActivity(engine: Engine, scope: Scope, draft: ActivityDraft): Promise<void> {
  if (draft.statusCode !== 'Successful' && (await isTold(engine, scope, draft))) return
  const startAtMs = engine.clock.now()
  const activity: ScalingActivity = { ...draft, id: engine.randomness.uuid(), startAtMs, endAtMs: startAtMs }
  await engine.scaling.activities.change(scope, activityParts(activity), () => activity)
}

const toldAgainMs = 3_600_000

async function isTold(engine: Engine, scope: Scope, draft: ActivityDraft): Promise<boolean> {
  const sinceMs = engine.clock.now() - toldAgainMs
  let latest: ScalingActivity | undefined
  await engine.scaling.activities.scan(
    scope,
    [],
    (activity) => {
      if (isOf(activity, draft)) latest = activity
      return latest === undefined && activity.startAtMs > sinceMs
    },
    { reverse: true },
  )
  return latest?.description === draft.description && latest.statusCode === draft.statusCode
}

function isOf(activity: TargetName, { resourceId, dimension }: TargetName): boolean {
  return activity.resourceId === resourceId && activity.dimension === dimension
}

/** As long as the service tells of them. */
const keptMs = 42 * 86_400_000

export async function forgetActivities(engine: Engine): Promise<void> {
  const oldestMs = engine.clock.now() - keptMs
  await engine.scaling.activities.removeAll(({ startAtMs }) => startAtMs < oldestMs)
}
