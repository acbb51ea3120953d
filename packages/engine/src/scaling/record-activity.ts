import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { activityParts, type ScalingActivity, type TargetName } from './scaling-records.ts'

export type ActivityDraft = Omit<ScalingActivity, 'id' | 'startAtMs'>

/** What was not done is told once, not every minute that it is not done. */
export async function recordActivity(engine: Engine, scope: Scope, draft: ActivityDraft): Promise<void> {
  if (draft.statusCode !== 'Successful' && (await isTold(engine, scope, draft))) return
  const startAtMs = engine.clock.now()
  const activity: ScalingActivity = { ...draft, id: engine.randomness.uuid(), startAtMs, endAtMs: startAtMs }
  await engine.scaling.activities.change(scope, activityParts(activity), () => activity)
}

async function isTold(engine: Engine, scope: Scope, draft: ActivityDraft): Promise<boolean> {
  const {
    records: [latest],
  } = await engine.scaling.activities.page(scope, {
    limit: 1,
    reverse: true,
    matches: (activity) => isOf(activity, draft),
  })
  return latest?.description === draft.description && latest.statusCode === draft.statusCode
}

function isOf(activity: TargetName, { resourceId, dimension }: TargetName): boolean {
  return activity.resourceId === resourceId && activity.dimension === dimension
}

/** As long as the service tells of them. */
const keptMs = 42 * 86_400_000

export async function forgetActivities(engine: Engine): Promise<void> {
  const { activities, targets } = engine.scaling
  const oldestMs = engine.clock.now() - keptMs
  for (const scope of scopesOf(await targets.all())) {
    await activities.remove(scope, [], ({ startAtMs }) => startAtMs < oldestMs)
  }
}

function scopesOf(found: readonly { readonly scope: Scope }[]): Iterable<Scope> {
  return new Map(found.map(({ scope }) => [`${scope.accountId}/${scope.region}`, scope])).values()
}
