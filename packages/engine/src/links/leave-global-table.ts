import { unlessNotFound } from '../catalog/catalog-errors.ts'
import type { Table } from '../catalog/table.ts'
import { dropTable } from '../operations/delete-table.ts'
import { cursorEnd, receivedEnd } from '../replication/cursor.ts'
import { fillsAnother, otherReplicas, replicaIn, withoutReplica, withReplica } from '../replication/members.ts'
import { unsentSince } from '../replication/outgoing-changes.ts'
import type { LinkHost } from './link-host.ts'

/** Remembers that the other replica left before this one. */
export async function noteGone(engine: LinkHost, table: Table, region: string): Promise<void> {
  await engine.catalog.change(table, (definition) => {
    const other = replicaIn(definition, region)
    return other === undefined ? definition : withReplica(definition, { ...other, witness: 'leaves' })
  })
}

/** Deletes the tables whose replica is to be removed, as soon as all others have what was written to it, and know that it
 *  leaves. A region that no link leads to any more is not waited for. */
export async function dropLeaving(engine: LinkHost): Promise<void> {
  for (const table of engine.catalog.all()) {
    const { definition } = table
    const own = replicaIn(definition, definition.region)
    if (own?.status !== 'DELETING') continue
    // It fills another one first: nobody else would.
    if (fillsAnother(definition, engine.regionsElsewhere)) continue
    // A replica that was not filled yet has nothing of its own.
    const isComplete = own.filledFrom === undefined
    const others = otherReplicas(definition).filter(
      ({ region, elsewhere, status, witness }) =>
        elsewhere === true &&
        // One that is being filled may be beyond what has just been written here: it asks for that when it is ACTIVE.
        (status === 'CREATING' ? isComplete : witness !== 'leaves') &&
        engine.regionsElsewhere.has(region),
    )
    // One that was to be removed must have heard of it: nobody else would tell it.
    if (others.some(({ status, witness }) => status === 'DELETING' || witness === undefined)) continue
    const unsent = await engine.store.view(async (snapshot) => {
      const since = others.map(({ region }) => unsentSince(snapshot, definition, region))
      return (await Promise.all(since)).some((sinceMs) => sinceMs !== Infinity)
    })
    if (unsent && isComplete) continue
    await unlessNotFound(dropTable(engine, table))
    engine.capacity.meters.forget(table.id)
    engine.purge()
  }
}

/** Goes on without a replica that has left. */
export async function forgetReplica(engine: LinkHost, table: Table, region: string): Promise<void> {
  await engine.catalog.change(
    table,
    (definition) => withoutReplica(definition, region),
    undefined,
    () => [cursorEnd(table.id, region), receivedEnd(table.id, region)],
  )
  engine.purge()
}
