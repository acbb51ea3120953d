import type { AlarmStateValue } from '../api/cloudwatch-inputs.ts'
import type { Stopping } from '../background/background-work.ts'
import type { Engine } from '../engine.ts'
import { followAlarm, isPolicyAction } from '../scaling/follow-alarm.ts'
import type { Scope } from '../scope.ts'
import type { Decision } from '../store/store.ts'
import { alarmNotification, snsTime, type StateChange } from './alarm-notification.ts'
import { historyParts, type Alarm, type AlarmHistoryItem } from './alarm-records.ts'
import { thresholdOf } from './alarm-threshold.ts'

export interface NewState {
  readonly value: AlarmStateValue
  readonly reason: string
  readonly reasonData?: string
}

/** Puts an alarm into a state, tells its history, and calls its actions if the state is another than before. An alarm that
 *  was configured anew meanwhile stays as it is. */
export async function changeState(
  engine: Engine,
  scope: Scope,
  alarm: Alarm,
  next: NewState,
  evaluatedAtMs: number = engine.clock.now(),
): Promise<void> {
  const { alarms, history } = engine.alarms
  const nowMs = engine.clock.now()
  const id = engine.randomness.uuid()
  const change = await engine.store.transact(
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
      const threshold = thresholdOf(engine, scope, changed)
      return {
        writes: [...writes, history.put(scope, historyParts(item), item)],
        answer: { alarm: changed, before: current.state.value, threshold },
      }
    },
  )
  if (change !== undefined && change.alarm.actionsEnabled) await callActions(engine, scope, change, evaluatedAtMs)
}

export function actionsOf({ state, okActions, alarmActions, insufficientDataActions }: Alarm): readonly string[] {
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
  engine: Engine,
  scope: Scope,
  change: StateChange,
  evaluatedAtMs: number,
): Promise<void> {
  for (const action of actionsOf(change.alarm)) {
    if (isPolicyAction(action)) {
      await followAlarm(engine, scope, change.alarm, action, evaluatedAtMs)
      await tellAction(engine, scope, change.alarm, action)
    } else {
      // A receiver that is slow must not hold up the other alarms.
      engine.background.run((stopping) => notify(engine, scope, change, action, stopping))
    }
  }
}

/** Of the actions that are no policies, only these are called. */
export function isReceiver(action: string): boolean {
  return /^https?:\/\//i.test(action)
}

async function notify(
  engine: Engine,
  scope: Scope,
  change: StateChange,
  action: string,
  stopping: Stopping,
): Promise<void> {
  if (!isReceiver(action)) {
    return tellAction(engine, scope, change.alarm, action, 'only http and https addresses are notified here')
  }
  const { notifier } = engine
  if (notifier === undefined) {
    return tellAction(engine, scope, change.alarm, action, 'notifications are not sent by this process')
  }
  const notification = alarmNotification(scope, change, action, engine.randomness.uuid())
  try {
    await notifier.notify(action, notification, stopping)
  } catch (error) {
    return tellAction(engine, scope, change.alarm, action, error instanceof Error ? error.message : String(error))
  }
  return tellAction(engine, scope, change.alarm, action)
}

async function tellAction(
  engine: Engine,
  scope: Scope,
  alarm: Alarm,
  action: string,
  problem?: string,
): Promise<void> {
  const item: AlarmHistoryItem = {
    alarmName: alarm.name,
    id: engine.randomness.uuid(),
    atMs: engine.clock.now(),
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
  await engine.alarms.history.change(scope, historyParts(item), () => item)
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

/** SetAlarmState may have given any text. */
function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function configurationUpdate(
  before: Alarm | undefined,
  after: Alarm | undefined,
  id: string,
  nowMs: number,
): AlarmHistoryItem {
  const alarmName = after?.name ?? before?.name ?? ''
  const verb = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated'
  return {
    alarmName,
    id,
    atMs: nowMs,
    type: 'ConfigurationUpdate',
    summary: `Alarm "${alarmName}" ${verb}`,
    data: JSON.stringify({
      version: '1.0',
      type: verb === 'created' ? 'Create' : verb === 'deleted' ? 'Delete' : 'Update',
      ...(after !== undefined && { updatedAlarm: told(after) }),
    }),
  }
}

function told({ name, threshold, comparison, evaluationPeriods, metric, configuredAtMs }: Alarm): unknown {
  return {
    alarmName: name,
    metricName: metric?.metricName,
    namespace: metric?.namespace,
    statistic: metric?.extendedStatistic ?? metric?.statistic,
    period: metric?.periodSeconds,
    evaluationPeriods,
    threshold,
    comparisonOperator: comparison,
    alarmConfigurationUpdatedTimestamp: snsTime(configuredAtMs),
  }
}
