import { historyParts } from '../../alarms/alarm-records.ts'
import { configurationUpdate } from '../../alarms/change-state.ts'
import type { AlarmNamesInput } from '../../api/cloudwatch-inputs.ts'
import { requireAlarms } from '../../alarms/require-alarms.ts'
import type { Engine } from '../../engine.ts'
import type { Scope } from '../../scope.ts'

/** All of them or, if one is missing, none. */
export async function deleteAlarms(engine: Engine, scope: Scope, input: AlarmNamesInput): Promise<undefined> {
  const { alarms, history } = engine.alarms
  const nowMs = engine.clock.now()
  const found = await requireAlarms(engine, scope, input.AlarmNames)
  const items = found.map((alarm) => configurationUpdate(alarm, undefined, engine.randomness.uuid(), nowMs))
  await engine.store.transact([], () => ({
    writes: [
      ...found.map(({ name }) => alarms.delete(scope, [name])),
      ...items.map((item) => history.put(scope, historyParts(item), item)),
    ],
    answer: undefined,
  }))
  return undefined
}
