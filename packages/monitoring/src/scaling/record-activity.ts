import type { Scope } from '@hashrange/engine'
import { activityParts, type ScalingActivity, type TargetName } from '../records/scaling-records.ts'
import type { Monitoring } from '../monitoring.ts'

export type ActivityDraft = Omit<ScalingActivity, 'id' | 'startAtMs'>

/** What was not done is reported once an hour, not every minute. */
export async function recordActivity(monitoring: Monitoring, scope: Scope, draft: ActivityDraft): Promise<void> {
  if (draft.statusCode !== 'Successful' && (await isTold(monitoring, scope, draft))) return
  const startAtMs = monitoring.clock.now()
  const activity: ScalingActivity = { ...draft, id: monitoring.randomness.uuid(), startAtMs, endAtMs: startAtMs }
  await monitoring.scaling.activities.change(scope, activityParts(activity), () => activity)
}

const toldAgainMs = 3_600_000

async function isTold(monitoring: Monitoring, scope: Scope, draft: ActivityDraft): Promise<boolean> {
  const sinceMs = monitoring.clock.now() - toldAgainMs
  let latest: ScalingActivity | undefined
  await monitoring.scaling.activities.scan(
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

/** As long as the service shows them. */
const keptMs = 42 * 86_400_000

export async function forgetActivities(monitoring: Monitoring): Promise<void> {
  const oldestMs = monitoring.clock.now() - keptMs
  await monitoring.scaling.activities.removeAll(({ startAtMs }) => startAtMs < oldestMs)
}
