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
import { replicasOf } from '../../scaling/replicas-of.ts'
import type { Monitoring } from '../../monitoring.ts'

/** Application Auto Scaling's targets and policies, set through DynamoDB: writes for all replicas, reads for each. */
export async function updateTableReplicaAutoScaling(
  monitoring: Monitoring,
  scope: Scope,
  input: UpdateTableReplicaAutoScalingInput,
): Promise<{ readonly TableAutoScalingDescription: TableAutoScalingDescription }> {
  const definition = findReplicatedTable(monitoring, scope, input.TableName)
  const replicas = replicasOf(monitoring, definition)
  const changes = changesOf(definition, replicas, input)
  for (const change of changes) assertSettings(definition.tableName, change)
  if (definition.billing.mode === 'PROVISIONED') {
    for (const change of changes) await applySettings(monitoring, change.scope, change)
  } else if (changes.some(({ resource }) => resource.units === 'read')) {
    const names = replicas.map(({ region }) => `'${region.toUpperCase()}'`).toSorted()
    throw validationException(
      `Failed to update global table with name ‘${definition.tableName}‘. Replicas ${names.join(', ')} BillingMode is PayPerRequest. You must convert table's BillingMode to PROVISIONED to set parameters: 'ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate'.`,
    )
  }
  return { TableAutoScalingDescription: await describeTableAutoScaling(monitoring, definition) }
}

/** A change, and in which replica. */
interface ReplicaSettingsChange extends SettingsChange {
  readonly scope: Scope
}

function changesOf(
  definition: TableDefinition,
  replicas: readonly TableDefinition[],
  input: UpdateTableReplicaAutoScalingInput,
): readonly ReplicaSettingsChange[] {
  const { tableName } = definition
  const changes: ReplicaSettingsChange[] = []
  const add = (
    units: 'read' | 'write',
    update: AutoScalingSettingsUpdateInput | undefined,
    indexName?: string,
    inReplicas = replicas,
  ): void => {
    if (update === undefined) return
    for (const { accountId, region } of inReplicas) {
      changes.push({ scope: { accountId, region }, resource: { tableName, indexName, units }, update })
    }
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
    const named = replicas.filter((one) => one.region === region)
    if (named.length === 0) {
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
    add('read', update, undefined, named)
    for (const index of indexes) add('read', index.ProvisionedReadCapacityAutoScalingUpdate, index.IndexName, named)
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
