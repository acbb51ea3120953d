import type { Stopping } from '../background/background-work.ts'
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
  which: 'all' | 'short' = 'all',
): Promise<void> {
  for (const { scope, record } of await engine.alarms.alarms.all()) {
    if (stopping.aborted) return
    if (which === 'all' || alarmPeriodMs(record) < 60_000) await evaluateAlarm(engine, scope, record)
  }
}

async function evaluateAlarm(engine: Engine, scope: Scope, alarm: Alarm): Promise<void> {
  const nowMs = engine.clock.now()
  const values = await alarmValues(engine, scope, alarm)
  const threshold = thresholdOf(engine, scope, alarm)
  const byTime = new Map(values.map(({ atMs, value }) => [atMs, value]))
  const state =
    decideState({
      values: periodsOf(alarm, nowMs).map((atMs) => byTime.get(atMs)),
      evaluationPeriods: alarm.evaluationPeriods,
      datapointsToAlarm: alarm.datapointsToAlarm ?? alarm.evaluationPeriods,
      threshold,
      comparison: alarm.comparison,
      treatMissingData: alarm.treatMissingData ?? 'missing',
    }) ?? alarm.state.value
  if (state !== alarm.state.value) {
    const request = { alarm, state, values, threshold, nowMs }
    await changeState(engine, scope, alarm, {
      value: state,
      reason: stateReason(request),
      reasonData: stateReasonData(request),
    })
  } else if (state === 'ALARM' && alarm.actionsEnabled) {
    for (const action of alarm.alarmActions) {
      if (isPolicyAction(action)) await followAlarm(engine, scope, alarm, action)
    }
  }
}

/** As long as the service tells of it. */
const historyKeptMs = 30 * 86_400_000

export async function forgetAlarmHistory(engine: Engine): Promise<void> {
  const oldestMs = engine.clock.now() - historyKeptMs
  await engine.alarms.history.removeAll(({ atMs }) => atMs < oldestMs)
}
