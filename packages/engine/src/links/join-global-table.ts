import { ServiceError } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { applyChanges } from '../replication/apply-changes.ts'
import { cursorWrite, receivedWrite } from '../replication/cursor.ts'
import { otherReplicas, replicaIn, withReplica } from '../replication/members.ts'
import type { ReplicatedChange } from '../replication/replicated-change.ts'
import { withOverrides } from '../replication/replica-definition.ts'
import { newStream, readTableDefinition } from '../tables/read-table-definition.ts'
import type { Lease } from '../work/leases.ts'
import { progressEnd, progressWrite, readProgress } from '../work/work-progress.ts'
import { MessageLines, readChangeLine } from './change-lines.ts'
import { asHeardOf } from './learn-of-tables.ts'
import type { LinkHost } from './link-host.ts'
import { linkVersion, LinkRefusal, type FillPlace, type FillRequest, type TableView } from './link-messages.ts'
import { linkedTable } from './linked-tables.ts'
import { readFillAnswer } from './read-message.ts'

/** Creates the table of a replica that was asked for in another store. Its settings are checked as those of a request are.
 *  Returns why it cannot be created, if it cannot. */
export async function createLinkedReplica(
  engine: LinkHost,
  region: string,
  view: TableView,
): Promise<string | undefined> {
  const { accountId, tableName } = view
  const own = view.replicas.find((replica) => replica.region === region)
  const scope = { accountId, region }
  const nowMs = engine.clock.now()
  try {
    const draft = readTableDefinition(view.settings, { scope, nowMs, uuid: () => engine.randomness.uuid() })
    const created = await engine.catalog.create(scope, tableName, (ids) => {
      const [stampsId = 0, expiryIndexId = 0] = ids.indexIds(2)
      const definition: TableDefinition = {
        ...draft.withIds(ids),
        status: 'CREATING',
        stream: newStream('NEW_AND_OLD_IMAGES', nowMs),
        replication: {
          globalTableId: view.id,
          version: '2019.11.21',
          stampsId,
          replicas: view.replicas.map((replica) =>
            replica.region === region ? replica : asHeardOf(replica, view.region),
          ),
          ...(view.settingsAt !== undefined && { settingsAt: view.settingsAt }),
        },
        ...(view.timeToLive !== undefined && { timeToLive: { attributeName: view.timeToLive, expiryIndexId } }),
      }
      return withOverrides(definition, own?.overrides ?? {}, nowMs)
    })
    engine.capacity.meters.of(created)
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // Another server of this store may just have created it.
    await engine.refresh()
    return linkedTable(engine.catalog, view.id, region) === undefined ? error.message : undefined
  }
}

/** Asks the server of the replica that fills a new one. */
export type AskFill = (request: FillRequest) => Promise<Buffer>

/** Fills a new replica from another store, while both are written to, and sets it ACTIVE. Each page is one transaction, with
 *  the place of the next: after a crash of either side, it goes on from there. */
export async function fillLinkedReplica(engine: LinkHost, table: Table, ask: AskFill, lease: Lease): Promise<void> {
  const { region, replication } = table.definition
  const id = replication?.globalTableId ?? ''
  const request = (place: FillPlace | undefined): FillRequest => ({
    version: linkVersion,
    from: region,
    id,
    region,
    place,
  })
  const progress = await readProgress<FillProgress>(engine.store, table.id)
  let place = progress?.next ?? (await begin(table, await ask(request(undefined)), lease))
  // The next page is on its way while one is applied.
  let coming = ask(request(place))
  while (!lease.aborted) {
    const lines = new MessageLines(await coming)
    const answer = readFillAnswer(lines.head())
    const { next } = answer
    if (next !== undefined) {
      coming = ask(request(next))
      // It may fail while the page is applied, and is awaited afterwards.
      coming.catch(() => undefined)
    }
    const nowMs = engine.clock.now()
    const changes: ReplicatedChange[] = []
    for (let n = 0; n < answer.changes; n++) {
      changes.push(readChangeLine(lines.next(), { definition: table.definition, nowMs }))
    }
    if (next === undefined) return activate(engine, table, lease)
    await applyChanges(engine, table, changes, {
      through: lease,
      beside: [progressWrite(table.id, { next } satisfies FillProgress)],
      isLogged: false,
    })
    place = next
  }
}

/** ON DISK as JSON. */
interface FillProgress {
  readonly next: FillPlace
}

/** From here on, whatever is written in any replica is received after the positions that the source names. */
async function begin(table: Table, bytes: Buffer, lease: Lease): Promise<FillPlace> {
  const { positions, next } = readFillAnswer(new MessageLines(bytes).head())
  if (positions === undefined || next === undefined) {
    throw new LinkRefusal(400, 'The other server does not say where its log begins.')
  }
  const received = Object.entries(positions).map(([from, cursor]) => receivedWrite(table.id, from, cursor))
  const sending = otherReplicas(table.definition).map(({ region }) =>
    cursorWrite(table.id, region, { positions: {} }),
  )
  const progress = progressWrite(table.id, { next } satisfies FillProgress)
  await lease.transact([], () => ({ writes: [...received, ...sending, progress], answer: undefined }))
  return next
}

async function activate(engine: LinkHost, table: Table, lease: Lease): Promise<void> {
  await engine.catalog.change(
    table,
    (definition) => {
      const own = replicaIn(definition, definition.region)
      if (own === undefined) return definition
      const { filledFrom: _, ...rest } = own
      return withReplica({ ...definition, status: 'ACTIVE' }, { ...rest, status: 'ACTIVE' })
    },
    lease,
    () => [progressEnd(table.id)],
  )
}
