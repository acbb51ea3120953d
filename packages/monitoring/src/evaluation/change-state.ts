import type { AlarmStateValue } from '../api/cloudwatch-inputs.ts'
import type { Decision, Scope, Stopping } from '@hashrange/engine'
import { followAlarm, isPolicyAction } from '../scaling/follow-alarm.ts'
import { alarmNotification, type StateChange } from '../alarms/alarm-notification.ts'
import { isReceiver } from '../alarms/is-receiver.ts'
import { historyParts, type Alarm, type AlarmHistoryItem } from '../records/alarm-records.ts'
import { thresholdOf } from '../alarms/alarm-threshold.ts'
import type { Monitoring } from '../monitoring.ts'

export interface NewState {
  readonly value: AlarmStateValue
  readonly reason: string
  readonly reasonData?: string
}

/** Puts an alarm into a state, records its history, and calls its actions if the state has changed. An alarm that was
 *  reconfigured meanwhile stays as it is. */
export async function changeState(
  monitoring: Monitoring,
  scope: Scope,
  alarm: Alarm,
  next: NewState,
  evaluatedAtMs: number = monitoring.clock.now(),
): Promise<void> {
  const { alarms, history } = monitoring.alarms
  const nowMs = monitoring.clock.now()
  const id = monitoring.randomness.uuid()
  const change = await monitoring.transact(
    [alarms.key(scope, [alarm.name])],
    ([value]): Decision<StateChange | undefined> => {
      const current = alarms.decode(value)
      if (current === undefined || current.configuredAtMs !== alarm.configuredAtMs) {
        return { writes: [], answer: undefined }
      }
      const isOther = current.state.value !== next.value
      const changed: Alarm = {
        ...current,
        state: { ...next, updatedAtMs: nowMs, transitionedAtMs: isOther ? nowMs : current.state.transitionedAtMs },
      }
      const writes = [alarms.put(scope, [alarm.name], changed)]
      if (!isOther) return { writes, answer: undefined }
      const item = stateUpdate(current, changed, id)
      const threshold = thresholdOf(monitoring, scope, changed)
      return {
        writes: [...writes, history.put(scope, historyParts(item), item)],
        answer: { alarm: changed, before: current.state.value, threshold },
      }
    },
  )
  if (change !== undefined && change.alarm.actionsEnabled)
    await callActions(monitoring, scope, change, evaluatedAtMs)
}

function actionsOf({ state, okActions, alarmActions, insufficientDataActions }: Alarm): readonly string[] {
  switch (state.value) {
    case 'OK':
      return okActions
    case 'ALARM':
      return alarmActions
    case 'INSUFFICIENT_DATA':
    default:
      return insufficientDataActions
  }
}

async function callActions(
  monitoring: Monitoring,
  scope: Scope,
  change: StateChange,
  evaluatedAtMs: number,
): Promise<void> {
  for (const action of actionsOf(change.alarm)) {
    if (isPolicyAction(action)) {
      await followAlarm(monitoring, scope, change.alarm, action, evaluatedAtMs)
      await tellAction(monitoring, scope, change.alarm, action)
    } else {
      // A slow receiver must not delay the other alarms.
      monitoring.background.run((stopping) => notify(monitoring, scope, change, action, stopping))
    }
  }
}

async function notify(
  monitoring: Monitoring,
  scope: Scope,
  change: StateChange,
  action: string,
  stopping: Stopping,
): Promise<void> {
  if (!isReceiver(action)) {
    return tellAction(monitoring, scope, change.alarm, action, 'only http and https addresses are notified here')
  }
  const { notifier } = monitoring
  if (notifier === undefined) {
    return tellAction(monitoring, scope, change.alarm, action, 'notifications are not sent by this process')
  }
  const notification = alarmNotification(scope, change, action, monitoring.randomness.uuid())
  try {
    await notifier.notify(action, notification, stopping)
  } catch (error) {
    return tellAction(
      monitoring,
      scope,
      change.alarm,
      action,
      error instanceof Error ? error.message : String(error),
    )
  }
  return tellAction(monitoring, scope, change.alarm, action)
}

async function tellAction(
  monitoring: Monitoring,
  scope: Scope,
  alarm: Alarm,
  action: string,
  problem?: string,
): Promise<void> {
  const item: AlarmHistoryItem = {
    alarmName: alarm.name,
    id: monitoring.randomness.uuid(),
    atMs: monitoring.clock.now(),
    type: 'Action',
    summary:
      problem === undefined
        ? `Successfully executed action ${action}`
        : `Failed to execute action ${action}. Received error: "${problem}"`,
    data: JSON.stringify({
      actionState: problem === undefined ? 'Succeeded' : 'Failed',
      stateUpdateTimestamp: alarm.state.updatedAtMs,
      notificationResource: action,
      ...(problem !== undefined && { error: problem }),
    }),
  }
  await monitoring.alarms.history.change(scope, historyParts(item), () => item)
}

function stateUpdate(before: Alarm, after: Alarm, id: string): AlarmHistoryItem {
  const told = ({ state }: Alarm): unknown => ({
    stateValue: state.value,
    stateReason: state.reason,
    ...(state.reasonData !== undefined && { stateReasonData: safeJson(state.reasonData) }),
  })
  return {
    alarmName: after.name,
    id,
    atMs: after.state.updatedAtMs,
    type: 'StateUpdate',
    summary: `Alarm updated from ${before.state.value} to ${after.state.value}`,
    data: JSON.stringify({ version: '1.0', oldState: told(before), newState: told(after) }),
  }
}

/** SetAlarmState may have set any text. */
function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
