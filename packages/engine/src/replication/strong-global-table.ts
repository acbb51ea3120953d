import { validationException, type ServiceError } from '@hashrange/core'
import type { CreateReplicaInput, ReplicaUpdateInput, WitnessUpdateInput } from '../api/table-inputs.ts'
import { countsOf } from '../catalog/counts.ts'
import type { Table } from '../catalog/table.ts'
import type { ReplicationDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { isCutOff } from '../strong/region-conditions.ts'
import { regionUnreachable } from '../strong/strong-errors.ts'
import { strongly, strongRegions } from '../strong/strong-replicas.ts'
import { assertScaledWrites } from './assert-scaled-writes.ts'
import { assertFree, inUse, newReplica } from './change-replicas.ts'
import { memberIn, otherMembers, withReplica } from './members.ts'
import { replicaDefinition } from './replica-definition.ts'
import type { ReplicationHost } from './replication-host.ts'
import { createReplicaWork, removeReplicaWork } from './replication-work.ts'

/** What a request asks of a strongly consistent global table. */
export interface StrongUpdate {
  readonly replicas: readonly ReplicaUpdateInput[]
  readonly witnesses: readonly WitnessUpdateInput[]
}

/** Makes a strongly consistent global table out of an empty table: two replicas and this one, or one with a witness.
 *  Their tables are made in one transaction. From then on, writes are made in all of them; they become ACTIVE when
 *  they have whatever was written a moment before. */
export async function createStrongGlobalTable(
  engine: ReplicationHost,
  table: Table,
  { replicas, witnesses }: StrongUpdate,
): Promise<TableDefinition> {
  const { accountId, region, tableName } = table.definition
  const creates = replicas.flatMap(({ Create }) => Create ?? [])
  const witnessed = witnesses.flatMap(({ Create }) => Create?.RegionName ?? [])
  const [witness] = witnessed
  assertRegions([region, ...creates.map(({ RegionName }) => RegionName), ...witnessed])
  await assertConvertible(engine, table, creates, witnessed)
  const stampsId = await engine.catalog.allocateId()
  const globalTableId = engine.randomness.uuid()
  const nowMs = engine.clock.now()
  const uuids = creates.map(() => engine.randomness.uuid())
  const joining = creates.map((create) => newReplica(create, region))
  const replication: ReplicationDefinition = {
    globalTableId,
    version: '2019.11.21',
    consistency: 'STRONG',
    stampsId,
    replicas: [{ region, status: 'ACTIVE' }, ...joining],
    ...(witness !== undefined && { witness }),
  }
  const [changed] = await engine.catalog.changeTogether(
    [table],
    (current) => {
      if (current.status !== 'ACTIVE') throw inUse(current)
      assertSupported(current)
      return { definition: { ...current, replication, status: 'UPDATING' }, answer: undefined }
    },
    {
      made: {
        accountId,
        tables: joining.map((replica, index) => ({
          region: replica.region,
          tableName,
          draft: (first = table.definition, ids) =>
            replicaDefinition(first, replica, { nowMs, uuid: uuids[index] ?? '', ids }),
        })),
      },
    },
  )
  for (const { region: joined } of joining) {
    const made = memberIn(engine.catalog, table, joined)
    if (made !== undefined) engine.capacity.meters.of(made)
    engine.begin(createReplicaWork(engine, table, joined))
  }
  return changed?.definition ?? table.definition
}

/** What UpdateTable does with the replicas and the witness of a strongly consistent global table: it can only be taken
 *  apart as a whole. */
export async function deleteStrongGlobalTable(
  engine: ReplicationHost,
  table: Table,
  { replicas, witnesses }: StrongUpdate,
): Promise<TableDefinition> {
  const { region } = table.definition
  const replication = strongly(table.definition)
  if (replication === undefined) return table.definition
  if ([...replicas, ...witnesses].some(({ Create }) => Create !== undefined)) {
    throw validationException(
      'You cannot add replicas or a witness to an existing global table with multi-Region strong consistency (MRSC).',
    )
  }
  const deleted = [...replicas, ...witnesses].flatMap(({ Delete }) => Delete?.RegionName ?? [])
  const others = strongRegions(replication).filter((one) => one !== region)
  for (const one of deleted) if (!others.includes(one)) throw notAMember(one)
  if (others.some((one) => !deleted.includes(one))) {
    throw validationException(
      'You cannot delete a single replica or a single witness from a global table with multi-Region strong consistency (MRSC). Delete the other replicas, or the other replica and the witness, in the same request to convert the remaining replica to a single-Region table.',
    )
  }
  const members = otherMembers(engine.catalog, table)
  if (members.some(({ definition }) => definition.deletionProtection)) {
    throw validationException(
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
  }
  const [changed] = await engine.catalog.changeTogether([table, ...members], (current) => {
    if (current.region === region && current.status !== 'ACTIVE') throw inUse(current)
    return { definition: takenApart(current, region), answer: undefined }
  })
  for (const member of members) engine.begin(removeReplicaWork(engine, table, member.definition.region))
  return changed?.definition ?? table.definition
}

function takenApart(definition: TableDefinition, remaining: string): TableDefinition {
  const { replication } = definition
  if (replication === undefined) return definition
  const { witness: _, ...rest } = replication
  const leaving = rest.replicas.filter(({ region }) => region !== remaining)
  return leaving.reduce((changed, replica) => withReplica(changed, { ...replica, status: 'DELETING' }), {
    ...definition,
    replication: rest,
  } as TableDefinition)
}

/** While a region is cut off, the settings of its tables cannot be changed, because they are the same in all regions. */
export async function assertAllReached(engine: ReplicationHost, { definition }: Table): Promise<void> {
  const replication = strongly(definition)
  if (replication === undefined) return
  await engine.regions.refresh()
  const away = strongRegions(replication).find((region) => isCutOff(engine.regions.conditions[region]))
  if (away !== undefined) throw regionUnreachable(away)
}

const regionSets = [
  ['us-east-1', 'us-east-2', 'us-west-2'],
  ['eu-west-1', 'eu-west-2', 'eu-west-3', 'eu-central-1'],
  ['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3'],
]

/** Three regions of one set. */
function assertRegions(regions: readonly string[]): void {
  if (new Set(regions).size !== 3 || regions.length !== 3) {
    throw validationException(
      'A global table with multi-Region strong consistency (MRSC) must be deployed in exactly three different Regions: three replicas, or two replicas and one witness.',
    )
  }
  if (regionSets.some((set) => regions.every((region) => set.includes(region)))) return
  throw validationException(
    `A global table with multi-Region strong consistency (MRSC) cannot span Region sets. The Region sets are: ${regionSets.map((set) => `[${set.join(', ')}]`).join(', ')}`,
  )
}

async function assertConvertible(
  engine: ReplicationHost,
  table: Table,
  creates: readonly CreateReplicaInput[],
  witness: readonly string[],
): Promise<void> {
  assertSupported(table.definition)
  assertInThisStore(engine, [...creates.map(({ RegionName }) => RegionName), ...witness])
  for (const { RegionName } of creates) assertFree(engine, table.definition, RegionName)
  await assertScaledWrites(engine.store, table.definition)
  const { items } = await countsOf(engine.store, table.id)
  if (items > 0) {
    throw validationException(
      'The table must be empty to be converted to a global table with multi-Region strong consistency (MRSC).',
    )
  }
}

/** The order of writes is that of one store. */
function assertInThisStore({ regionsElsewhere }: ReplicationHost, regions: readonly string[]): void {
  const away = regions.filter((region) => regionsElsewhere.has(region))
  if (away.length === 0) return
  throw validationException(
    `Multi-Region strong consistency (MRSC) needs one store for all Regions, but this server replicates to ${away.join(' and ')} over the network. Use servers that share one PostgreSQL, or MultiRegionConsistency EVENTUAL.`,
  )
}

function assertSupported({ replication, localIndexes, timeToLive }: TableDefinition): void {
  if (replication !== undefined) {
    throw validationException("You cannot change a global table's consistency mode after it was created.")
  }
  if (localIndexes.length > 0) throw notSupported('Local secondary indexes (LSIs) are')
  if (timeToLive !== undefined) throw notSupported('Time to Live (TTL) is')
}

/** What the documentation of the service lists as not supported. It does not give the words. */
export function notSupported(what: string): ServiceError {
  return validationException(`${what} not supported for global tables with multi-Region strong consistency (MRSC).`)
}

function notAMember(region: string): ServiceError {
  return validationException(
    `Update global table operation failed because one or more replicas were not part of the global table. Please retry the request without these replicas: [${region}].`,
  )
}
