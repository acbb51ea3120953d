import type { Table } from '../catalog/table.ts'
import { dropTable } from '../operations/delete-table.ts'
import { cursorEnd, receivedEnd } from '../replication/cursor.ts'
import { fillsAnother, otherReplicas, replicaIn, withoutReplica } from '../replication/members.ts'
import { unsentSince } from '../replication/outgoing-changes.ts'
import type { LinkHost } from './link-host.ts'
import type { TableView } from './link-messages.ts'

/** What the others have said since a replica leaves, by its table's identifier. */
export type Witnesses = Map<number, Map<string, Said>>

interface Said {
  /** It knows that this replica leaves. */
  readonly knows: boolean
  /** It leaves as well. */
  readonly leaves: boolean
}

const gone: Said = { knows: true, leaves: true }

/** Remembers what the other replica says about the two. Whoever has asked for another one in this region does not know this
 *  one any more. */
export function noteWitness(witnesses: Witnesses, { id, definition }: Table, view: TableView): void {
  const [told, teller] = [definition.region, view.region].map((name) =>
    view.replicas.find(({ region }) => region === name),
  )
  const own = replicaIn(definition, definition.region)
  const isAnother = (told?.joinedAtMs ?? 0) > (own?.joinedAtMs ?? 0)
  const knows = told === undefined || told.status === 'DELETING' || isAnother
  if (knows || own?.status === 'DELETING')
    note(witnesses, id, view.region, { knows, leaves: teller?.status === 'DELETING' })
}

/** Remembers that the other replica left before. */
export function noteGone(witnesses: Witnesses, { id }: Table, region: string): void {
  note(witnesses, id, region, gone)
}

function note(witnesses: Witnesses, id: number, region: string, said: Said): void {
  const known = witnesses.get(id) ?? new Map<string, Said>()
  witnesses.set(id, known.set(region, said))
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
    const said = witnesses.get(table.id)
    const others = otherReplicas(definition).filter(
      ({ region, elsewhere, status }) =>
        elsewhere === true &&
        // One that is being filled may be beyond what has just been written here: it asks for that when it is ACTIVE.
        (status === 'CREATING' ? isComplete : said?.get(region)?.leaves !== true) &&
        engine.regionsElsewhere.has(region),
    )
    // One that was to be removed must have heard of it: nobody else would tell it.
    if (others.some(({ region, status }) => status === 'DELETING' || said?.get(region)?.knows !== true)) continue
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
