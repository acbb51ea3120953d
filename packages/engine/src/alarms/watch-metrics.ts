import type { Stopping } from '../background/background-work.ts'
import type { Engine } from '../engine.ts'
import { runScheduledActions } from '../scaling/run-scheduled-actions.ts'
import { evaluateAlarms } from './evaluate-alarms.ts'

/** How long after a minute the other servers of a shared store have written down what they counted in it. */
const settledMs = 20_000

/** What is done every few seconds: alarms of short periods each time, all others once a minute is over. */
export function watchMetrics(engine: Engine): (stopping: Stopping) => Promise<void> {
  let seenMinute: number | undefined
  return async (stopping) => {
    await runScheduledActions(engine)
    const atMs = engine.clock.now() - (engine.catalog.isShared ? settledMs : 0)
    const minute = Math.floor(atMs / 60_000)
    await evaluateAlarms(engine, stopping, { which: minute === seenMinute ? 'short' : 'all', atMs })
    seenMinute = minute
  }
}
