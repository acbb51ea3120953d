import type { Table } from '../catalog/table.ts'
import { destinations, memberIn } from './members.ts'
import { countUnsent } from './outgoing-changes.ts'
import { missedWrites } from '../layout/replication-keys.ts'
import type { Snapshot } from '../store/store.ts'
import type { RegionCondition } from '../strong/region-conditions.ts'
import { strongRegions } from '../strong/strong-replicas.ts'
import type { ReplicationHost } from './replication-host.ts'

/** How replication stands. */
export interface ReplicationReport {
  /** The regions that are isolated, slow or down on purpose. */
  readonly regions: Readonly<Record<string, RegionCondition>>
  readonly links: readonly LinkReport[]
  /** The regions that tables, replicas and witnesses are in. A name that is not among them may be a mistake. */
  readonly regionsInUse: readonly string[]
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
  const regionsInUse = new Set<string>()
  for (const source of engine.catalog.all()) {
    const { accountId, tableName, region: from, replication } = source.definition
    regionsInUse.add(from)
    if (replication === undefined) continue
    for (const region of strongRegions(replication)) regionsInUse.add(region)
    for (const to of destinations(engine.catalog, source)) {
      const target = memberIn(engine.catalog, source, to)
      const known = target && engine.unsent.of(source, target)
      const { count, sinceSteadyMs } =
        known ??
        (await engine.store.view((snapshot) =>
          target !== undefined && replication.consistency === 'STRONG'
            ? countMissed(snapshot, target, steadyMs)
            : countUnsent(snapshot, source.definition, to),
        ))
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
  return { regions: engine.regions.conditions, links, regionsInUse: [...regionsInUse].toSorted() }
}

/** With strong consistency, a replica that was cut off is told by all others what it has missed. */
async function countMissed(
  snapshot: Snapshot,
  { definition }: Table,
  steadyMs: number,
): Promise<{ readonly count: number; readonly sinceSteadyMs: number }> {
  let count = 0
  const range = missedWrites(definition.replication?.stampsId ?? 0)
  await snapshot.range({ ...range, limit: mostCounted }, () => ++count < mostCounted)
  return { count, sinceSteadyMs: steadyMs }
}

const mostCounted = 10_000
