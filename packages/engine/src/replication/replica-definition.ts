import type {
  IndexDefinition,
  OnDemandLimits,
  ReplicaDefinition,
  ReplicaIndexOverrides,
  ReplicaOverrides,
  ReplicationDefinition,
  TableDefinition,
  Throughput,
} from '../definitions/table-definition.ts'
import type { NewIds } from '../catalog/new-tables.ts'
import { newStream } from '../tables/read-table-definition.ts'

/** The table of a new replica. It is like the one that it is filled from, except for what was asked to be different, and
 *  for what each replica has of its own: protection, recovery, tags, policies. */
export function replicaDefinition(
  source: TableDefinition,
  replica: ReplicaDefinition,
  context: { readonly nowMs: number; readonly uuid: string; readonly ids: NewIds },
): TableDefinition {
  const { ids, nowMs, uuid } = context
  const { replication, encryption, timeToLive, tableClass } = source
  if (replication === undefined) throw new Error('a replica is filled from a replica')
  const [stampsId = 0] = ids.indexIds(1)
  const ownReplication: ReplicationDefinition = { ...replication, stampsId }
  const kmsKeyArn = encryption?.kmsKeyArn.replace(`:${source.region}:`, `:${replica.region}:`)
  const definition: TableDefinition = {
    tableId: ids.tableId,
    tableUuid: uuid,
    accountId: source.accountId,
    region: replica.region,
    tableName: source.tableName,
    status: 'CREATING',
    createdAtMs: nowMs,
    attributeTypes: source.attributeTypes,
    keySchema: source.keySchema,
    localIndexes: withNewIds(source.localIndexes, ids),
    globalIndexes: withNewIds(source.globalIndexes, ids),
    ...(source.vectorIndexes !== undefined && { vectorIndexes: source.vectorIndexes }),
    billing: source.billing,
    deletionProtection: false,
    tags: {},
    // With strong consistency, streams are not needed for replication, and are each replica's own.
    ...(replication.consistency !== 'STRONG' && { stream: newStream('NEW_AND_OLD_IMAGES', nowMs) }),
    replication: ownReplication,
    ...(tableClass !== undefined && { tableClass }),
    ...(kmsKeyArn !== undefined && { encryption: { kmsKeyArn } }),
    ...(timeToLive !== undefined && {
      timeToLive: { attributeName: timeToLive.attributeName, expiryIndexId: ids.indexIds(1)[0] ?? 0 },
    }),
  }
  return withOverrides(definition, replica.overrides ?? {}, nowMs)
}

/** What was asked to be different in a replica. */
export function withOverrides(
  definition: TableDefinition,
  overrides: ReplicaOverrides,
  nowMs: number,
): TableDefinition {
  const { billing, globalIndexes } = definition
  const { readUnits, maxReadUnits, tableClass, kmsKeyArn, indexes = [] } = overrides
  return {
    ...definition,
    billing: {
      ...billing,
      throughput: overriddenThroughput(billing.throughput, readUnits),
      ...overriddenLimits(billing.onDemandLimits, maxReadUnits),
    },
    globalIndexes: globalIndexes.map((index) =>
      overriddenIndex(
        index,
        indexes.find(({ indexName }) => indexName === index.indexName),
      ),
    ),
    ...(tableClass !== undefined &&
      tableClass !== (definition.tableClass ?? 'STANDARD') && { tableClass, tableClassChangedAtMs: nowMs }),
    ...(kmsKeyArn !== undefined && { encryption: { kmsKeyArn } }),
  }
}

function withNewIds(indexes: readonly IndexDefinition[], ids: NewIds): readonly IndexDefinition[] {
  const kept = indexes.filter(({ status }) => status !== 'DELETING')
  const indexIds = ids.indexIds(kept.length)
  return kept.map(({ cutId: _cut, backfilling: _backfilling, ...index }, position) => ({
    ...index,
    indexId: indexIds[position] ?? 0,
    status: 'ACTIVE',
  }))
}

function overriddenIndex(index: IndexDefinition, overrides: ReplicaIndexOverrides | undefined): IndexDefinition {
  if (overrides === undefined) return index
  return {
    ...index,
    ...(index.throughput !== undefined && {
      throughput: overriddenThroughput(index.throughput, overrides.readUnits),
    }),
    ...overriddenLimits(index.onDemandLimits, overrides.maxReadUnits),
  }
}

function overriddenThroughput(throughput: Throughput, readUnits: number | undefined): Throughput {
  return readUnits === undefined || throughput.readUnits === 0 ? throughput : { ...throughput, readUnits }
}

function overriddenLimits(
  limits: OnDemandLimits | undefined,
  maxReadUnits: number | undefined,
): { onDemandLimits?: OnDemandLimits } {
  return maxReadUnits === undefined ? {} : { onDemandLimits: { ...limits, maxReadUnits } }
}
