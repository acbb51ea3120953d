import type { Engine } from '@hashrange/engine'
import type { GlobalTable, RegionsAnswer, RegionState } from '@hashrange/workbench/answers'
import { linkStateText, type LinkStatus } from '../../regions/link-status.ts'
import type { IsVisible } from './is-visible.ts'

/** The global tables of an account that whoever asks may have described, and their regions. */
export async function regionsState(
  engine: Engine,
  accountId: string,
  isVisible: IsVisible,
  servers?: readonly LinkStatus[],
): Promise<RegionsAnswer> {
  const { links, regions: conditions } = await engine.replicationReport()
  const tables = new Map<
    string,
    { replicas: GlobalTable['replicas'][number][]; links: GlobalTable['links'][number][] }
  >()
  const tableOf = (tableName: string) => {
    const known = tables.get(tableName) ?? { replicas: [], links: [] }
    tables.set(tableName, known)
    return known
  }
  for (const { definition } of engine.catalog.all()) {
    const { tableName, region, status, replication } = definition
    if (replication === undefined || definition.accountId !== accountId) continue
    if (!isVisible(region, 'DescribeTable', tableName)) continue
    const { replicas } = tableOf(tableName)
    replicas.push({ region, status })
    for (const other of replication.replicas) {
      if (other.elsewhere !== true || replicas.some((known) => known.region === other.region)) continue
      replicas.push({ region: other.region, status: other.status })
    }
  }
  for (const { tableName, from, to, status, pending, lagMs, ...link } of links) {
    if (link.accountId !== accountId || !tables.has(tableName)) continue
    tableOf(tableName).links.push({ from, to, isCut: status === 'cut', pending, lagMs })
  }
  const found = [...tables].map(([tableName, { replicas, links: ofTable }]) => ({
    tableName,
    replicas: replicas.toSorted(byRegion),
    links: ofTable.toSorted((one, other) => (`${one.from} ${one.to}` < `${other.from} ${other.to}` ? -1 : 1)),
  }))
  const names = new Set([
    ...Object.keys(conditions),
    ...found.flatMap(({ replicas }) => replicas.map(({ region }) => region)),
  ])
  return {
    regions: [...names].toSorted().map((name): RegionState => {
      const condition = Object.hasOwn(conditions, name) ? conditions[name] : undefined
      return {
        name,
        isIsolated: condition?.isIsolated === true,
        isDown: condition?.isDown === true,
        lagMs: condition?.lagMs ?? 0,
      }
    }),
    ...(servers !== undefined && {
      servers: servers.map(({ region, url, state, error, clockAheadMs }) => ({
        region,
        url,
        state: linkStateText[state],
        isDown: state === 'down',
        clockAheadMs,
        ...(error !== undefined && { error }),
      })),
    }),
    tables: found.toSorted((one, other) => (one.tableName < other.tableName ? -1 : 1)),
  }
}

function byRegion(one: { readonly region: string }, other: { readonly region: string }): number {
  return one.region < other.region ? -1 : 1
}
