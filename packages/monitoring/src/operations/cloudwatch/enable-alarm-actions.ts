import type { AlarmNamesInput } from '../../api/cloudwatch-inputs.ts'
import { requireAlarms } from '../../alarms/require-alarms.ts'
import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

export async function enableAlarmActions(
  monitoring: Monitoring,
  scope: Scope,
  input: AlarmNamesInput,
): Promise<undefined> {
  for (const { name } of await requireAlarms(monitoring, scope, input.AlarmNames)) {
    await monitoring.alarms.alarms.change(
      scope,
      [name],
      (current) => current && { ...current, actionsEnabled: true },
    )
  }
  return undefined
}
