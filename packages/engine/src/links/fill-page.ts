import { following } from '../layout/key-bounds.ts'
import { currentEntries, storedPages } from '../backups/stored-pages.ts'
import type { Table } from '../catalog/table.ts'
import { keySpace, spaceRange } from '../layout/key-space.ts'
import { endOfLog } from '../replication/create-replica.ts'
import { cursorWrite, readCursor, readReceived, type ReplicationCursor } from '../replication/cursor.ts'
import { deletedIn, withStamps } from '../replication/fill-replica.ts'
import { memberIn, otherReplicas, replicaIn } from '../replication/members.ts'
import { changeLine, messageOf } from './change-lines.ts'
import type { LinkHost } from './link-host.ts'
import { linkVersion, LinkRefusal, type FillAnswer, type FillPlace, type FillRequest } from './link-messages.ts'
import { linkedTable } from './linked-tables.ts'
import { malformed } from './read-message.ts'

/** Sends a page of a table for a replica in another store: first what was deleted, then the items, as they are now. */
export async function answerFill(engine: LinkHost, of: string, request: FillRequest): Promise<Buffer> {
  const { id, region, place } = request
  const table = linkedTable(engine.catalog, id, of)
  if (table === undefined || otherReplicas(table.definition).every((replica) => replica.region !== region)) {
    throw new LinkRefusal(404, `There is no global table here that has a replica in ${region} and this identifier.`)
  }
  const { isCut } = engine.regions.linkBetween(of, region)
  if (isCut) throw new LinkRefusal(503, `The link between ${of} and ${region} is cut off on purpose.`)
  if (place === undefined) {
    // A request that was held up on its way must not say of what came since that it has arrived.
    if (replicaIn(table.definition, region)?.status !== 'CREATING') {
      throw new LinkRefusal(409, `The replica in ${region} is not to be filled from here.`)
    }
    const positions = await beginPositions(engine, table, region)
    return messageOf(answerOf({ changes: 0, positions, next: { phase: 'tombstones' } }), [])
  }
  return pageAt(engine, table, place)
}

function answerOf(answer: Omit<FillAnswer, 'version'>): FillAnswer {
  return { version: linkVersion, ...answer }
}

/** From where the new replica must follow all logs: this one from its end, because everything before is in the items; those
 *  of others from where they are with this one, because everything before is in this one. */
async function beginPositions(
  engine: LinkHost,
  source: Table,
  toRegion: string,
): Promise<Readonly<Record<string, ReplicationCursor>>> {
  const own = await endOfLog(engine, source)
  const positions: Record<string, ReplicationCursor> = { [source.definition.region]: own }
  for (const { region } of otherReplicas(source.definition)) {
    if (region === toRegion) continue
    const member = memberIn(engine.catalog, source, region)
    const cursor = await engine.store.view((snapshot) =>
      member === undefined
        ? readReceived(snapshot, source.id, region)
        : readCursor(snapshot, member.id, source.definition.region),
    )
    positions[region] = { positions: cursor?.positions ?? {} }
  }
  const begun = cursorWrite(source.id, toRegion, own)
  await engine.store.transact([], () => ({ writes: [begun], answer: undefined }))
  return positions
}

async function pageAt(engine: LinkHost, table: Table, { phase, after }: FillPlace): Promise<Buffer> {
  const stampsId = table.definition.replication?.stampsId ?? 0
  const whole =
    phase === 'tombstones' ? spaceRange(keySpace.tombstone, stampsId) : spaceRange(keySpace.item, table.id)
  const from = after === undefined ? whole.from : Buffer.from(after, 'base64')
  if (Buffer.compare(from, whole.from) < 0 || Buffer.compare(from, whole.to) > 0)
    throw malformed('a place is unknown')
  for await (const page of storedPages(currentEntries(engine.store), { ...whole, from })) {
    const changes = await (phase === 'tombstones' ? deletedIn : withStamps)(engine.store, table, page)
    const last = following(page.at(-1)?.key ?? from)
    const next: FillPlace = { phase, after: Buffer.from(last).toString('base64') }
    return messageOf(answerOf({ changes: changes.length, next }), changes.map(changeLine))
  }
  return messageOf(answerOf({ changes: 0, next: phase === 'tombstones' ? { phase: 'items' } : undefined }), [])
}
