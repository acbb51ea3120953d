import { tableArn } from '../definitions/table-arn.ts'
import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { describeTimeToLive } from '../expiry/describe-time-to-live.ts'
import {
  describeEncryption,
  describeKeySchema,
  describeOnDemandLimits,
  describeProjection,
  present,
  seconds,
} from '../tables/describe-table.ts'
import { vectorIndexOf } from '../tables/vector-indexes.ts'
import { backupArn, type BackupDefinition } from './backup-definition.ts'

type Description = Readonly<Record<string, unknown>>

export function describeBackupDetails(backup: BackupDefinition): Description {
  return present({
    BackupArn: backupArn(backup),
    BackupCreationDateTime: seconds(backup.createdAtMs),
    BackupExpiryDateTime: backup.expiresAtMs === undefined ? undefined : seconds(backup.expiresAtMs),
    BackupName: backup.backupName,
    BackupSizeBytes: backup.sizeBytes,
    BackupStatus: backup.status,
    BackupType: backup.type,
  })
}

/** One of a list. */
export function describeBackupSummary(backup: BackupDefinition): Description {
  return {
    ...describeBackupDetails(backup),
    TableArn: tableArn(backup.table),
    TableId: backup.table.tableUuid,
    TableName: backup.table.tableName,
  }
}

export function describeBackup(backup: BackupDefinition): Description {
  return {
    BackupDetails: describeBackupDetails(backup),
    SourceTableDetails: describeSource(backup),
    SourceTableFeatureDetails: describeFeatures(backup.table),
  }
}

function describeSource({ table, itemCount, sizeBytes }: BackupDefinition): Description {
  const { billing } = table
  return present({
    BillingMode: billing.mode,
    ItemCount: itemCount,
    KeySchema: describeKeySchema(table.keySchema),
    OnDemandThroughput: describeOnDemandLimits(billing.onDemandLimits),
    ProvisionedThroughput: {
      ReadCapacityUnits: billing.throughput.readUnits,
      WriteCapacityUnits: billing.throughput.writeUnits,
    },
    TableArn: tableArn(table),
    TableCreationDateTime: seconds(table.createdAtMs),
    TableId: table.tableUuid,
    TableName: table.tableName,
    TableSizeBytes: sizeBytes,
  })
}

/** Tags, recovery, class, protection and policy are not part of a backup. */
function describeFeatures(table: TableDefinition): Description {
  const describeAll = (indexes: readonly IndexDefinition[]): unknown =>
    indexes.length === 0 ? undefined : indexes.map(describeIndex)
  return present({
    GlobalSecondaryIndexes: describeAll(table.globalIndexes),
    LocalSecondaryIndexes: describeAll(table.localIndexes),
    SSEDescription: describeEncryption(table.encryption),
    VectorIndexes: table.vectorIndexes?.map(vectorIndexOf),
    StreamDescription:
      table.stream?.enabled === true ? { StreamEnabled: true, StreamViewType: table.stream.viewType } : undefined,
    TimeToLiveDescription: table.timeToLive === undefined ? undefined : describeTimeToLive(table),
  })
}

function describeIndex(index: IndexDefinition): Description {
  return present({
    IndexName: index.indexName,
    KeySchema: describeKeySchema(index.keySchema),
    OnDemandThroughput: describeOnDemandLimits(index.onDemandLimits),
    Projection: describeProjection(index.projection),
    ProvisionedThroughput: index.throughput && {
      ReadCapacityUnits: index.throughput.readUnits,
      WriteCapacityUnits: index.throughput.writeUnits,
    },
  })
}
