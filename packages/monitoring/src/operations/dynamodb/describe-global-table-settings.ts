import type { Scope, TableDefinition } from '@hashrange/engine'
import type { DescribeGlobalTableSettingsInput } from '../../api/global-table-settings-inputs.ts'
import type { Monitoring } from '../../monitoring.ts'
import { legacyReplicas } from '../../scaling/replicas-of.ts'
import { describeSettings } from '../../scaling/replica-settings.ts'

/** Of global tables of version 2017.11.29. */
export interface GlobalTableSettings {
  readonly GlobalTableName: string
  readonly ReplicaSettings: readonly object[]
}

export async function describeGlobalTableSettings(
  monitoring: Monitoring,
  scope: Scope,
  { GlobalTableName }: DescribeGlobalTableSettingsInput,
): Promise<GlobalTableSettings> {
  const replicas = legacyReplicas(monitoring, scope, GlobalTableName)
  return {
    GlobalTableName,
    ReplicaSettings: await Promise.all(replicas.map((definition) => describeReplica(monitoring, definition))),
  }
}

async function describeReplica(monitoring: Monitoring, definition: TableDefinition): Promise<object> {
  const { tableName, region, status, billing, globalIndexes, tableClass } = definition
  const settingsOf = (units: 'read' | 'write', indexName?: string): Promise<object> =>
    describeSettings(monitoring, definition, { tableName, indexName, units })
  return {
    RegionName: region,
    ReplicaStatus: status,
    ReplicaBillingModeSummary: { BillingMode: billing.mode },
    ReplicaProvisionedReadCapacityUnits: billing.throughput.readUnits,
    ReplicaProvisionedReadCapacityAutoScalingSettings: await settingsOf('read'),
    ReplicaProvisionedWriteCapacityUnits: billing.throughput.writeUnits,
    ReplicaProvisionedWriteCapacityAutoScalingSettings: await settingsOf('write'),
    ...(globalIndexes.length > 0 && {
      ReplicaGlobalSecondaryIndexSettings: await Promise.all(
        globalIndexes.map(async (index) => ({
          IndexName: index.indexName,
          IndexStatus: index.status,
          ProvisionedReadCapacityUnits: index.throughput?.readUnits ?? 0,
          ProvisionedReadCapacityAutoScalingSettings: await settingsOf('read', index.indexName),
          ProvisionedWriteCapacityUnits: index.throughput?.writeUnits ?? 0,
          ProvisionedWriteCapacityAutoScalingSettings: await settingsOf('write', index.indexName),
        })),
      ),
    }),
    ...(tableClass !== undefined && { ReplicaTableClassSummary: { TableClass: tableClass } }),
  }
}
