import { ServiceError, validationException } from '@hashrange/core'
import type { CreateReplicaInput, ReplicaUpdateInput, UpdateReplicaInput } from '../api/table-inputs.ts'
import type { Table } from '../catalog/table.ts'
import type {
  ReplicaDefinition,
  ReplicaOverrides,
  ReplicationDefinition,
  TableDefinition,
} from '../definitions/table-definition.ts'
import { newStream } from '../tables/read-table-definition.ts'
import { assertRegion, mostReplicas, unsupported } from './known-regions.ts'
import { assertReachedByLinks } from './assert-reached-by-links.ts'
import { assertScaledWrites } from './assert-scaled-writes.ts'
import { fillsAnother, memberIn, otherMembers, replicaIn, withReplica } from './members.ts'
import { withOverrides } from './replica-definition.ts'
import type { ReplicationHost } from './replication-host.ts'
import { asChanged } from './synchronised-settings.ts'
import { createReplicaWork, isWorkOfLink, removeReplicaWork } from './replication-work.ts'

/** What UpdateTable does with `ReplicaUpdates`. The request has passed `checkReplicaUpdates`. */
export async function changeReplicas(
  engine: ReplicationHost,
  table: Table,
  updates: readonly ReplicaUpdateInput[],
): Promise<TableDefinition> {
  const { region } = table.definition
  if (updates.some(({ Create }) => Create !== undefined)) await assertScaledWrites(engine.store, table.definition)
  const stampsId = await engine.catalog.allocateId()
  const globalTableId = engine.randomness.uuid()
  const nowMs = engine.clock.now()
  const definition = await engine.catalog.change(table, (current) => {
    if (current.status !== 'ACTIVE' && !updates.every((one) => forgetsLost(engine, current, one)))
      throw inUse(current)
    return updates.reduce((changed, { Create, Update, Delete }) => {
      if (Create !== undefined) {
        assertFree(engine, changed, Create.RegionName)
        assertReachedByLinks(engine, changed, Create.RegionName)
        const isElsewhere = engine.regionsElsewhere.has(Create.RegionName)
        return joined(
          asGlobal(changed, { globalTableId, stampsId, nowMs }),
          Create,
          isElsewhere ? nowMs : undefined,
        )
      }
      if (Update !== undefined) return asChanged(overridden(changed, Update, nowMs), nowMs)
      return Delete === undefined ? changed : leaving(engine, table, changed, Delete.RegionName)
    }, current)
  })
  for (const { Update } of updates) {
    if (Update === undefined) continue
    for (const member of otherMembers(engine.catalog, table)) {
      await engine.catalog.change(member, (other) => overridden(other, Update, nowMs))
    }
  }
  for (const replica of definition.replication?.replicas ?? []) {
    if (isWorkOfLink(engine, replica)) continue
    if (replica.status === 'CREATING' && replica.filledFrom === region) {
      engine.begin(createReplicaWork(engine, table, replica.region))
    }
    if (replica.status === 'DELETING') engine.begin(removeReplicaWork(engine, table, replica.region))
  }
  return definition
}

/** Whether a replica is removed to which no link leads any more. Nobody would complete it, or what it was filling, and the
 *  table would be UPDATING for ever. */
function forgetsLost(
  { regionsElsewhere }: ReplicationHost,
  definition: TableDefinition,
  { Delete }: ReplicaUpdateInput,
): boolean {
  if (definition.status !== 'UPDATING' || Delete === undefined || regionsElsewhere.has(Delete.RegionName))
    return false
  return replicaIn(definition, Delete.RegionName)?.elsewhere === true
}

/** What the service rejects before it looks for the table. */
export function checkReplicaUpdates(
  updates: readonly ReplicaUpdateInput[],
  ownRegion: string,
  mayBeSeveral = false,
): void {
  for (const { Create, Update, Delete } of updates) {
    const [action, ...others] = [Create, Update, Delete].filter((one) => one !== undefined)
    if (action === undefined || (Update !== undefined && Object.keys(Update).length === 1)) {
      throw validationException('There are no actions specified in the Replica Update Action of the request.')
    }
    if (others.length > 0) {
      throw validationException('Update table operation with more than one type of replica actions not allowed.')
    }
    if (action !== Update && action.RegionName === ownRegion) {
      throw validationException(
        'Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required.',
      )
    }
    assertRegion(action.RegionName)
  }
  const regions = new Set(updates.flatMap(({ Create, Delete }) => (Create ?? Delete)?.RegionName ?? []))
  if (regions.size > 1 && !mayBeSeveral) {
    throw validationException(
      'Update table operation with more than one create or delete replica actions not allowed',
    )
  }
}

export function assertFree(
  { catalog }: ReplicationHost,
  { accountId, tableName }: TableDefinition,
  region: string,
): void {
  if (catalog.find({ accountId, region }, tableName) === undefined) return
  throw validationException(
    `Failed to create a the new replica of table with name: ‘${tableName}’ because one or more replicas already existed as tables.`,
  )
}

/** A table with its first replica becomes one itself. Replication reads the stream's change log, so there is a stream. */
function asGlobal(
  definition: TableDefinition,
  made: { readonly globalTableId: string; readonly stampsId: number; readonly nowMs: number },
): TableDefinition {
  if (definition.replication !== undefined) return definition
  const { stream, region } = definition
  if (stream?.enabled === true && stream.viewType !== 'NEW_AND_OLD_IMAGES') {
    throw validationException(
      'One or more parameter values were invalid: Table must have a stream enabled with the view type NEW_AND_OLD_IMAGES to become a global table',
    )
  }
  const replication: ReplicationDefinition = {
    globalTableId: made.globalTableId,
    version: '2019.11.21',
    stampsId: made.stampsId,
    replicas: [{ region, status: 'ACTIVE' }],
  }
  return {
    ...definition,
    replication,
    stream: stream?.enabled === true ? stream : newStream('NEW_AND_OLD_IMAGES', made.nowMs),
  }
}

function joined(
  definition: TableDefinition,
  input: CreateReplicaInput,
  elsewhereSinceMs: number | undefined,
): TableDefinition {
  if (replicaIn(definition, input.RegionName) !== undefined) return definition
  if ((definition.replication?.replicas.length ?? 0) > mostReplicas) throw unsupported(input.RegionName)
  const replica = newReplica(input, definition.region)
  return withReplica(
    definition,
    elsewhereSinceMs === undefined ? replica : { ...replica, elsewhere: true, joinedAtMs: elsewhereSinceMs },
  )
}

export function newReplica(input: CreateReplicaInput, filledFrom: string): ReplicaDefinition {
  const overrides = overridesOf(input)
  return {
    region: input.RegionName,
    status: 'CREATING',
    filledFrom,
    ...(Object.keys(overrides).length > 0 && { overrides }),
  }
}

/** What a replica knows about the overrides of another, or what it does about its own. */
function overridden(definition: TableDefinition, input: UpdateReplicaInput, nowMs: number): TableDefinition {
  const { RegionName: region, ProvisionedThroughputOverride, GlobalSecondaryIndexes = [] } = input
  const replica = replicaIn(definition, region)
  if (replica === undefined) throw notAMember(region)
  const isProvisioning =
    ProvisionedThroughputOverride !== undefined ||
    GlobalSecondaryIndexes.some((index) => index.ProvisionedThroughputOverride !== undefined)
  if (isProvisioning && definition.billing.mode === 'PAY_PER_REQUEST') throw throughputOnDemandReplica()
  const overrides: ReplicaOverrides = { ...replica.overrides, ...overridesOf(input) }
  const changed = withReplica(definition, { ...replica, overrides })
  return region === definition.region ? withOverrides(changed, overrides, nowMs) : changed
}

function throughputOnDemandReplica(): ServiceError {
  return validationException(
    'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
  )
}

function overridesOf(input: CreateReplicaInput): ReplicaOverrides {
  const readUnits = input.ProvisionedThroughputOverride?.ReadCapacityUnits
  const maxReadUnits = input.OnDemandThroughputOverride?.MaxReadRequestUnits
  const indexes = (input.GlobalSecondaryIndexes ?? []).map((index) => ({
    indexName: index.IndexName,
    ...(index.ProvisionedThroughputOverride?.ReadCapacityUnits !== undefined && {
      readUnits: index.ProvisionedThroughputOverride.ReadCapacityUnits,
    }),
    ...(index.OnDemandThroughputOverride?.MaxReadRequestUnits !== undefined && {
      maxReadUnits: index.OnDemandThroughputOverride.MaxReadRequestUnits,
    }),
  }))
  return {
    ...(readUnits !== undefined && { readUnits }),
    ...(maxReadUnits !== undefined && { maxReadUnits }),
    ...(input.TableClassOverride !== undefined && { tableClass: input.TableClassOverride }),
    ...(input.KMSMasterKeyId !== undefined && { kmsKeyArn: input.KMSMasterKeyId }),
    ...(indexes.length > 0 && { indexes }),
  }
}

function leaving(
  { catalog, regionsElsewhere }: ReplicationHost,
  table: Table,
  definition: TableDefinition,
  region: string,
): TableDefinition {
  const replica = replicaIn(definition, region)
  if (replica === undefined) throw notAMember(region)
  const member = memberIn(catalog, table, region)?.definition
  if ((member?.deletionProtection ?? replica.protected) === true) {
    throw protectedReplica({ tableName: definition.tableName, region })
  }
  // It may have been asked for a moment ago, so that this replica does not know of it.
  if (member !== undefined && fillsAnother(member, regionsElsewhere)) throw inUse(definition)
  return withReplica(definition, { ...replica, status: 'DELETING' })
}

export function notAMember(region: string, what: 'replicas' | 'witnesses' = 'replicas'): ServiceError {
  return validationException(
    `Update global table operation failed because one or more ${what} were not part of the global table. Please retry the request without these ${what}: [${region}].`,
  )
}

export function protectedReplica({
  tableName,
  region,
}: Pick<TableDefinition, 'tableName' | 'region'>): ServiceError {
  return validationException(
    `Cannot delete table ${tableName} in region ${region} because it has deletion protection enabled. Disable deletion protection first.`,
  )
}

export function inUse({ tableName }: TableDefinition): ServiceError {
  return new ServiceError(
    'ResourceInUseException',
    `Attempt to change a resource which is still in use: Table is being updated: ${tableName}`,
  )
}
