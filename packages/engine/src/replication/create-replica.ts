import { ServiceError } from '@hashrange/core'
import { isNotFound, unlessNotFound } from '../catalog/catalog-errors.ts'
import type { DefinitionChange } from '../catalog/definition-change.ts'
import type { NewTables } from '../catalog/new-tables.ts'
import type { Table } from '../catalog/table.ts'
import type { ReplicaDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { replicationCursorKey } from '../layout/replication-keys.ts'
import type { Decision, Write } from '../store/store.ts'
import { lastSequence } from '../streams/shard.ts'
import { strongly } from '../strong/strong-replicas.ts'
import type { Lease } from '../work/leases.ts'
import { progressEnd } from '../work/work-progress.ts'
import { cursorWrite, readCursor, type ReplicationCursor } from './cursor.ts'
import { fillReplica } from './fill-replica.ts'
import { fillStrongReplica } from './fill-strong-replica.ts'
import { memberIn, replicaIn, withoutReplica, withReplica } from './members.ts'
import { replicaDefinition } from './replica-definition.ts'
import type { ReplicationHost } from './replication-host.ts'

/** Creates the replica that a table's definition announces, fills it, and sets it ACTIVE everywhere. Each step can be
 *  repeated, so that another process can take over at any time. */
export async function createReplica(
  engine: ReplicationHost,
  source: Table,
  region: string,
  lease: Lease,
): Promise<void> {
  await engine.refresh()
  const replica = replicaIn(source.definition, region)
  if (replica?.status !== 'CREATING' || source.isDropped) return
  const target = await tableOf(engine, source, replica, lease)
  if (target === undefined) return
  if (strongly(source.definition) !== undefined) return fillStrongReplica(engine, source, target, lease)
  await introduce(engine, source, target, lease)
  await beginSending(engine, source, target, lease)
  await fillReplica(engine, source, target, lease)
  // A table that was deleted meanwhile had lost items before they were read.
  if (lease.aborted || source.isDropped) return
  await activate(engine, source, target, lease)
}

/** A table that somebody else has made there meanwhile cannot become a replica: then it is as if none had been asked
 *  for, as in the service. */
async function tableOf(
  engine: ReplicationHost,
  source: Table,
  replica: ReplicaDefinition,
  lease: Lease,
): Promise<Table | undefined> {
  const { accountId, tableName } = source.definition
  const existing = memberIn(engine.catalog, source, replica.region)
  if (existing !== undefined) return existing
  const nowMs = engine.clock.now()
  const uuid = engine.randomness.uuid()
  try {
    // In one transaction with a look at the source: other servers may be changing its settings.
    const made: NewTables = {
      accountId,
      tables: [
        {
          region: replica.region,
          tableName,
          draft: (current = source.definition, ids) => replicaDefinition(current, replica, { nowMs, uuid, ids }),
        },
      ],
    }
    await engine.catalog.changeTogether([source], unchanged, { made })
    const created = memberIn(engine.catalog, source, replica.region)
    if (created !== undefined) engine.capacity.meters.of(created)
    return created
  } catch (error) {
    if (isNotFound(error)) return undefined
    if (!(error instanceof ServiceError) || error.code !== 'ResourceInUseException') throw error
    // Somebody who has lost the lease may still have been about to make it.
    await engine.refresh()
    const made = memberIn(engine.catalog, source, replica.region)
    if (made !== undefined) return made
    await engine.catalog.change(source, (definition) => withoutReplica(definition, replica.region), lease)
    engine.purge()
    return undefined
  }
}

/** Makes all others know the new replica, and the new replica all others. Another one may be made at the same time, from
 *  another source: whichever is introduced later finds both tables. */
async function introduce(engine: ReplicationHost, source: Table, target: Table, lease: Lease): Promise<void> {
  await engine.refresh()
  const replica = replicaIn(target.definition, target.definition.region)
  for (const member of membersBeside(engine, target)) {
    const known = replicaIn(member.definition, member.definition.region)
    await engine.catalog.change(target, (definition) => withMissing(definition, known), lease)
    if (member === source) continue
    await unlessNotFound(engine.catalog.change(member, (definition) => withMissing(definition, replica), lease))
  }
}

function withMissing(definition: TableDefinition, replica: ReplicaDefinition | undefined): TableDefinition {
  const isKnown = replica === undefined || replicaIn(definition, replica.region) !== undefined
  return isKnown ? definition : withReplica(definition, replica)
}

/** All other replicas in this store, also those that only some of them know. */
function membersBeside({ catalog }: ReplicationHost, target: Table): readonly Table[] {
  const id = target.definition.replication?.globalTableId
  return [...catalog.all()].filter(
    (table) => table !== target && id !== undefined && table.definition.replication?.globalTableId === id,
  )
}

function unchanged(definition: TableDefinition): DefinitionChange<undefined> {
  return { definition, answer: undefined }
}

/** From here on, whatever is written in any replica is sent to the new one. The source sends what is logged from now on,
 *  because everything before is in its items when they are read. Another replica continues from where it was with the
 *  source: everything before that is in the source, too. */
async function beginSending(engine: ReplicationHost, source: Table, target: Table, lease: Lease): Promise<void> {
  const toRegion = target.definition.region
  const begun: Write[] = []
  for (const member of membersBeside(engine, target).filter((one) => one !== source)) {
    const cursor = await engine.store.view((snapshot) => readCursor(snapshot, member.id, source.definition.region))
    if (cursor !== undefined) begun.push(cursorWrite(member.id, toRegion, cursor))
    begun.push(cursorWrite(target.id, member.definition.region, { positions: {} }))
  }
  begun.push(cursorWrite(source.id, toRegion, await endOfLog(engine, source)))
  begun.push(cursorWrite(target.id, source.definition.region, { positions: {} }))
  await lease.transact([replicationCursorKey(source.id, toRegion)], ([existing]): Decision<void> => ({
    writes: existing === undefined ? begun : [],
    answer: undefined,
  }))
}

/** The position after everything that a replica has logged. */
export async function endOfLog(
  { store }: Pick<ReplicationHost, 'store'>,
  { definition }: Table,
): Promise<ReplicationCursor> {
  return store.view(async (snapshot) => {
    const positions: Record<string, string> = {}
    for (const { shardId } of definition.shards ?? []) {
      const last = await lastSequence(snapshot, definition.tableId, shardId)
      if (last !== undefined) positions[shardId] = (last + 1n).toString()
    }
    return { positions }
  })
}

async function activate(engine: ReplicationHost, source: Table, target: Table, lease: Lease): Promise<void> {
  const { region } = target.definition
  const nowMs = engine.clock.now()
  const joined = (replica: ReplicaDefinition | undefined): ReplicaDefinition => {
    const { filledFrom: _, ...rest } = replica ?? { region }
    return { ...rest, status: 'ACTIVE' }
  }
  await engine.catalog.change(
    target,
    (definition) => withReplica({ ...definition, status: 'ACTIVE' }, joined(replicaIn(definition, region))),
    lease,
    () => [progressEnd(target.id)],
  )
  const withJoined = (definition: TableDefinition): TableDefinition => {
    const known = replicaIn(definition, region)
    // It may have been asked to remove it already.
    return known?.status === 'DELETING' ? definition : withReplica(definition, joined(known))
  }
  // Others that are made meanwhile may have been told that it is not there yet. The source is the last to know: as long as
  // it does not, this is repeated.
  for (let late = unaware(engine, source, target); late.length > 0; late = unaware(engine, source, target)) {
    for (const member of late) {
      await unlessNotFound(engine.catalog.change(member, withJoined, lease))
    }
    await engine.refresh()
  }
  await engine.catalog.change(
    source,
    (definition) => {
      const own = replicaIn(definition, definition.region)
      return own === undefined ? definition : withReplica(definition, { ...own, filledOtherAtMs: nowMs })
    },
    lease,
  )
}

/** Those that do not know yet that a replica is complete, and the source after all others. */
function unaware(engine: ReplicationHost, source: Table, target: Table): readonly Table[] {
  return membersBeside(engine, target)
    .filter(({ definition }) => {
      const { status = 'CREATING' } = replicaIn(definition, target.definition.region) ?? {}
      return status === 'CREATING'
    })
    .toSorted((one, other) => Number(one === source) - Number(other === source))
}
