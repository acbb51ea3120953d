import { createHash } from 'node:crypto'
import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import { otherReplicas, replicaIn } from '../replication/members.ts'
import { unsentSince } from '../replication/outgoing-changes.ts'
import type { TableView } from './link-messages.ts'
import type { LinkHost } from './link-host.ts'
import { settingsOf } from './table-settings.ts'

/** The replicas in this store whose global tables have one in `region`, in another store. */
export function linkedTables(catalog: Catalog, region: string): readonly Table[] {
  return [...catalog.all()].filter(({ definition }) => replicaIn(definition, region)?.elsewhere === true)
}

/** The replica of a global table in a region, if it is in this store. */
export function linkedTable(catalog: Catalog, id: string, region: string): Table | undefined {
  for (const table of catalog.all()) {
    const { definition } = table
    if (definition.replication?.globalTableId === id && definition.region === region) return table
  }
  return undefined
}

/** Changes whenever one of the tables does. */
export function fingerprintOf(tables: readonly Table[]): string {
  const versions = tables.map(({ id, version }) => `${id}:${version}`).join(' ')
  return createHash('sha256').update(versions).digest('hex').slice(0, 16)
}

/** What this store says about its replicas. */
export function viewsOf(engine: LinkHost, tables: readonly Table[]): Promise<readonly TableView[]> {
  return Promise.all(tables.map((table) => viewOf(engine, table)))
}

async function viewOf(engine: LinkHost, table: Table): Promise<TableView> {
  const { definition } = table
  const { accountId, tableName, region, replication, timeToLive, deletionProtection } = definition
  if (replication === undefined) throw new Error('a linked table is a replica')
  const steadyMs = engine.clock.steady()
  const untilMs = await engine.store.view(async (snapshot) => {
    let sinceMs = steadyMs
    for (const other of otherReplicas(definition)) {
      sinceMs = Math.min(sinceMs, await unsentSince(snapshot, definition, other.region))
    }
    return sinceMs
  })
  return {
    id: replication.globalTableId,
    accountId,
    tableName,
    region,
    isProtected: deletionProtection,
    replicas: replication.replicas.map(({ region: name, status, filledFrom, joinedAtMs, overrides }) => ({
      region: name,
      status,
      ...(filledFrom !== undefined && { filledFrom }),
      ...(joinedAtMs !== undefined && { joinedAtMs }),
      ...(overrides !== undefined && { overrides }),
    })),
    settings: settingsOf(definition),
    timeToLive: timeToLive?.attributeName,
    settingsAt: replication.settingsAt,
    sentAgeMs: Math.max(0, Math.ceil(steadyMs - untilMs)),
  }
}
