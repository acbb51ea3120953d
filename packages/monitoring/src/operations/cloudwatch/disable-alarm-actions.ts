import type { Scope } from '@hashrange/engine'
import { switchActions } from '../../alarms/switch-actions.ts'
import type { AlarmNamesInput } from '../../api/cloudwatch-inputs.ts'
import type { Monitoring } from '../../monitoring.ts'

export function disableAlarmActions(
  monitoring: Monitoring,
  scope: Scope,
  input: AlarmNamesInput,
): Promise<undefined> {
  return switchActions(monitoring, scope, input.AlarmNames, false)
}
