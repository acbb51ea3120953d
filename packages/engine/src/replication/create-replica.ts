import { ServiceError } from '@hashrange/core'
import { isNotFound } from '../catalog/catalog-errors.ts'
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
import { memberIn, otherMembers, replicaIn, withoutReplica, withReplica } from './members.ts'
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
  for (const member of otherMembers(engine.catalog, source)) {
    if (member !== target)
      await engine.catalog.change(member, (definition) => withReplica(definition, replica), lease)
  }
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

function unchanged(definition: TableDefinition): DefinitionChange<undefined> {
  return { definition, answer: undefined }
}

/** From here on, whatever is written in any replica is sent to the new one. The source sends what is logged from now on,
 *  because everything before is in its items when they are read. Another replica continues from where it was with the
 *  source: everything before that is in the source, too. */
async function beginSending(engine: ReplicationHost, source: Table, target: Table, lease: Lease): Promise<void> {
  const toRegion = target.definition.region
  const begun: Write[] = []
  for (const member of otherMembers(engine.catalog, source).filter((one) => one !== target)) {
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
  for (const member of [...otherMembers(engine.catalog, source), source]) {
    if (member === target) continue
    await engine.catalog.change(
      member,
      (definition) => withReplica(definition, joined(replicaIn(definition, region))),
      lease,
    )
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
