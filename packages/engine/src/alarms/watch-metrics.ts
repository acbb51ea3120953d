import type { Stopping } from '../background/background-work.ts'
import type { Engine } from '../engine.ts'
import { runScheduledActions } from '../scaling/run-scheduled-actions.ts'
import { evaluateAlarms } from './evaluate-alarms.ts'

/** What is done every few seconds: alarms of short periods each time, all others once a minute is over. */
export function watchMetrics(engine: Engine): (stopping: Stopping) => Promise<void> {
  let seenMinute: number | undefined
  return async (stopping) => {
    await runScheduledActions(engine)
    const minute = Math.floor(engine.clock.now() / 60_000)
    await evaluateAlarms(engine, stopping, minute === seenMinute ? 'short' : 'all')
    seenMinute = minute
  }
}
