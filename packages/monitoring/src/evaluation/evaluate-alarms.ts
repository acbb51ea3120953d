import { breathe, type Scope, type Stopping } from '@hashrange/engine'
import { followAlarm, isPolicyAction } from '../scaling/follow-alarm.ts'
import type { Alarm } from '../records/alarm-records.ts'
import { thresholdOf } from '../alarms/alarm-threshold.ts'
import { alarmPeriodMs, alarmValues, periodsOf } from '../alarms/alarm-values.ts'
import { changeState } from './change-state.ts'
import { decideState } from '../alarms/decide-state.ts'
import { stateReason, stateReasonData } from '../alarms/state-reason.ts'
import type { Monitoring } from '../monitoring.ts'

/** Evaluates alarms, all of them or those with periods shorter than a minute, and puts each into the resulting state.
 *  Auto scaling keeps acting as long as its alarms last; other actions are called once. */
export async function evaluateAlarms(
  monitoring: Monitoring,
  stopping: Stopping,
  { which = 'all', atMs = monitoring.clock.now() }: Evaluation = {},
): Promise<void> {
  const problems: unknown[] = []
  for (const { scope, record } of await monitoring.alarms.alarms.all()) {
    if (stopping.aborted) return
    if (which === 'short' && alarmPeriodMs(record) >= 60_000) continue
    // An alarm that cannot be evaluated must not block the others.
    await evaluateAlarm(monitoring, scope, record, atMs).catch((error: unknown) => problems.push(error))
    await breathe()
  }
  if (problems.length > 0) throw problems[0]
}

export interface Evaluation {
  readonly which?: 'all' | 'short'
  /** The moment up to which metrics are read. */
  readonly atMs?: number
}

async function evaluateAlarm(monitoring: Monitoring, scope: Scope, alarm: Alarm, atMs: number): Promise<void> {
  const values = await alarmValues(monitoring, scope, alarm, atMs)
  const threshold = thresholdOf(monitoring, scope, alarm)
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
    const request = { alarm, state, values, threshold, nowMs: monitoring.clock.now() }
    const next = { value: state, reason: stateReason(request), reasonData: stateReasonData(request) }
    await changeState(monitoring, scope, alarm, next, atMs)
  } else if (state === 'ALARM' && alarm.actionsEnabled) {
    for (const action of alarm.alarmActions) {
      if (isPolicyAction(action)) await followAlarm(monitoring, scope, alarm, action, atMs)
    }
  }
}
