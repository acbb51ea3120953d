import type { Table } from '../catalog/table.ts'
import type { ReplicaDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { cursorEnd, receivedEnd } from '../replication/cursor.ts'
import { otherReplicas, replicaIn, withoutReplica, withReplica } from '../replication/members.ts'
import type { Write } from '../store/store.ts'
import type { LinkHost } from './link-host.ts'
import type { ReplicaView, TableView } from './link-messages.ts'

/** Takes over what a replica in another store says about its global table. Each replica knows best about itself, and whoever
 *  fills a new one knows best that it is coming. What others say about third parties may be old, and only counts until those
 *  can be asked themselves: `mayBeThere` says whether they can, and have not said yet that they are gone. */
export async function learnOfTable(
  engine: LinkHost,
  table: Table,
  view: TableView,
  mayBeThere: (replica: ReplicaView) => boolean,
): Promise<void> {
  const nowMs = engine.clock.now()
  const merge = (definition: TableDefinition): TableDefinition => merged(definition, view, nowMs, mayBeThere)
  if (merge(table.definition) === table.definition) return
  const isAnother = isNewer(view, table.definition)
  await engine.catalog.change(
    table,
    merge,
    undefined,
    // Whatever was exchanged with a replica that is gone says nothing about the one that took its place.
    (): readonly Write[] =>
      isAnother ? [cursorEnd(table.id, view.region), receivedEnd(table.id, view.region)] : [],
  )
}

function merged(
  definition: TableDefinition,
  view: TableView,
  nowMs: number,
  mayBeThere: (replica: ReplicaView) => boolean,
): TableDefinition {
  if (definition.replication === undefined || definition.region === view.region) return definition
  const withTeller = ofTeller(definition, view, nowMs, mayBeThere)
  const withOthers = view.replicas
    .filter((replica) => isFilledFrom(view.region, replica) || (replica.status === 'ACTIVE' && mayBeThere(replica)))
    .filter(({ region }) => replicaIn(withTeller, region) === undefined)
    .reduce(
      (changed, replica) => withReplica(changed, asHeardOf(replica, view.region)),
      withoutRefused(withTeller, view),
    )
  return withWitness(asToldToLeave(withOthers, view), view)
}

/** Whoever was to fill a new replica no longer tells of it if that could not be created. */
function withoutRefused(definition: TableDefinition, view: TableView): TableDefinition {
  return otherReplicas(definition)
    .filter((replica) => replica.elsewhere === true && isFilledFrom(view.region, replica))
    .filter(({ region }) => view.replicas.every((told) => told.region !== region))
    .reduce((changed, { region }) => withoutReplica(changed, region), definition)
}

function isFilledFrom(source: string, { status, filledFrom }: ReplicaView): boolean {
  return status === 'CREATING' && filledFrom === source
}

/** What the replica says about itself. */
function ofTeller(
  definition: TableDefinition,
  view: TableView,
  nowMs: number,
  mayBeThere: (replica: ReplicaView) => boolean,
): TableDefinition {
  const told = view.replicas.find(({ region }) => region === view.region)
  const known = replicaIn(definition, view.region)
  if (told === undefined) return definition
  // Even if it leaves already: it has been written to, and waits until everybody has that.
  if (known === undefined) return withReplica(definition, asElsewhere(told))
  const isOlder = incarnation(told) < incarnation(known)
  if (isOlder && !wasAskedForTwice(definition, told, known, mayBeThere)) return definition
  const isSame = incarnation(told) === incarnation(known)
  const next: ReplicaDefinition = {
    ...asElsewhere(told),
    ...(known.overrides !== undefined && { overrides: known.overrides }),
    ...(view.isProtected && { protected: true }),
    ...(isSame && known.witness !== undefined && { witness: known.witness }),
    // Whoever is being removed learns of it by and by.
    ...(isSame &&
      known.status === 'DELETING' &&
      !refusesToLeave(definition, view) && { status: 'DELETING' as const }),
  }
  if (JSON.stringify(sorted(next)) === JSON.stringify(sorted(known))) return definition
  const changed = withReplica(definition, next)
  const own = replicaIn(changed, definition.region)
  const hasFilled =
    isSame && known.status === 'CREATING' && known.filledFrom === definition.region && told.status === 'ACTIVE'
  return hasFilled && own !== undefined ? withReplica(changed, { ...own, filledOtherAtMs: nowMs }) : changed
}

/** Two regions may ask for the same new replica before they hear of each other. There is one, and it is that of whoever was
 *  heard first. What was logged and deleted here is still there, and will be sent to it: nobody has acknowledged it who knows
 *  of that replica. */
function wasAskedForTwice(
  { region }: TableDefinition,
  told: ReplicaView,
  known: ReplicaDefinition,
  mayBeThere: (replica: ReplicaView) => boolean,
): boolean {
  const isAskedForHere = known.status === 'CREATING' && known.filledFrom === region
  return isAskedForHere && told.status !== 'DELETING' && told.filledFrom !== region && mayBeThere(told)
}

/** Whether a replica that is to be removed from here has got protection from that before it heard of it. */
export function refusesToLeave(definition: TableDefinition, view: TableView): boolean {
  const told = view.replicas.find(({ region }) => region === view.region)
  const known = replicaIn(definition, view.region)
  if (told === undefined || known?.status !== 'DELETING' || incarnation(told) !== incarnation(known)) return false
  return view.isProtected && told.status === 'ACTIVE'
}

/** If the other has been asked to remove this replica. From then on, nothing is written to it. */
function asToldToLeave(definition: TableDefinition, view: TableView): TableDefinition {
  const told = view.replicas.find(({ region }) => region === definition.region)
  const own = replicaIn(definition, definition.region)
  if (told?.status !== 'DELETING' || own === undefined || own.status === 'DELETING') return definition
  if (incarnation(told) !== incarnation(own) || definition.deletionProtection) return definition
  return { ...withReplica(definition, { ...own, status: 'DELETING' }), status: 'DELETING' }
}

/** Remembers what another replica says while this one leaves. Whoever has asked for another one in this region does not know
 *  this one any more. */
function withWitness(definition: TableDefinition, view: TableView): TableDefinition {
  const own = replicaIn(definition, definition.region)
  const other = replicaIn(definition, view.region)
  const [toldOfOwn, told] = [definition.region, view.region].map((name) =>
    view.replicas.find(({ region }) => region === name),
  )
  if (own?.status !== 'DELETING' || other === undefined || told === undefined) return definition
  if (incarnation(told) !== incarnation(other)) return definition
  const knows =
    toldOfOwn === undefined || toldOfOwn.status === 'DELETING' || incarnation(toldOfOwn) > incarnation(own)
  const witness = told.status === 'DELETING' ? 'leaves' : knows ? 'knows' : undefined
  return witness === undefined || witness === other.witness
    ? definition
    : withReplica(definition, { ...other, witness })
}

function isNewer(view: TableView, definition: TableDefinition): boolean {
  const told = view.replicas.find(({ region }) => region === view.region)
  const known = replicaIn(definition, view.region)
  return told !== undefined && known !== undefined && incarnation(told) > incarnation(known)
}

/** The first replica of a global table has never joined. */
function incarnation({ joinedAtMs = 0 }: ReplicaView): number {
  return joinedAtMs
}

function asElsewhere(replica: ReplicaView): ReplicaDefinition {
  return { ...replica, elsewhere: true }
}

/** What one replica says about another, or about itself. Unless it is known here, whatever is written here is kept for it;
 *  so it counts at once, even if it turns out that it is gone. */
export function asHeardOf(replica: ReplicaView, from: string): ReplicaDefinition {
  const isHearsay = replica.status === 'ACTIVE' && replica.region !== from
  return { ...asElsewhere(replica), ...(isHearsay && { unconfirmed: true }) }
}

function sorted(replica: ReplicaDefinition): object {
  return Object.fromEntries(Object.entries(replica).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
