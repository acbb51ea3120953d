import { otherMembers } from './members.ts'
import { countUnsent } from './outgoing-changes.ts'
import type { RegionCondition } from './regions.ts'
import type { ReplicationHost } from './replication-host.ts'

/** How replication stands. */
export interface ReplicationReport {
  /** The regions that are isolated, slow or down on purpose. */
  readonly regions: Readonly<Record<string, RegionCondition>>
  readonly links: readonly LinkReport[]
}

/** What one replica must still send to another. */
export interface LinkReport {
  readonly accountId: string
  readonly tableName: string
  readonly from: string
  readonly to: string
  readonly status: 'connected' | 'cut'
  /** Changes that have not been sent; at most 10,000 are counted. */
  readonly pending: number
  /** How long the oldest of them has waited. */
  readonly lagMs: number
}

export async function replicationReport(engine: ReplicationHost): Promise<ReplicationReport> {
  await engine.regions.refresh()
  const steadyMs = engine.clock.steady()
  const links: LinkReport[] = []
  for (const source of engine.catalog.all()) {
    const { accountId, tableName, region: from, replication } = source.definition
    if (replication === undefined) continue
    for (const target of otherMembers(engine.catalog, source)) {
      const { region: to } = target.definition
      const { count, sinceSteadyMs } = await engine.store.view((snapshot) =>
        countUnsent(snapshot, source.definition, to),
      )
      links.push({
        accountId,
        tableName,
        from,
        to,
        status: engine.regions.linkBetween(from, to).isCut ? 'cut' : 'connected',
        pending: count,
        lagMs: count === 0 ? 0 : Math.max(0, steadyMs - sinceSteadyMs),
      })
    }
  }
  return { regions: engine.regions.conditions, links }
}
