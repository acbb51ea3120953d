import type { Stopping } from '@hashrange/engine'
import { runScheduledActions } from '../scaling/run-scheduled-actions.ts'
import { evaluateAlarms } from './evaluate-alarms.ts'
import type { Monitoring } from '../monitoring.ts'

/** How long after a minute the other servers of a shared store have written what they counted in it. */
const settledMs = 20_000

/** Runs every few seconds: alarms with short periods each time, all others once per minute. */
export function watchMetrics(monitoring: Monitoring): (stopping: Stopping) => Promise<void> {
  let seenMinute: number | undefined
  return async (stopping) => {
    await runScheduledActions(monitoring)
    const atMs = monitoring.clock.now() - (monitoring.isShared ? settledMs : 0)
    const minute = Math.floor(atMs / 60_000)
    await evaluateAlarms(monitoring, stopping, { which: minute === seenMinute ? 'short' : 'all', atMs })
    seenMinute = minute
  }
}
