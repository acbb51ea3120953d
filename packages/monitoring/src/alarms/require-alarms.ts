import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { Alarm } from '../records/alarm-records.ts'
import type { Monitoring } from '../monitoring.ts'

export async function requireAlarms(
  monitoring: Monitoring,
  scope: Scope,
  names: readonly string[],
): Promise<readonly Alarm[]> {
  const found = await Promise.all(
    [...new Set(names)].map(async (name) => ({
      name,
      alarm: name.includes('\0') ? undefined : await monitoring.alarms.alarms.get(scope, [name]),
    })),
  )
  const missing = found.filter(({ alarm }) => alarm === undefined).map(({ name }) => name)
  if (missing.length > 0) {
    throw new ServiceError('ResourceNotFound', `Alarms [${missing.join(', ')}] do not exist.`)
  }
  return found.flatMap(({ alarm }) => (alarm === undefined ? [] : [alarm]))
}
