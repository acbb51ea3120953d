import { breathe, type Stopping } from '../background/background-work.ts'
import type { Engine } from '../engine.ts'
import { followAlarm, isPolicyAction } from '../scaling/follow-alarm.ts'
import type { Scope } from '../scope.ts'
import type { Alarm } from './alarm-records.ts'
import { thresholdOf } from './alarm-threshold.ts'
import { alarmPeriodMs, alarmValues, periodsOf } from './alarm-values.ts'
import { changeState } from './change-state.ts'
import { decideState } from './decide-state.ts'
import { stateReason, stateReasonData } from './state-reason.ts'

/** Looks at the metrics of alarms, all of them or those whose periods are shorter than a minute, and puts each into the
 *  state that follows. Auto scaling goes on acting as long as its alarms last; other actions are called once. */
export async function evaluateAlarms(
  engine: Engine,
  stopping: Stopping,
  { which = 'all', atMs = engine.clock.now() }: Evaluation = {},
): Promise<void> {
  const problems: unknown[] = []
  for (const { scope, record } of await engine.alarms.alarms.all()) {
    if (stopping.aborted) return
    if (which === 'short' && alarmPeriodMs(record) >= 60_000) continue
    // One that cannot be evaluated must not keep the others from being.
    await evaluateAlarm(engine, scope, record, atMs).catch((error: unknown) => problems.push(error))
    await breathe()
  }
  if (problems.length > 0) throw problems[0]
}

export interface Evaluation {
  readonly which?: 'all' | 'short'
  /** The moment up to which the metrics are looked at. */
  readonly atMs?: number
}

async function evaluateAlarm(engine: Engine, scope: Scope, alarm: Alarm, atMs: number): Promise<void> {
  const values = await alarmValues(engine, scope, alarm, atMs)
  const threshold = thresholdOf(engine, scope, alarm)
  const byTime = new Map(values.map((one) => [one.atMs, one.value]))
  const state =
    decideState({
      values: periodsOf(alarm, atMs).map((startMs) => byTime.get(startMs)),
      evaluationPeriods: alarm.evaluationPeriods,
      datapointsToAlarm: alarm.datapointsToAlarm ?? alarm.evaluationPeriods,
      threshold,
      comparison: alarm.comparison,
      treatMissingData: alarm.treatMissingData ?? 'missing',
    }) ?? alarm.state.value
  if (state !== alarm.state.value) {
    const request = { alarm, state, values, threshold, nowMs: engine.clock.now() }
    const next = { value: state, reason: stateReason(request), reasonData: stateReasonData(request) }
    await changeState(engine, scope, alarm, next, atMs)
  } else if (state === 'ALARM' && alarm.actionsEnabled) {
    for (const action of alarm.alarmActions) {
      if (isPolicyAction(action)) await followAlarm(engine, scope, alarm, action, atMs)
    }
  }
}

/** As long as the service tells of it. */
const historyKeptMs = 30 * 86_400_000

export async function forgetAlarmHistory(engine: Engine): Promise<void> {
  const oldestMs = engine.clock.now() - historyKeptMs
  await engine.alarms.history.removeAll(({ atMs }) => atMs < oldestMs)
}
