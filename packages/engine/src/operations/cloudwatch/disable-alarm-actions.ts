import type { AlarmNamesInput } from '../../api/cloudwatch-inputs.ts'
import { requireAlarms } from '../../alarms/require-alarms.ts'
import type { Engine } from '../../engine.ts'
import type { Scope } from '../../scope.ts'

export async function disableAlarmActions(
  engine: Engine,
  scope: Scope,
  input: AlarmNamesInput,
): Promise<undefined> {
  for (const { name } of await requireAlarms(engine, scope, input.AlarmNames)) {
    await engine.alarms.alarms.change(scope, [name], (current) => current && { ...current, actionsEnabled: false })
  }
  return undefined
}
