import { setTimeout as pause } from 'node:timers/promises'
import { currentEntries, storedPages } from '../backups/stored-pages.ts'
import { unlessNotFound } from '../catalog/catalog-errors.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import { strongly } from '../strong/strong-replicas.ts'
import { breathe } from '../work/background-work.ts'
import type { Lease } from '../work/leases.ts'
import { applyChanges } from './apply-changes.ts'
import { cursorEnd, receivedEnd } from './cursor.ts'
import { deletedIn, withStamps } from './fill-replica.ts'
import { fillsAnother, memberIn, otherMembers, replicaIn, withoutReplica } from './members.ts'
import type { ReplicatedChange } from './replicated-change.ts'
import { rejoinReplica } from './rejoin-replica.ts'
import { sendChanges } from './replicate.ts'
import type { ReplicationHost } from './replication-host.ts'

/** Removes a replica from its global table, and deletes its table. What it has still to send is sent first, as far as
 *  the others can be reached. Each step can be repeated. `member` is any of the others. `drop` deletes the table. */
export async function removeReplica(
  engine: ReplicationHost,
  member: Table,
  region: string,
  lease: Lease,
  drop: (leaving: Table) => Promise<unknown> = (leaving) => engine.catalog.drop(leaving),
): Promise<void> {
  await engine.refresh()
  const leaving = memberIn(engine.catalog, member, region)
  const remaining = [member, ...otherMembers(engine.catalog, member)].filter((one) => one !== leaving)
  if (strongly(member.definition) !== undefined) return removeStrongReplica(engine, member, leaving, region, lease)
  if (leaving !== undefined) {
    await refuseWrites(engine, leaving, lease)
    if (lease.aborted) return
    for (const other of remaining) await sendChanges(engine, leaving, other, lease)
    if (lease.aborted) return
    const ends = remaining.map((other) => cursorEnd(leaving.id, other.definition.region))
    await lease.transact([], () => ({ writes: ends, answer: undefined }))
    await drop(leaving)
    engine.capacity.meters.forget(leaving.id)
  }
  await adoptWrites(engine, remaining, region, lease)
  if (lease.aborted) return
  const { globalTableId } = member.definition.replication ?? {}
  for (const other of remaining) if (other !== member) await forget(engine, other, region, lease)
  // Whatever was made meanwhile may have been told of it by one of them.
  await engine.refresh()
  for (const other of engine.catalog.all()) {
    const { definition } = other
    if (other === member || definition.replication?.globalTableId !== globalTableId) continue
    const listed = replicaIn(definition, region)
    const isAskedForAgain = listed?.status === 'CREATING' && listed.filledFrom === definition.region
    if (listed !== undefined && !isAskedForAgain) await forget(engine, other, region, lease)
  }
  // The last is the one whose definition says that there is something to be done.
  await forget(engine, member, region, lease)
  engine.unsent.forgetAll()
  engine.purge()
}

/** Others may be removed at the same time. */
async function forget(engine: ReplicationHost, table: Table, region: string, lease: Lease): Promise<void> {
  await unlessNotFound(
    engine.catalog.change(
      table,
      (definition) => withoutReplica(definition, region),
      lease,
      () => [cursorEnd(table.id, region), receivedEnd(table.id, region)],
    ),
  )
}

/** A write that is accepted after the last change was sent would be lost with the table. It may just have been asked to
 *  fill another replica, which nobody else would: that is completed first. */
async function refuseWrites(engine: ReplicationHost, leaving: Table, lease: Lease): Promise<void> {
  const isFilling = (definition: TableDefinition): boolean => fillsAnother(definition, engine.regionsElsewhere)
  const asDeleting = (definition: TableDefinition): TableDefinition =>
    isFilling(definition) ? definition : { ...definition, status: 'DELETING' }
  while (!lease.aborted && !leaving.isDropped) {
    if (!isFilling(leaving.definition)) {
      const { status } = await engine.catalog.change(leaving, asDeleting, lease)
      if (status === 'DELETING') return
    }
    await pause(fillingMs)
    await engine.refresh()
  }
}

/** How often a replica that is to be removed looks whether it still fills another one. */
const fillingMs = 100

/** What remains has everything first. It is waited for if it is cut off: the work is taken up again. */
async function removeStrongReplica(
  engine: ReplicationHost,
  member: Table,
  leaving: Table | undefined,
  region: string,
  lease: Lease,
): Promise<void> {
  if (!(await rejoinReplica(engine, member, lease, lease))) return
  if (leaving !== undefined) {
    await engine.catalog.drop(leaving)
    engine.capacity.meters.forget(leaving.id)
  }
  await engine.catalog.change(member, (definition) => withoutReplica(definition, region), lease)
  engine.purge()
}

/** A write of a region that is gone may have reached only some of the others, and nobody is left to send it. */
async function adoptWrites(
  engine: ReplicationHost,
  remaining: readonly Table[],
  region: string,
  lease: Lease,
): Promise<void> {
  if (remaining.length < 2) return
  for (const holder of remaining) {
    for await (const changes of writesOf(engine, holder, region)) {
      if (lease.aborted) return
      for (const other of changes.length === 0 ? [] : remaining) {
        if (other !== holder) await unlessNotFound(applyChanges(engine, other, changes, { through: lease }))
      }
      await breathe()
    }
  }
}

/** What a replica has from another region: items, and what was deleted. */
async function* writesOf(
  { store }: ReplicationHost,
  table: Table,
  region: string,
): AsyncGenerator<readonly ReplicatedChange[]> {
  const stampsId = table.definition.replication?.stampsId
  if (stampsId === undefined) return
  const fromThere = (changes: readonly ReplicatedChange[]): readonly ReplicatedChange[] =>
    changes.filter(({ stamp }) => stamp.stamp.region === region)
  for await (const page of storedPages(currentEntries(store), spaceRange(keySpace.tombstone, stampsId))) {
    yield fromThere(await deletedIn(store, table, page))
  }
  for await (const page of storedPages(currentEntries(store), spaceRange(keySpace.item, table.id))) {
    yield fromThere(await withStamps(store, table, page))
  }
}
