import { tableArn } from '../definitions/table-arn.ts'
import type {
  Billing,
  Encryption,
  IndexDefinition,
  KeySchema,
  OnDemandLimits,
  Projection,
  RestoreDefinition,
  TableDefinition,
  Throughput,
  WarmThroughput,
} from '../definitions/table-definition.ts'
import { decreasesToday } from './change-throughput.ts'
import { describeReplicas, describeWitness } from './describe-replicas.ts'
import { describeVectorIndexes } from './vector-indexes.ts'

/** How many items a table and its indexes contain, and how large they are. */
export interface TableCounts {
  readonly table: Counts
  /** By index identifier. */
  readonly indexes: ReadonlyMap<number, Counts>
}

interface Counts {
  readonly items: number
  readonly bytes: number
}

export const noCounts: TableCounts = { table: { items: 0, bytes: 0 }, indexes: new Map() }

/** The description of a table. Members that do not apply are absent. */
export type TableDescription = Readonly<Record<string, unknown>> & {
  readonly TableName: string
  readonly TableStatus: TableDefinition['status']
}

export function describeTable(definition: TableDefinition, counts: TableCounts, nowMs: number): TableDescription {
  const { tableName, billing, stream, localIndexes, globalIndexes } = definition
  const arn = tableArn(definition)
  const describeAll = (indexes: readonly IndexDefinition[]): unknown =>
    indexes.length === 0 ? undefined : indexes.map((index) => describeIndex(index, definition, counts, nowMs))
  return present({
    AttributeDefinitions: describeAttributes(definition.attributeTypes),
    BillingModeSummary: describeBilling(billing),
    CreationDateTime: seconds(definition.createdAtMs),
    DeletionProtectionEnabled: definition.deletionProtection,
    GlobalSecondaryIndexes: describeAll(globalIndexes),
    ItemCount: counts.table.items,
    KeySchema: describeKeySchema(definition.keySchema),
    LatestStreamArn: stream && `${arn}/stream/${stream.label}`,
    LatestStreamLabel: stream?.label,
    LocalSecondaryIndexes: describeAll(localIndexes),
    OnDemandThroughput: describeOnDemandLimits(billing.onDemandLimits),
    GlobalTableSettingsReplicationMode:
      definition.replication === undefined ? definition.settingsReplication : 'ENABLED_WITH_OVERRIDES',
    GlobalTableVersion: definition.replication?.version,
    GlobalTableWitnesses: describeWitness(definition),
    MultiRegionConsistency: definition.replication?.consistency,
    ProvisionedThroughput: describeThroughput(billing.throughput, nowMs),
    Replicas: describeReplicas(definition),
    RestoreSummary: describeRestore(definition.restore),
    SSEDescription: describeEncryption(definition.encryption),
    StreamSpecification:
      stream?.enabled === true ? { StreamEnabled: true, StreamViewType: stream.viewType } : undefined,
    TableArn: arn,
    TableClassSummary:
      definition.tableClass &&
      present({
        LastUpdateDateTime: maybeSeconds(definition.tableClassChangedAtMs),
        TableClass: definition.tableClass,
      }),
    TableId: definition.tableUuid,
    TableName: tableName,
    TableSizeBytes: counts.table.bytes,
    TableStatus: definition.status,
    VectorIndexes: describeVectorIndexes(definition),
    WarmThroughput: describeWarmThroughput(billing.warmThroughput),
  })
}

/** A table that was just requested: it is being created, and not all of it is known yet. */
export function describeNewTable(definition: TableDefinition, wasAskedToBeWarm: boolean): TableDescription {
  const { lastPayPerRequestAtMs: _, warmThroughput, ...billing } = definition.billing
  const creating: TableDefinition = {
    ...definition,
    status: 'CREATING',
    billing,
    globalIndexes: definition.globalIndexes.map(creatingIndex),
  }
  const description = describeTable(creating, noCounts, definition.createdAtMs)
  if (!wasAskedToBeWarm) return description
  return { ...description, WarmThroughput: describeWarmThroughput(warmThroughput, 'UPDATING') }
}

/** A table that is being deleted: its keys, its indexes and its warm throughput are no longer shown. */
export function describeDeletedTable(definition: TableDefinition, nowMs: number): TableDescription {
  const deleting: TableDefinition = {
    ...definition,
    status: 'DELETING',
    globalIndexes: [],
    localIndexes: [],
    vectorIndexes: [],
  }
  const {
    AttributeDefinitions: _attributes,
    CreationDateTime: _created,
    KeySchema: _keys,
    WarmThroughput: _warm,
    ...description
  } = describeTable(deleting, noCounts, nowMs)
  return description
}

function creatingIndex(index: IndexDefinition): IndexDefinition {
  const { warmThroughput: _, ...rest } = index
  return { ...rest, status: 'CREATING' }
}

function describeIndex(
  index: IndexDefinition,
  definition: TableDefinition,
  counts: TableCounts,
  nowMs: number,
): unknown {
  const { items, bytes } = counts.indexes.get(index.indexId) ?? { items: 0, bytes: 0 }
  const common = {
    IndexArn: `${tableArn(definition)}/index/${index.indexName}`,
    IndexName: index.indexName,
    IndexSizeBytes: bytes,
    ItemCount: items,
    KeySchema: describeKeySchema(index.keySchema),
    Projection: describeProjection(index.projection),
  }
  if (index.kind === 'local') return common
  return present({
    ...common,
    Backfilling: index.backfilling,
    // The service shows nothing about an index while its table is being restored.
    IndexStatus: definition.restore === undefined ? index.status : undefined,
    OnDemandThroughput: describeOnDemandLimits(index.onDemandLimits),
    ProvisionedThroughput: index.throughput && describeThroughput(index.throughput, nowMs),
    WarmThroughput: describeWarmThroughput(index.warmThroughput),
  })
}

/** By name, in whatever order they were given. */
function describeAttributes(types: TableDefinition['attributeTypes']): unknown {
  return Object.keys(types)
    .toSorted()
    .map((AttributeName) => ({ AttributeName, AttributeType: types[AttributeName] }))
}

/** Shown until the table exists. */
function describeRestore(restore: RestoreDefinition | undefined): unknown {
  if (restore === undefined) return undefined
  return present({
    RestoreDateTime: seconds(restore.atMs),
    RestoreInProgress: true,
    SourceBackupArn: restore.source.kind === 'backup' ? restore.source.backupArn : undefined,
    SourceTableArn: restore.sourceTableArn,
  })
}

export function describeEncryption(
  encryption: Encryption | undefined,
  status: 'ENABLED' | 'UPDATING' = 'ENABLED',
): unknown {
  return encryption && { KMSMasterKeyArn: encryption.kmsKeyArn, SSEType: 'KMS', Status: status }
}

/** Absent on a table that has always been provisioned. */
function describeBilling({ mode, lastPayPerRequestAtMs }: Billing): unknown {
  if (mode === 'PROVISIONED' && lastPayPerRequestAtMs === undefined) return undefined
  return present({
    BillingMode: mode,
    LastUpdateToPayPerRequestDateTime: maybeSeconds(lastPayPerRequestAtMs),
  })
}

function describeThroughput(throughput: Throughput, nowMs: number): unknown {
  return present({
    LastDecreaseDateTime: maybeSeconds(throughput.lastDecreaseAtMs),
    LastIncreaseDateTime: maybeSeconds(throughput.lastIncreaseAtMs),
    NumberOfDecreasesToday: decreasesToday(throughput, nowMs),
    ReadCapacityUnits: throughput.readUnits,
    WriteCapacityUnits: throughput.writeUnits,
  })
}

export function describeOnDemandLimits(limits: OnDemandLimits | undefined): unknown {
  if (limits === undefined) return undefined
  return present({ MaxReadRequestUnits: limits.maxReadUnits, MaxWriteRequestUnits: limits.maxWriteUnits })
}

function describeWarmThroughput(
  warm: WarmThroughput | undefined,
  status = warm?.updating === true ? 'UPDATING' : 'ACTIVE',
): unknown {
  if (warm === undefined) return undefined
  return {
    ReadUnitsPerSecond: warm.readUnitsPerSecond,
    Status: status,
    WriteUnitsPerSecond: warm.writeUnitsPerSecond,
  }
}

export function describeKeySchema({ hash, range }: KeySchema): unknown {
  return [
    ...hash.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' })),
    ...range.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' })),
  ]
}

export function describeProjection(projection: Projection): unknown {
  if (projection.kind !== 'INCLUDE') return { ProjectionType: projection.kind }
  return { NonKeyAttributes: projection.nonKeyAttributes.toSorted(), ProjectionType: 'INCLUDE' }
}

export function seconds(timeMs: number): number {
  return timeMs / 1000
}

function maybeSeconds(timeMs: number | undefined): number | undefined {
  return timeMs === undefined ? undefined : seconds(timeMs)
}

/** Without the members that are undefined. */
export function present<Members extends Readonly<Record<string, unknown>>>(members: Members): Members {
  const result = { ...members }
  for (const name in result) if (result[name] === undefined) delete result[name]
  return result
}
