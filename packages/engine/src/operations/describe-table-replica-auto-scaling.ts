import type { DescribeTableReplicaAutoScalingInput } from '../api/replica-auto-scaling-inputs.ts'
import type { TableDefinition } from '../catalog/table-definition.ts'
import type { Engine } from '../engine.ts'
import { describeSettings, findReplicatedTable, type AutoScalingSettings } from '../scaling/replica-settings.ts'
import type { Scope } from '../scope.ts'

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
  readonly ReplicaStatus: 'ACTIVE'
}

export async function describeTableReplicaAutoScaling(
  engine: Engine,
  scope: Scope,
  input: DescribeTableReplicaAutoScalingInput,
): Promise<{ readonly TableAutoScalingDescription: TableAutoScalingDescription }> {
  const definition = findReplicatedTable(engine, scope, input.TableName)
  return { TableAutoScalingDescription: await describeTableAutoScaling(engine, scope, definition) }
}

export async function describeTableAutoScaling(
  engine: Engine,
  scope: Scope,
  definition: TableDefinition,
): Promise<TableAutoScalingDescription> {
  const { tableName, status } = definition
  const settingsOf = (units: 'read' | 'write', indexName?: string): Promise<AutoScalingSettings> =>
    describeSettings(engine, scope, { tableName, indexName, units })
  const indexes = definition.globalIndexes.filter((index) => index.status !== 'CREATING')
  return {
    TableName: tableName,
    TableStatus: status,
    Replicas: [
      {
        RegionName: scope.region,
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
        ReplicaStatus: 'ACTIVE',
      },
    ],
  }
}
