import { ServiceError } from '@hashrange/core'
import type { Scope, TableDefinition } from '@hashrange/engine'
import type { Monitoring } from '../monitoring.ts'

/** The replicas of a global table of version 2017.11.29. The region of the request must have one. */
export function legacyReplicas(
  monitoring: Monitoring,
  { accountId, region }: Scope,
  name: string,
): readonly TableDefinition[] {
  const own = monitoring.definitionOf({ accountId, region }, name)
  if (own?.replication?.version !== '2017.11.29') {
    throw new ServiceError('GlobalTableNotFoundException', `Global table with name: '${name}' does not exist.`)
  }
  return replicasOf(monitoring, own)
}

/** All replicas of a global table that are in this store; the table itself if it has none. */
export function replicasOf(monitoring: Monitoring, definition: TableDefinition): readonly TableDefinition[] {
  const { accountId, tableName, replication } = definition
  if (replication === undefined) return [definition]
  return replication.replicas.flatMap(
    (replica) => monitoring.definitionOf({ accountId, region: replica.region }, tableName) ?? [],
  )
}
