import { ServiceError } from '@hashrange/core'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import type { Alarm } from './alarm-records.ts'

export async function requireAlarms(
  engine: Engine,
  scope: Scope,
  names: readonly string[],
): Promise<readonly Alarm[]> {
  const found = await Promise.all(
    [...new Set(names)].map(async (name) => ({
      name,
      alarm: name.includes('\0') ? undefined : await engine.alarms.alarms.get(scope, [name]),
    })),
  )
  const missing = found.filter(({ alarm }) => alarm === undefined).map(({ name }) => name)
  if (missing.length > 0) {
    throw new ServiceError('ResourceNotFound', `Alarms [${missing.join(', ')}] do not exist.`)
  }
  return found.flatMap(({ alarm }) => (alarm === undefined ? [] : [alarm]))
}
