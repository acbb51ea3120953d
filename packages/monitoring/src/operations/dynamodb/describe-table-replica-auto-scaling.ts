import type { DescribeTableReplicaAutoScalingInput } from '../../api/replica-auto-scaling-inputs.ts'
import type { Scope, TableDefinition } from '@hashrange/engine'
import { describeSettings, findReplicatedTable, type AutoScalingSettings } from '../../scaling/replica-settings.ts'
import { replicasOf } from '../../scaling/replicas-of.ts'
import type { Monitoring } from '../../monitoring.ts'

export interface TableAutoScalingDescription {
  readonly TableName: string
  readonly TableStatus: string
  readonly Replicas: readonly ReplicaAutoScalingDescription[]
}

export interface ReplicaAutoScalingDescription {
  readonly RegionName: string
  readonly GlobalSecondaryIndexes: readonly {
    readonly IndexName: string
    readonly IndexStatus: string
    readonly ProvisionedReadCapacityAutoScalingSettings: AutoScalingSettings
    readonly ProvisionedWriteCapacityAutoScalingSettings: AutoScalingSettings
  }[]
  readonly ReplicaProvisionedReadCapacityAutoScalingSettings: AutoScalingSettings
  readonly ReplicaProvisionedWriteCapacityAutoScalingSettings: AutoScalingSettings
  readonly ReplicaStatus: string
}

export async function describeTableReplicaAutoScaling(
  monitoring: Monitoring,
  scope: Scope,
  input: DescribeTableReplicaAutoScalingInput,
): Promise<{ readonly TableAutoScalingDescription: TableAutoScalingDescription }> {
  const definition = findReplicatedTable(monitoring, scope, input.TableName)
  return { TableAutoScalingDescription: await describeTableAutoScaling(monitoring, definition) }
}

export async function describeTableAutoScaling(
  monitoring: Monitoring,
  definition: TableDefinition,
): Promise<TableAutoScalingDescription> {
  const { tableName, status } = definition
  const replicas = replicasOf(monitoring, definition)
  return {
    TableName: tableName,
    TableStatus: status,
    Replicas: await Promise.all(replicas.map((replica) => describeReplica(monitoring, replica))),
  }
}

async function describeReplica(
  monitoring: Monitoring,
  definition: TableDefinition,
): Promise<ReplicaAutoScalingDescription> {
  const { tableName, region, replication } = definition
  const settingsOf = (units: 'read' | 'write', indexName?: string): Promise<AutoScalingSettings> =>
    describeSettings(monitoring, definition, { tableName, indexName, units })
  const indexes = definition.globalIndexes.filter((index) => index.status !== 'CREATING')
  return {
    RegionName: region,
    GlobalSecondaryIndexes: await Promise.all(
      indexes.map(async (index) => ({
        IndexName: index.indexName,
        IndexStatus: index.status,
        ProvisionedReadCapacityAutoScalingSettings: await settingsOf('read', index.indexName),
        ProvisionedWriteCapacityAutoScalingSettings: await settingsOf('write', index.indexName),
      })),
    ),
    ReplicaProvisionedReadCapacityAutoScalingSettings: await settingsOf('read'),
    ReplicaProvisionedWriteCapacityAutoScalingSettings: await settingsOf('write'),
    ReplicaStatus: replication?.replicas.find((replica) => replica.region === region)?.status ?? 'ACTIVE',
  }
}
