import { ServiceError } from '@hashrange/core'
import { changeState } from '../../evaluation/change-state.ts'
import type { SetAlarmStateInput } from '../../api/cloudwatch-inputs.ts'
import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

/** For testing what an alarm triggers: the next evaluation corrects the state. */
export async function setAlarmState(
  monitoring: Monitoring,
  scope: Scope,
  input: SetAlarmStateInput,
): Promise<undefined> {
  const { AlarmName: name, StateValue: value, StateReason: reason, StateReasonData: reasonData } = input
  if (reasonData !== undefined && !isJson(reasonData)) {
    throw new ServiceError('InvalidFormatFault', 'StateReasonData must be valid JSON.')
  }
  const alarm = name.includes('\0') ? undefined : await monitoring.alarms.alarms.get(scope, [name])
  if (alarm === undefined) throw new ServiceError('ResourceNotFound', `Alarm ${name} does not exist.`)
  await changeState(monitoring, scope, alarm, { value, reason, ...(reasonData !== undefined && { reasonData }) })
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
