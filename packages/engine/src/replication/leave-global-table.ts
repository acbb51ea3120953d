import { validationException } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import { onlyOneReplica } from '../strong/strong-errors.ts'
import { strongly } from '../strong/strong-replicas.ts'
import type { Lease } from '../work/leases.ts'
import { inUse } from './change-replicas.ts'
import { fillsAnother, otherMembers, otherReplicas, replicaIn, withReplica } from './members.ts'
import { removeReplica } from './remove-replica.ts'
import type { ReplicationHost } from './replication-host.ts'

const dayMs = 24 * 60 * 60 * 1000

/** What DeleteTable does to a replica: the others go on without it. They know first that it leaves, so that they can
 *  finish that if this process cannot. */
export async function leaveGlobalTable(
  engine: ReplicationHost,
  table: Table,
  drop: () => Promise<unknown>,
): Promise<void> {
  const { region } = table.definition
  if (strongly(table.definition) !== undefined) throw onlyOneReplica()
  // Another server may have been asked for a replica a moment ago.
  await engine.refresh()
  if (fillsAnother(table.definition, engine.regionsElsewhere) && !isAlone(table)) throw inUse(table.definition)
  const { filledOtherAtMs } = replicaIn(table.definition, region) ?? {}
  if (filledOtherAtMs !== undefined && engine.clock.now() - filledOtherAtMs < dayMs) {
    throw validationException(
      'Replica cannot be deleted because it has acted as a source region for new replica(s) being added to the table in the last 24 hours.',
    )
  }
  const others = otherMembers(engine.catalog, table)
  for (const other of others) {
    await engine.catalog.change(other, (definition) => {
      const replica = replicaIn(definition, region)
      return replica === undefined ? definition : withReplica(definition, { ...replica, status: 'DELETING' })
    })
  }
  if (isWaitedFor(engine, table)) {
    await engine.catalog.change(table, (definition) => {
      const own = replicaIn(definition, region)
      return own === undefined
        ? definition
        : { ...withReplica(definition, { ...own, status: 'DELETING' }), status: 'DELETING' }
    })
    return
  }
  const [member] = others
  await (member === undefined ? drop() : removeReplica(engine, member, region, unleased(engine), drop))
}

/** Whether nobody else has the table yet: what is to be filled in another store then goes with it. */
function isAlone({ definition }: Table): boolean {
  return otherReplicas(definition).every(({ status, elsewhere }) => status === 'CREATING' && elsewhere === true)
}

/** Whether there are replicas in other stores, which must get what was written here. The table is deleted when they have
 *  it (links/leave-global-table.ts). Until then, nothing can be written to it. */
function isWaitedFor({ regionsElsewhere }: ReplicationHost, { definition }: Table): boolean {
  return otherReplicas(definition).some(
    ({ region, elsewhere, status }) => elsewhere === true && status !== 'CREATING' && regionsElsewhere.has(region),
  )
}

/** Every step can be repeated, also beside another server that does the same. */
function unleased({ store }: ReplicationHost): Lease {
  return { aborted: false, transact: (keys, decide) => store.transact(keys, decide) }
}
