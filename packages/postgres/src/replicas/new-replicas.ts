import { StorageError } from '@hashrange/engine'
import { Link } from '../connection/link.ts'
import type { Settings } from '../options.ts'
import type { Dialect } from '../reads/found.ts'
import { allStatements } from '../schema/statements.ts'
import { Replica, replayed } from './replica.ts'
import { Replicas } from './replicas.ts'

/** Those that the settings name, if they name any. `written` says how far the log of the primary is. */
export function newReplicas(
  settings: Settings,
  dialect: Dialect,
  session: Readonly<Record<string, string>>,
  written: () => Promise<bigint>,
): Replicas | undefined {
  const { maxReplicaLagMs: maxLagMs, timeoutMs, poolSize } = settings
  if (settings.replicas.length === 0) return undefined
  if (dialect.distributed) {
    throw new StorageError('io', 'read_replicas in the URL of the store are for PostgreSQL without Citus.')
  }
  const statements = [...allStatements(dialect.statements, false), replayed]
  const replicas = settings.replicas.map(({ name, connect }) => {
    const open = (): Promise<Link> => Link.open({ connect, settings: session, statements, answerMs: timeoutMs })
    return new Replica({ name, open, dialect, poolSize: Math.max(2, poolSize - 2), maxLagMs })
  })
  return new Replicas({ replicas, maxLagMs, written })
}
