import { ServiceError, validationException } from '@hashrange/core'
import type { Scope, TableDefinition } from '@hashrange/engine'
import type {
  ReplicaSettingsUpdateInput,
  UpdateGlobalTableSettingsInput,
} from '../../api/global-table-settings-inputs.ts'
import type { AutoScalingSettingsUpdateInput } from '../../api/replica-auto-scaling-inputs.ts'
import type { Monitoring } from '../../monitoring.ts'
import { legacyReplicas } from '../../scaling/replicas-of.ts'
import { applySettings, assertSettings, type SettingsChange } from '../../scaling/replica-settings.ts'
import { describeGlobalTableSettings, type GlobalTableSettings } from './describe-global-table-settings.ts'

/** Of global tables of version 2017.11.29: writes for all replicas, reads and the table class for each. */
export async function updateGlobalTableSettings(
  monitoring: Monitoring,
  scope: Scope,
  input: UpdateGlobalTableSettingsInput,
): Promise<GlobalTableSettings> {
  const { GlobalTableName: name, ReplicaSettingsUpdate: updates = [] } = input
  const replicas = legacyReplicas(monitoring, scope, name)
  assertNamed(replicas, input)
  const plans = replicas.map((definition) => {
    const own = updates.find(({ RegionName }) => RegionName === definition.region)
    return { definition, requests: requestsFor(definition, input, own), scaling: scalingFor(name, input, own) }
  })
  for (const { scaling } of plans) for (const change of scaling) assertSettings(name, change)
  for (const { definition, requests, scaling } of plans) {
    for (const request of requests) {
      await monitoring.execute(definition, 'DynamoDB_20120810', 'UpdateTable', { TableName: name, ...request })
    }
    for (const change of scaling) await applySettings(monitoring, definition, change)
  }
  return describeGlobalTableSettings(monitoring, scope, { GlobalTableName: name })
}

function assertNamed(replicas: readonly TableDefinition[], input: UpdateGlobalTableSettingsInput): void {
  const { GlobalTableName: name, ReplicaSettingsUpdate: updates = [] } = input
  const missing = updates.find(({ RegionName }) => replicas.every(({ region }) => region !== RegionName))
  if (missing !== undefined) {
    throw new ServiceError(
      'ReplicaNotFoundException',
      `Failed to update settings for global table with name: ‘${name}’ because the replica in region: ‘${missing.RegionName}’ does not exist.`,
    )
  }
  const indexNames = [
    ...(input.GlobalTableGlobalSecondaryIndexSettingsUpdate ?? []),
    ...updates.flatMap((update) => update.ReplicaGlobalSecondaryIndexSettingsUpdate ?? []),
  ].map(({ IndexName }) => IndexName)
  const known = new Set(replicas[0]?.globalIndexes.map(({ indexName }) => indexName))
  const unknown = indexNames.filter((indexName) => !known.has(indexName))
  if (unknown.length > 0) {
    throw new ServiceError(
      'IndexNotFoundException',
      `Failed to update settings for global table with name: ‘${name}’ because the global secondary indexes with names: ‘[${unknown.join(', ')}]’ do not exist.`,
    )
  }
  if (Object.keys(input).length === 1) {
    throw validationException(
      `Failed to update settings for global table with name: ‘${name}’ because at least one update parameter must be specified.`,
    )
  }
}

/** The requests of UpdateTable that come to the same for one replica. */
function requestsFor(
  { billing, globalIndexes }: TableDefinition,
  input: UpdateGlobalTableSettingsInput,
  own: ReplicaSettingsUpdateInput | undefined,
): readonly object[] {
  const mode = input.GlobalTableBillingMode ?? billing.mode
  const requests: object[] = []
  const unitsOf = (
    throughput: { readUnits: number; writeUnits: number },
    read?: number,
    write?: number,
  ): object => ({
    ReadCapacityUnits: read ?? Math.max(1, throughput.readUnits),
    WriteCapacityUnits: write ?? Math.max(1, throughput.writeUnits),
  })
  const indexUpdates = globalIndexes.flatMap(({ indexName, throughput }) => {
    const write = input.GlobalTableGlobalSecondaryIndexSettingsUpdate?.find(
      ({ IndexName }) => IndexName === indexName,
    )
    const read = own?.ReplicaGlobalSecondaryIndexSettingsUpdate?.find(({ IndexName }) => IndexName === indexName)
    const writeUnits = write?.ProvisionedWriteCapacityUnits
    const readUnits = read?.ProvisionedReadCapacityUnits
    const isSwitching = mode !== billing.mode
    if (writeUnits === undefined && readUnits === undefined && !isSwitching) return []
    const ProvisionedThroughput = unitsOf(throughput ?? { readUnits: 0, writeUnits: 0 }, readUnits, writeUnits)
    return [{ Update: { IndexName: indexName, ProvisionedThroughput } }]
  })
  const read = own?.ReplicaProvisionedReadCapacityUnits
  const write = input.GlobalTableProvisionedWriteCapacityUnits
  if (mode === 'PAY_PER_REQUEST') {
    if (billing.mode !== mode) requests.push({ BillingMode: mode })
  } else if (read !== undefined || write !== undefined || billing.mode !== mode || indexUpdates.length > 0) {
    requests.push({
      ...(billing.mode !== mode && { BillingMode: mode }),
      ...((read !== undefined || write !== undefined || billing.mode !== mode) && {
        ProvisionedThroughput: unitsOf(billing.throughput, read, write),
      }),
      ...(indexUpdates.length > 0 && { GlobalSecondaryIndexUpdates: indexUpdates }),
    })
  }
  if (own?.ReplicaTableClass !== undefined) requests.push({ TableClass: own.ReplicaTableClass })
  return requests
}

function scalingFor(
  tableName: string,
  input: UpdateGlobalTableSettingsInput,
  own: ReplicaSettingsUpdateInput | undefined,
): readonly SettingsChange[] {
  const changes: SettingsChange[] = []
  const add = (
    units: 'read' | 'write',
    update: AutoScalingSettingsUpdateInput | undefined,
    indexName?: string,
  ): void => {
    if (update !== undefined) changes.push({ resource: { tableName, indexName, units }, update })
  }
  add('write', input.GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate)
  for (const index of input.GlobalTableGlobalSecondaryIndexSettingsUpdate ?? []) {
    add('write', index.ProvisionedWriteCapacityAutoScalingSettingsUpdate, index.IndexName)
  }
  add('read', own?.ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate)
  for (const index of own?.ReplicaGlobalSecondaryIndexSettingsUpdate ?? []) {
    add('read', index.ProvisionedReadCapacityAutoScalingSettingsUpdate, index.IndexName)
  }
  return changes
}
