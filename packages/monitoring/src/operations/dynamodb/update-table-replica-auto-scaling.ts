import { ServiceError, validationException } from '@hashrange/core'
import type {
  AutoScalingSettingsUpdateInput,
  UpdateTableReplicaAutoScalingInput,
} from '../../api/replica-auto-scaling-inputs.ts'
import { readTableName, type Scope, type TableDefinition } from '@hashrange/engine'
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
  const tableName = readTableName(scope, input.TableName)
  // The service looks at the settings before it looks for the table.
  for (const { resource, update } of settingsIn(tableName, input)) assertSettings(tableName, { resource, update })
  const definition = findReplicatedTable(monitoring, scope, input.TableName)
  const replicas = replicasOf(monitoring, definition)
  const changes = changesOf(definition, replicas, input)
  if (definition.billing.mode === 'PROVISIONED') {
    for (const change of changes) await applySettings(monitoring, change.scope, change)
  } else {
    assertOnlyDisabled(definition.tableName, replicas, changes)
  }
  return { TableAutoScalingDescription: await describeTableAutoScaling(monitoring, definition) }
}

/** Every setting of a request, whether there is such a table or not. */
function settingsIn(tableName: string, input: UpdateTableReplicaAutoScalingInput): readonly SettingsChange[] {
  const found: SettingsChange[] = []
  const add = (
    units: 'read' | 'write',
    update: AutoScalingSettingsUpdateInput | undefined,
    indexName?: string,
  ): void => {
    if (update !== undefined) found.push({ resource: { tableName, indexName, units }, update })
  }
  add('write', input.ProvisionedWriteCapacityAutoScalingUpdate)
  for (const index of input.GlobalSecondaryIndexUpdates ?? []) {
    add('write', index.ProvisionedWriteCapacityAutoScalingUpdate, index.IndexName)
  }
  for (const replica of input.ReplicaUpdates ?? []) {
    add('read', replica.ReplicaProvisionedReadCapacityAutoScalingUpdate)
    for (const index of replica.ReplicaGlobalSecondaryIndexUpdates ?? []) {
      add('read', index.ProvisionedReadCapacityAutoScalingUpdate, index.IndexName)
    }
  }
  return found
}

/** A table on demand has nothing to scale. */
function assertOnlyDisabled(
  tableName: string,
  replicas: readonly TableDefinition[],
  changes: readonly SettingsChange[],
): void {
  const set = changes.filter(({ update }) => update.AutoScalingDisabled !== true)
  if (set.length === 0) return
  const parameter = set.some(({ resource }) => resource.units === 'write')
    ? 'GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate'
    : 'ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate'
  const names = replicas.map(({ region }) => `'${region.toUpperCase()}'`).toSorted()
  throw validationException(
    `Failed to update global table with name ‘${tableName}‘. Replicas ${names.join(', ')} BillingMode is PayPerRequest. You must convert table's BillingMode to PROVISIONED to set parameters: '${parameter}'.`,
  )
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
  const repeated = regions.filter((region, index) => regions.indexOf(region) !== index)
  if (repeated.length > 0) {
    const names = [...new Set(repeated)].join(', ')
    throw failed(validationException, tableName, `because the regions: ‘[${names}]’ were specified more than once.`)
  }
  for (const replica of input.ReplicaUpdates ?? []) {
    const { RegionName: region, ReplicaGlobalSecondaryIndexUpdates: indexes = [] } = replica
    const named = replicas.filter((one) => one.region === region)
    if (named.length === 0) {
      throw failed(notFound, tableName, `because a replica does not exist in regions: ‘[${region}]’.`)
    }
    const update = replica.ReplicaProvisionedReadCapacityAutoScalingUpdate
    if (update === undefined && indexes.length === 0) {
      throw failed(
        validationException,
        tableName,
        `because at least one update parameter must be specified for region: ‘${region}’.`,
      )
    }
    assertIndexes(definition, indexes, region)
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
  region?: string,
): void {
  const present = new Set(
    globalIndexes.filter(({ status }) => status !== 'CREATING').map(({ indexName }) => indexName),
  )
  const missing = updates.map(({ IndexName = '' }) => IndexName).filter((name) => !present.has(name))
  const [first] = missing
  if (first === undefined) return
  if (region !== undefined) {
    throw failed(
      notFound,
      tableName,
      `because a global secondary index with name: ‘${first}’ does not exist in region: ‘${region}’.`,
    )
  }
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
