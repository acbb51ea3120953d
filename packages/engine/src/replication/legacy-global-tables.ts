import { ServiceError, validationException } from '@hashrange/core'
import type { Catalog } from '../catalog/catalog.ts'
import { countsOf } from '../catalog/counts.ts'
import type { Table } from '../catalog/table.ts'
import type { ReplicaDefinition, TableDefinition } from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'
import type { Write } from '../store/store.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'
import { seconds } from '../tables/describe-table.ts'
import { cursorEnd, cursorWrite } from './cursor.ts'
import { otherMembers, withoutReplica } from './members.ts'
import type { ReplicationHost } from './replication-host.ts'

/** `GlobalTableDescription` on the wire. */
export type GlobalTableDescription = Readonly<Record<string, unknown>>

/** Global tables of version 2017.11.29 consist of tables that exist already, and are empty. A replica that leaves stays
 *  a table. Otherwise they replicate like those of version 2019.11.21. */
export async function joinTables(
  engine: ReplicationHost,
  scope: Scope,
  name: string,
  regions: readonly string[],
): Promise<readonly Table[]> {
  const elsewhere = regions.find((region) => engine.regionsElsewhere.has(region))
  if (elsewhere !== undefined) {
    throw validationException(
      `Global tables of version 2017.11.29 are not replicated between servers, and ${elsewhere} is on another server. Use UpdateTable with ReplicaUpdates instead.`,
    )
  }
  const tables = regions.map((region) => requireReplica(engine.catalog, { ...scope, region }, name))
  for (const table of tables) await assertMayJoin(engine, table, tables[0] ?? table)
  const globalTableId =
    tables.find(({ definition }) => definition.replication !== undefined)?.definition.replication?.globalTableId ??
    engine.randomness.uuid()
  const replicas = tables.map(({ definition }): ReplicaDefinition => ({
    region: definition.region,
    status: 'ACTIVE',
  }))
  const begun: Write[] = tables.flatMap((table) =>
    regions
      .filter((region) => region !== table.definition.region)
      .map((region) => cursorWrite(table.id, region, { positions: {} })),
  )
  const stampsIds = new Map<number, number>()
  for (const { id, definition } of tables) {
    stampsIds.set(id, definition.replication?.stampsId ?? (await engine.catalog.allocateId()))
  }
  // All of them or none: one that did not know the others would send them nothing.
  await engine.catalog.changeTogether(
    tables,
    (definition) => {
      const stampsId = stampsIds.get(definition.tableId) ?? 0
      const replication = { globalTableId, version: '2017.11.29', stampsId, replicas } as const
      return { definition: { ...definition, replication }, answer: undefined }
    },
    { beside: () => begun },
  )
  return tables
}

/** A replica that leaves is a table of its own afterwards. */
export async function partTables(engine: ReplicationHost, member: Table, region: string): Promise<void> {
  const members = [member, ...otherMembers(engine.catalog, member)]
  const ends = members.flatMap((table) =>
    members
      .filter((other) => other !== table)
      .map((other) => other.definition.region)
      .filter((other) => other === region || table.definition.region === region)
      .map((other) => cursorEnd(table.id, other)),
  )
  await engine.catalog.changeTogether(
    members,
    (definition) => ({
      definition:
        definition.region === region ? withoutReplication(definition) : withoutReplica(definition, region),
      answer: undefined,
    }),
    { beside: () => ends },
  )
  engine.purge()
}

function withoutReplication(definition: TableDefinition): TableDefinition {
  const { replication: _, ...rest } = definition
  return rest
}

/** The global table of a name, as one of its replicas knows it. It is the same in all regions of an account. */
export function requireGlobalTable(catalog: Catalog, scope: Scope, name: string): Table {
  const found = legacyTables(catalog, scope).find((table) => table.name === name)
  if (found !== undefined) return found
  throw new ServiceError(
    'GlobalTableNotFoundException',
    `Global table not found: Global table with name: '${name}' does not exist.`,
  )
}

/** One replica of each global table of an account, by name. */
export function legacyTables(catalog: Catalog, { accountId }: Scope): readonly Table[] {
  const byName = new Map<string, Table>()
  for (const table of catalog.all()) {
    if (table.definition.accountId !== accountId || byName.has(table.name)) continue
    if (table.definition.replication?.version === '2017.11.29') byName.set(table.name, table)
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export function describeGlobalTable(
  { definition }: Table,
  status: 'CREATING' | 'ACTIVE' | 'UPDATING' = 'ACTIVE',
): GlobalTableDescription {
  const { accountId, tableName, createdAtMs, replication } = definition
  return {
    CreationDateTime: seconds(createdAtMs),
    GlobalTableArn: `arn:aws:dynamodb::${accountId}:global-table/${tableName}`,
    GlobalTableName: tableName,
    GlobalTableStatus: status,
    ReplicationGroup: (replication?.replicas ?? []).map(({ region, status: ReplicaStatus }) => ({
      RegionName: region,
      ReplicaStatus,
    })),
  }
}

function requireReplica(catalog: Catalog, scope: Scope, name: string): Table {
  const table = catalog.find(scope, name)
  if (table !== undefined) return table
  // The words are the service's: hashicorp/terraform-provider-aws issue 11982 quotes them.
  throw new ServiceError(
    'TableNotFoundException',
    `Table not found: Table: '${name}' not found in region: '${scope.region}'.`,
  )
}

async function assertMayJoin({ store }: ReplicationHost, table: Table, first: Table): Promise<void> {
  const { stream, tableName, region, keySchema, billing, globalIndexes } = table.definition
  if (stream?.enabled !== true || stream.viewType !== 'NEW_AND_OLD_IMAGES') {
    throw invalidParameter(
      `Table ${tableName} in region ${region} must have DynamoDB Streams enabled with the view type NEW_AND_OLD_IMAGES`,
    )
  }
  const { items } = await countsOf(store, table.id)
  if (items > 0) throw invalidParameter(`Table ${tableName} in region ${region} must be empty`)
  const other = first.definition
  const isAlike =
    JSON.stringify(keySchema) === JSON.stringify(other.keySchema) &&
    billing.mode === other.billing.mode &&
    billing.throughput.writeUnits === other.billing.throughput.writeUnits &&
    JSON.stringify(globalIndexes.map(({ indexName }) => indexName).toSorted()) ===
      JSON.stringify(other.globalIndexes.map(({ indexName }) => indexName).toSorted())
  if (isAlike) return
  throw validationException(
    `One or more parameter values were invalid: Table ${tableName} in region ${region} must have the same keys, write capacity settings and global secondary indexes as the other replicas`,
  )
}
