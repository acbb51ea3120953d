import type { Table } from '../catalog/table.ts'
import { dropTable } from '../operations/delete-table.ts'
import { cursorEnd, receivedEnd } from '../replication/cursor.ts'
import { fillsAnother, otherReplicas, replicaIn, withoutReplica } from '../replication/members.ts'
import { unsentSince } from '../replication/outgoing-changes.ts'
import type { LinkHost } from './link-host.ts'
import type { TableView } from './link-messages.ts'

/** Which of the others know that a replica leaves, by its table's identifier. */
export type Witnesses = Map<number, Set<string>>

/** Remembers that the other replica knows that this one leaves. */
export function noteWitness(witnesses: Witnesses, { id, definition }: Table, view: TableView): void {
  const told = view.replicas.find(({ region }) => region === definition.region)
  if (told !== undefined && told.status !== 'DELETING') return
  const known = witnesses.get(id) ?? new Set()
  witnesses.set(id, known.add(view.region))
}

/** Deletes the tables whose replica is to be removed, as soon as all others have what was written to it, and know that it
 *  leaves. A region that no link leads to any more is not waited for. */
export async function dropLeaving(engine: LinkHost, witnesses: Witnesses): Promise<void> {
  for (const table of engine.catalog.all()) {
    const { definition } = table
    const own = replicaIn(definition, definition.region)
    if (own?.status !== 'DELETING') continue
    // It fills another one first: nobody else would.
    if (fillsAnother(definition, engine.regionsElsewhere)) continue
    // A replica that was not filled yet has nothing of its own.
    const isComplete = own.filledFrom === undefined
    // One that is being filled may be beyond what has just been written here: it asks for that when it is ACTIVE.
    const others = otherReplicas(definition).filter(
      ({ region, elsewhere, status }) =>
        elsewhere === true &&
        (status === 'ACTIVE' || (isComplete && status === 'CREATING')) &&
        engine.regionsElsewhere.has(region),
    )
    if (others.some(({ region }) => witnesses.get(table.id)?.has(region) !== true)) continue
    const unsent = await engine.store.view(async (snapshot) => {
      const since = others.map(({ region }) => unsentSince(snapshot, definition, region))
      return (await Promise.all(since)).some((sinceMs) => sinceMs !== Infinity)
    })
    if (unsent && isComplete) continue
    await dropTable(engine, table)
    witnesses.delete(table.id)
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
