import { ServiceError, validationException } from '@hashrange/core'
import type {
  AutoScalingSettingsUpdateInput,
  UpdateTableReplicaAutoScalingInput,
} from '../../api/replica-auto-scaling-inputs.ts'
import type { Scope, TableDefinition } from '@hashrange/engine'
import {
  applySettings,
  assertSettings,
  findReplicatedTable,
  type SettingsChange,
} from '../../scaling/replica-settings.ts'
import {
  describeTableAutoScaling,
  type TableAutoScalingDescription,
} from './describe-table-replica-auto-scaling.ts'
import type { Monitoring } from '../../monitoring.ts'

/** Application Auto Scaling's targets and policies, set through DynamoDB: writes for all replicas, reads for each. */
export async function updateTableReplicaAutoScaling(
  monitoring: Monitoring,
  scope: Scope,
  input: UpdateTableReplicaAutoScalingInput,
): Promise<{ readonly TableAutoScalingDescription: TableAutoScalingDescription }> {
  const definition = findReplicatedTable(monitoring, scope, input.TableName)
  const changes = changesOf(definition, scope, input)
  for (const change of changes) assertSettings(definition.tableName, change)
  if (definition.billing.mode === 'PROVISIONED') {
    for (const change of changes) await applySettings(monitoring, scope, change)
  } else if (changes.some(({ resource }) => resource.units === 'read')) {
    throw validationException(
      `Failed to update global table with name ‘${definition.tableName}‘. Replicas '${scope.region.toUpperCase()}' BillingMode is PayPerRequest. You must convert table's BillingMode to PROVISIONED to set parameters: 'ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate'.`,
    )
  }
  return { TableAutoScalingDescription: await describeTableAutoScaling(monitoring, scope, definition) }
}

function changesOf(
  definition: TableDefinition,
  scope: Scope,
  input: UpdateTableReplicaAutoScalingInput,
): readonly SettingsChange[] {
  const { tableName } = definition
  const changes: SettingsChange[] = []
  const add = (
    units: 'read' | 'write',
    update: AutoScalingSettingsUpdateInput | undefined,
    indexName?: string,
  ): void => {
    if (update !== undefined) changes.push({ resource: { tableName, indexName, units }, update })
  }
  add('write', input.ProvisionedWriteCapacityAutoScalingUpdate)
  const indexUpdates = input.GlobalSecondaryIndexUpdates ?? []
  assertIndexes(definition, indexUpdates)
  for (const index of indexUpdates) add('write', index.ProvisionedWriteCapacityAutoScalingUpdate, index.IndexName)
  const regions = (input.ReplicaUpdates ?? []).map(({ RegionName }) => RegionName)
  if (new Set(regions).size < regions.length) {
    throw failed(validationException, tableName, 'because a region is named more than once.')
  }
  for (const replica of input.ReplicaUpdates ?? []) {
    const { RegionName: region, ReplicaGlobalSecondaryIndexUpdates: indexes = [] } = replica
    if (region !== scope.region) {
      throw failed(notFound, tableName, `because the replica in region: ‘${region}’ does not exist.`)
    }
    const update = replica.ReplicaProvisionedReadCapacityAutoScalingUpdate
    if (update === undefined && indexes.length === 0) {
      throw failed(
        validationException,
        tableName,
        `because at least one update parameter must be specified for region: ‘${region}’.`,
      )
    }
    assertIndexes(definition, indexes)
    add('read', update)
    for (const index of indexes) add('read', index.ProvisionedReadCapacityAutoScalingUpdate, index.IndexName)
  }
  if (changes.length === 0) {
    throw failed(validationException, tableName, 'because at least one update parameter must be specified.')
  }
  return changes
}

/** An index that is being built counts as missing. */
function assertIndexes(
  { tableName, globalIndexes }: TableDefinition,
  updates: readonly { readonly IndexName?: string }[],
): void {
  const present = new Set(
    globalIndexes.filter(({ status }) => status !== 'CREATING').map(({ indexName }) => indexName),
  )
  const missing = updates.map(({ IndexName = '' }) => IndexName).filter((name) => !present.has(name))
  if (missing.length === 0) return
  throw failed(
    notFound,
    tableName,
    `because the global secondary indexes with names: ‘[${missing.join(', ')}]’ do not exist.`,
  )
}

function notFound(message: string): ServiceError {
  return new ServiceError('ResourceNotFoundException', message)
}

function failed(make: (message: string) => ServiceError, tableName: string, why: string): ServiceError {
  return make(`Failed to update settings for global table with name: ‘${tableName}’ ${why}`)
}
