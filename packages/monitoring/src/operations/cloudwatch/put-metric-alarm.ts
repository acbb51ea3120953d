import { ServiceError, validationException } from '@hashrange/core'
import { historyParts, initialState, type Alarm } from '../../records/alarm-records.ts'
import { readAlarm, type AlarmConfiguration } from '../../alarms/read-alarm.ts'
import { configurationUpdate } from '../../alarms/configuration-update.ts'
import { isReceiver } from '../../alarms/is-receiver.ts'
import type { PutMetricAlarmInput } from '../../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

const alarmsOfAScope = 5000

/** Creates an alarm, or replaces the configuration of an existing one, which keeps its state and its tags. */
export async function putMetricAlarm(
  monitoring: Monitoring,
  scope: Scope,
  input: PutMetricAlarmInput,
): Promise<undefined> {
  const { alarms, history } = monitoring.alarms
  const { tags, ...configuration } = readAlarm(input)
  assertReceivers(monitoring, configuration)
  const existing = await alarms.list(scope)
  if (existing.length >= alarmsOfAScope && existing.every(({ name }) => name !== input.AlarmName)) {
    throw new ServiceError('LimitExceededFault', 'The quota for alarms for this customer has already been reached.')
  }
  const nowMs = monitoring.clock.now()
  const id = monitoring.randomness.uuid()
  await monitoring.transact([alarms.key(scope, [input.AlarmName])], ([value]) => {
    const current = alarms.decode(value)
    if (current !== undefined && input.Tags !== undefined && input.Tags.length > 0) {
      throw validationException(
        'Tags can be given only when an alarm is made. Use TagResource to tag an existing alarm.',
      )
    }
    const alarm: Alarm = {
      ...configuration,
      tags: current?.tags ?? tags,
      createdAtMs: current?.createdAtMs ?? nowMs,
      // Two changes within a millisecond are two entries.
      configuredAtMs: Math.max(nowMs, (current?.configuredAtMs ?? 0) + 1),
      state: current?.state ?? initialState(nowMs),
    }
    const item = configurationUpdate(current, alarm, id, nowMs)
    return {
      writes: [alarms.put(scope, [alarm.name], alarm), history.put(scope, historyParts(item), item)],
      answer: undefined,
    }
  })
  return undefined
}

function assertReceivers({ notifier }: Monitoring, alarm: Omit<AlarmConfiguration, 'tags'>): void {
  for (const action of [...alarm.okActions, ...alarm.alarmActions, ...alarm.insufficientDataActions]) {
    const refusal = isReceiver(action) ? notifier?.refusalOf(action) : undefined
    if (refusal !== undefined) throw validationException(`The action ${action} would not be called: ${refusal}`)
  }
}
