import { forgetInsights } from '../insights/forget-insights.ts'
import type { Monitoring } from '../monitoring.ts'
import { forgetActivities } from '../scaling/record-activity.ts'

/** As long as the service shows it. */
const historyKeptMs = 30 * 86_400_000

/** Removes what is older than the services show, or refers to something deleted. */
export async function forgetOld(monitoring: Monitoring): Promise<void> {
  await forgetActivities(monitoring)
  const oldestMs = monitoring.clock.now() - historyKeptMs
  await monitoring.alarms.history.removeAll(({ atMs }) => atMs < oldestMs)
  await forgetInsights(monitoring)
  await monitoring.customMetrics.forgetOld(monitoring.clock.now())
}
