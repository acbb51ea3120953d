import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import type { ReplicaDefinition, TableDefinition } from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'

/** The other replicas of a global table that are in this store. */
export function otherMembers(catalog: Catalog, table: Table): readonly Table[] {
  const { replication, region } = table.definition
  return (replication?.replicas ?? []).flatMap((replica) =>
    replica.region === region ? [] : (memberIn(catalog, table, replica.region) ?? []),
  )
}

/** The other replicas whose settings follow those of a table. In version 2017.11.29, each has its own. */
export function membersInStep(catalog: Catalog, table: Table): readonly Table[] {
  return table.definition.replication?.version === '2019.11.21' ? otherMembers(catalog, table) : []
}

/** The replica in a region, if it is in this store. A table there that only has the same name is not one. */
export function memberIn(catalog: Catalog, { definition }: Table, region: string): Table | undefined {
  const { accountId, tableName, replication } = definition
  const member = catalog.find({ accountId, region }, tableName)
  const isMember = member?.definition.replication?.globalTableId === replication?.globalTableId
  return member !== undefined && replication !== undefined && isMember ? member : undefined
}

export function scopeOf({ definition: { accountId, region } }: Table): Scope {
  return { accountId, region }
}

export function replicaIn({ replication }: TableDefinition, region: string): ReplicaDefinition | undefined {
  return replication?.replicas.find((replica) => replica.region === region)
}

/** All replicas but this one, in whatever store they are. */
export function otherReplicas({ replication, region }: TableDefinition): readonly ReplicaDefinition[] {
  return (replication?.replicas ?? []).filter((replica) => replica.region !== region)
}

/** Whether another replica is being filled from this one. If it is in another store, it counts as long as a link leads there. */
export function fillsAnother(definition: TableDefinition, regionsElsewhere: ReadonlySet<string>): boolean {
  return otherReplicas(definition).some(
    ({ region, status, filledFrom, elsewhere }) =>
      status === 'CREATING' &&
      filledFrom === definition.region &&
      (elsewhere !== true || regionsElsewhere.has(region)),
  )
}

/** The regions to which a replica sends what is written to it: those of this store, and those that links lead to. */
export function destinations(catalog: Catalog, table: Table): readonly string[] {
  return otherReplicas(table.definition)
    .filter(({ region, elsewhere }) => elsewhere === true || memberIn(catalog, table, region) !== undefined)
    .map(({ region }) => region)
}

/** A definition in which one replica is described differently, or joins. */
export function withReplica(definition: TableDefinition, replica: ReplicaDefinition): TableDefinition {
  const { replication } = definition
  if (replication === undefined) return definition
  const isKnown = replication.replicas.some(({ region }) => region === replica.region)
  const replicas = isKnown
    ? replication.replicas.map((known) => (known.region === replica.region ? replica : known))
    : [...replication.replicas, replica]
  return withStatus({ ...definition, replication: { ...replication, replicas } })
}

/** A replica that has everything is ACTIVE for all of them at once. */
export function withActive(definition: TableDefinition, region: string): TableDefinition {
  const { filledFrom: _, ...replica } = replicaIn(definition, region) ?? { region }
  const active: ReplicaDefinition = { ...replica, status: 'ACTIVE' }
  return withReplica(definition.region === region ? { ...definition, status: 'ACTIVE' } : definition, active)
}

/** Whoever is left alone is no global table any more. Its stamps go with its definition of replication. */
export function withoutReplica(definition: TableDefinition, region: string): TableDefinition {
  const { replication, ...rest } = definition
  if (replication === undefined) return definition
  const replicas = replication.replicas.filter((replica) => replica.region !== region)
  return withStatus(replicas.length < 2 ? rest : { ...rest, replication: { ...replication, replicas } })
}

/** A table is being updated as long as other replicas come and go, and indexes are being built. */
export function withStatus(definition: TableDefinition): TableDefinition {
  const { status, globalIndexes, replication } = definition
  if (status === 'CREATING' || status === 'DELETING') return definition
  const isBuilding = globalIndexes.some((index) => index.status === 'CREATING')
  const isJoining = (replication?.replicas ?? []).some((replica) => replica.status !== 'ACTIVE')
  return { ...definition, status: isBuilding || isJoining ? 'UPDATING' : 'ACTIVE' }
}
