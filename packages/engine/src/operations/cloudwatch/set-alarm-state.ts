import { ServiceError } from '@hashrange/core'
import { changeState } from '../../alarms/change-state.ts'
import type { SetAlarmStateInput } from '../../api/cloudwatch-inputs.ts'
import type { Engine } from '../../engine.ts'
import type { Scope } from '../../scope.ts'

/** For a test of what an alarm sets off: the next evaluation puts it back where it belongs. */
export async function setAlarmState(engine: Engine, scope: Scope, input: SetAlarmStateInput): Promise<undefined> {
  const { AlarmName: name, StateValue: value, StateReason: reason, StateReasonData: reasonData } = input
  if (reasonData !== undefined && !isJson(reasonData)) {
    throw new ServiceError('InvalidFormatFault', 'StateReasonData must be valid JSON.')
  }
  const alarm = name.includes('\0') ? undefined : await engine.alarms.alarms.get(scope, [name])
  if (alarm === undefined) throw new ServiceError('ResourceNotFound', `Alarm ${name} does not exist.`)
  await changeState(engine, scope, alarm, { value, reason, ...(reasonData !== undefined && { reasonData }) })
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
