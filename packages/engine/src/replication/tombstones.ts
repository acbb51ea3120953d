import type { Table } from '../catalog/table.ts'
import { following } from '../layout/key-bounds.ts'
import { itemKeyOfTombstone, itemStampKey, tombstonesBefore } from '../layout/replication-keys.ts'
import { decodeItemStamp } from '../stamps/item-stamp.ts'
import type { Decision, Key, Range, Write } from '../store/store.ts'
import { breathe, type Stopping } from '../work/background-work.ts'
import { readReceived } from './cursor.ts'
import { otherMembers, otherReplicas } from './members.ts'
import { unsentSince } from './outgoing-changes.ts'
import type { ReplicationHost } from './replication-host.ts'

/** How much longer tombstones are kept than they are needed: for whatever is under way. */
const marginMs = 60 * 60 * 1000
const tombstonesPerTransaction = 200

/** Removes the tombstones that have done their work. A tombstone is needed until every replica has seen the deletion:
 *  only then can no replica still have, and send, an older state of the item. That is so once everything that was
 *  logged in any replica before the tombstone was written has been sent to all others. The cost depends on what is
 *  removed. */
export async function forgetTombstones(engine: ReplicationHost, stopping: Stopping): Promise<void> {
  for (const table of engine.catalog.all()) {
    const { replication } = table.definition
    if (replication === undefined || replication.consistency === 'STRONG') continue
    const { stampsId } = replication
    const beforeMs = (await sentEverywhereUntil(engine, table)) - marginMs
    if (beforeMs <= 0) continue
    let rest: Range | undefined = tombstonesBefore(stampsId, beforeMs)
    while (!stopping.aborted && rest !== undefined) {
      rest = await forgetSome(engine, table, stampsId, rest, beforeMs)
      await breathe()
    }
  }
}

/** The moment in steady time up to which everything has been sent from each replica to each other. Replicas in other
 *  stores have said so themselves, and have acknowledged what was sent from here. */
async function sentEverywhereUntil(engine: ReplicationHost, table: Table): Promise<number> {
  const members = [table, ...otherMembers(engine.catalog, table)]
  const others = otherReplicas(table.definition)
  const elsewhere = others.filter((replica) => replica.elsewhere === true)
  // What is nowhere to be found may lack anything.
  if (members.length + elsewhere.length < others.length + 1) return 0
  const steadyMs = engine.clock.steady()
  return engine.store.view(async (snapshot) => {
    let untilMs = steadyMs
    for (const member of members) {
      for (const { region } of otherReplicas(member.definition)) {
        untilMs = Math.min(untilMs, await unsentSince(snapshot, member.definition, region))
      }
      for (const { region } of elsewhere) {
        const { sentUntilMs = 0 } = (await readReceived(snapshot, member.id, region)) ?? {}
        untilMs = Math.min(untilMs, sentUntilMs)
      }
    }
    return untilMs
  })
}

/** The stamp is read again: the item may have been written since, which has moved or removed the tombstone. Returns what
 *  is left to be looked at.
 *
 *  A deletion that is dated ahead of this store's clock stays, because a clock is wrong, or was. Without the tombstone,
 *  the next write of the item would be dated before the deletion, and replicas that still have theirs would reject it. */
async function forgetSome(
  engine: ReplicationHost,
  table: Table,
  stampsId: number,
  range: Range,
  beforeSteadyMs: number,
): Promise<Range | undefined> {
  const tombstones: Key[] = []
  await engine.store.view((snapshot) =>
    snapshot.range(
      { ...range, limit: tombstonesPerTransaction },
      (key) => tombstones.push(key) < tombstonesPerTransaction,
    ),
  )
  const last = tombstones.at(-1)
  if (last === undefined) return undefined
  const beforeMicros = (engine.clock.settled() - marginMs) * 1000
  const stampKeys = tombstones.map((key) => itemStampKey(stampsId, itemKeyOfTombstone(table.id, key)))
  await engine.store.transact(stampKeys, (values): Decision<void> => {
    const writes = tombstones.flatMap((key, position): Write[] => {
      const stampKey = stampKeys[position]
      const value = values[position]
      const { stamp, tombstone } = value === undefined ? {} : decodeItemStamp(value)
      if (stamp !== undefined && stamp.micros > beforeMicros) return []
      const removed: Write[] = [{ kind: 'delete', key }]
      if (stampKey !== undefined && tombstone !== undefined && tombstone.atSteadyMs < beforeSteadyMs) {
        removed.push({ kind: 'delete', key: stampKey })
      }
      return removed
    })
    return { writes, answer: undefined }
  })
  return { ...range, from: following(last) }
}
