import { ServiceError } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { breathe, type Stopping } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import { applyChanges, type AppliedChanges } from './apply-changes.ts'
import { forgetOldConflicts } from './conflicts.ts'
import { cursorWrite } from './cursor.ts'
import { otherMembers } from './members.ts'
import { countUnsent, readOutgoing, unsentSince, type OutgoingPage } from './outgoing-changes.ts'
import type { ReplicationHost } from './replication-host.ts'

/** Sends what has been written in each replica to the others, as far as their regions can be reached. Returns how many
 *  entries of change logs were sent. */
export async function replicateAll(engine: ReplicationHost, lease: Lease): Promise<number> {
  const sent = await Promise.all(
    [...pairs(engine)].map(([source, target]) => sendChanges(engine, source, target, lease)),
  )
  return sent.reduce((sum, entries) => sum + entries, 0)
}

/** Each replica, with each of the others that are in this store. */
function* pairs(engine: ReplicationHost): Iterable<readonly [source: Table, target: Table]> {
  for (const source of engine.catalog.all()) {
    if (source.definition.replication === undefined) continue
    for (const target of otherMembers(engine.catalog, source)) yield [source, target]
  }
}

/** Counts what must still be sent, once a minute. */
export async function countPending(engine: ReplicationHost): Promise<void> {
  for (const [source, target] of pairs(engine)) {
    const { region } = target.definition
    const { count } = await engine.store.view((snapshot) => countUnsent(snapshot, source.definition, region))
    engine.capacity.hasToReplicate(source, region, count)
  }
}

/** Whether anything must be sent: looking is cheaper than taking a lease. */
export async function hasUnsent(engine: ReplicationHost): Promise<boolean> {
  const all = [...pairs(engine)]
  if (all.length === 0) return false
  return engine.store.view(async (snapshot) => {
    const steadyMs = engine.clock.steady()
    for (const [source, target] of all) {
      const link = engine.regions.linkBetween(source.definition.region, target.definition.region)
      if (link.isCut) continue
      const sinceMs = await unsentSince(snapshot, source.definition, target.definition.region)
      if (sinceMs > 0 && sinceMs < (link.lagMs === 0 ? Infinity : steadyMs - link.lagMs)) return true
    }
    return false
  })
}

/** Sends everything that a replica must still send to another. */
export async function sendChanges(
  engine: ReplicationHost,
  source: Table,
  target: Table,
  lease: Lease & Stopping,
): Promise<number> {
  const toRegion = target.definition.region
  let sent = 0
  while (!lease.aborted) {
    const { isCut, lagMs } = engine.regions.linkBetween(source.definition.region, toRegion)
    if (isCut) break
    const untilSteadyMs = lagMs === 0 ? Infinity : engine.clock.steady() - lagMs
    const page = await readOutgoing(engine.store, source, toRegion, untilSteadyMs)
    if (page === undefined || page.entries === 0) break
    const beside = [cursorWrite(source.id, toRegion, page.cursor)]
    const applied = await unlessGone(applyChanges(engine, target, page.changes, { through: lease, beside }))
    if (applied === undefined) break
    charge(engine, source, target, page, applied)
    if (applied.conflicts > 0) await forgetOldConflicts(engine.store, target)
    sent += page.entries
    if (page.isLast) break
    await breathe()
  }
  return sent
}

/** A replicated write costs the replica that it reaches as much as a write of its own. */
function charge(
  { capacity, clock }: ReplicationHost,
  source: Table,
  target: Table,
  { oldestAtMs }: OutgoingPage,
  { writes }: AppliedChanges,
): void {
  for (const { key, units, owner, indexWrites } of writes) capacity.didWrite(target, key, units, owner, indexWrites)
  if (writes.length === 0 || oldestAtMs === undefined) return
  capacity.didReplicate(source, target.definition.region, clock.now() - oldestAtMs)
}

/** A replica may be removed at any time: then there is nothing left to send to it. */
async function unlessGone<T>(applied: Promise<T>): Promise<T | undefined> {
  try {
    return await applied
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'ResourceNotFoundException') return undefined
    throw error
  }
}
