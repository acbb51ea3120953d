import { Mistake } from '../../mistake.ts'
import type { ConnectionSettings } from '../../connection-flags.ts'
import { connectionAt, ConnectionMistake, readConnection } from './connection.ts'
import type { DeclaredConnection } from '../../config/declared-connection.ts'

type Configured = Readonly<Record<string, string | DeclaredConnection>>

/** What flags and the configuration file declare. What cannot be is a Mistake, before anything is opened. */
export function declaredConnections(
  { connections = [] }: ConnectionSettings,
  configured: Configured = {},
): Readonly<Record<string, DeclaredConnection>> {
  const declared: Record<string, DeclaredConnection> = {}
  for (const [name, place] of [
    ...Object.entries(configured),
    ...connections.map(({ name, place }) => [name, place] as const),
  ]) {
    declared[name] = typeof place === 'string' ? connectionAt(place) : place
    try {
      readConnection(name, declared[name])
    } catch (error) {
      throw error instanceof ConnectionMistake ? new Mistake(error.message) : error
    }
  }
  return declared
}
