import { validationException, type ServiceError } from '@hashrange/core'
import type { CreateReplicaInput, ReplicaUpdateInput, WitnessUpdateInput } from '../api/table-inputs.ts'
import { countsOf } from '../catalog/counts.ts'
import type { Table } from '../catalog/table.ts'
import type { ReplicationDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { isCutOff } from '../strong/region-conditions.ts'
import { onlyOneReplica, regionUnreachable } from '../strong/strong-errors.ts'
import { strongly, strongRegions } from '../strong/strong-replicas.ts'
import { assertScaledWrites } from './assert-scaled-writes.ts'
import { assertFree, inUse, newReplica, notAMember, protectedReplica } from './change-replicas.ts'
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
    throw validationException('Cannot add replicas to a global table with strong MultiRegionConsistency')
  }
  assertAllLeave(replication, region, { replicas, witnesses })
  const members = otherMembers(engine.catalog, table)
  for (const { definition } of members) if (definition.deletionProtection) throw protectedReplica(definition)
  const [changed] = await engine.catalog.changeTogether([table, ...members], (current) => {
    if (current.region === region && current.status !== 'ACTIVE') throw inUse(current)
    return { definition: takenApart(current, region), answer: undefined }
  })
  for (const member of members) engine.begin(removeReplicaWork(engine, table, member.definition.region))
  return changed?.definition ?? table.definition
}

/** All others go at once, the witness included. */
function assertAllLeave(
  { replicas, witness }: ReplicationDefinition,
  ownRegion: string,
  asked: StrongUpdate,
): void {
  const leaving = asked.replicas.flatMap(({ Delete }) => Delete?.RegionName ?? [])
  const others = replicas.map(({ region }) => region).filter((region) => region !== ownRegion)
  for (const region of leaving) if (!others.includes(region)) throw notAMember(region)
  const witnesses = asked.witnesses.flatMap(({ Delete }) => Delete?.RegionName ?? [])
  const strange = witnesses.find((region) => region !== witness)
  if (strange !== undefined) throw notAMember(strange, 'witnesses')
  if (witness !== undefined && witnesses.length === 0) {
    throw validationException('Update table delete operation does not include all witnesses.')
  }
  if (others.some((region) => !leaving.includes(region))) throw onlyOneReplica()
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
  if (regions.length !== 3) {
    throw validationException(
      'Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.',
    )
  }
  const [own = ''] = regions
  const set = regionSets.find((one) => one.includes(own)) ?? []
  const unsupported = regions.filter((region) => !set.includes(region))
  if (unsupported.length > 0) {
    throw validationException(
      `Unsupported Region(s) specified for global tables with MultiRegionConsistency set to STRONG: [${unsupported.join(', ')}].`,
    )
  }
  if (new Set(regions).size !== 3) throw validationException('Cannot target multiple regions with the same action')
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
    throw existingGlobalTable()
  }
  if (localIndexes.length > 0) throw notSupported('Local secondary indexes (LSIs) are')
  if (timeToLive !== undefined) throw notSupported('Time to Live (TTL) is')
}

/** What the documentation of the service lists as not supported. It does not give the words. */
export function notSupported(what: string): ServiceError {
  return validationException(`${what} not supported for global tables with multi-Region strong consistency (MRSC).`)
}

/** What MultiRegionConsistency gets once a table has replicas. */
export function existingGlobalTable(): ServiceError {
  return validationException('MultiRegionConsistency parameter is unsupported on existing global table')
}
