import type { Scope } from '@hashrange/engine'
import type { Monitoring } from '../monitoring.ts'
import { requireAlarms } from './require-alarms.ts'

/** Turns the actions of alarms on or off. */
export async function switchActions(
  monitoring: Monitoring,
  scope: Scope,
  names: readonly string[],
  actionsEnabled: boolean,
): Promise<undefined> {
  for (const { name } of await requireAlarms(monitoring, scope, names)) {
    await monitoring.alarms.alarms.change(scope, [name], (current) => current && { ...current, actionsEnabled })
  }
  return undefined
}
