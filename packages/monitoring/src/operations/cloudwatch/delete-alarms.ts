import { historyParts } from '../../records/alarm-records.ts'
import { configurationUpdate } from '../../alarms/configuration-update.ts'
import type { AlarmNamesInput } from '../../api/cloudwatch-inputs.ts'
import { requireAlarms } from '../../alarms/require-alarms.ts'
import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

/** All of them or, if one is missing, none. */
export async function deleteAlarms(
  monitoring: Monitoring,
  scope: Scope,
  input: AlarmNamesInput,
): Promise<undefined> {
  const { alarms, history } = monitoring.alarms
  const nowMs = monitoring.clock.now()
  const found = await requireAlarms(monitoring, scope, input.AlarmNames)
  const items = found.map((alarm) => configurationUpdate(alarm, undefined, monitoring.randomness.uuid(), nowMs))
  await monitoring.transact([], () => ({
    writes: [
      ...found.map(({ name }) => alarms.delete(scope, [name])),
      ...items.map((item) => history.put(scope, historyParts(item), item)),
    ],
    answer: undefined,
  }))
  return undefined
}
