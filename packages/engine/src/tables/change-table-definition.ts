import { validationException } from '@hashrange/core'
import type { ProvisionedThroughputInput, StreamSpecificationInput, UpdateTableInput } from '../api/table-inputs.ts'
import type {
  Billing,
  IndexDefinition,
  OnDemandLimits,
  TableDefinition,
  Throughput,
  WarmThroughput,
} from '../definitions/table-definition.ts'
import { changeIndexes, type IndexChange, type NewIndexIds } from './change-indexes.ts'
import { changeThroughput } from './change-throughput.ts'
import { checkAccountQuota, checkQuotas, type ProvisionedUnits } from './check-quotas.ts'
import { payPerRequestSwitch } from './pay-per-request-switch.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { readEncryption } from './read-encryption.ts'
import { type DefinitionContext, newStream } from './read-table-definition.ts'
import {
  assertNotColder,
  checkOnDemandThroughput,
  noThroughput,
  onDemandLimitsOf,
  throughputOnDemand,
  warmThroughputOf,
} from './read-throughput.ts'
import { changeVectorIndexes } from './vector-indexes.ts'

export interface ChangeContext extends DefinitionContext {
  /** If the request creates an index. */
  readonly newIndexIds?: NewIndexIds | undefined
  /** What the account's other tables have provisioned. */
  readonly otherTables: ProvisionedUnits
}

export interface TableChange {
  readonly definition: TableDefinition
  /** What the service returns: that the table is being updated, and often still its old values. */
  readonly shown: TableDefinition
  readonly createdIndex?: IndexDefinition
  readonly deletedIndex?: IndexDefinition
}

/** The result of UpdateTable. The request has passed `checkTableChange`. */
export function changeTableDefinition(
  current: TableDefinition,
  input: UpdateTableInput,
  context: ChangeContext,
): TableChange {
  const mode = input.BillingMode ?? current.billing.mode
  const billing = changeBilling(current, input, context)
  const indexChange = changeIndexes(
    current,
    input.GlobalSecondaryIndexUpdates ?? [],
    input.AttributeDefinitions,
    mode,
    context.newIndexIds,
    context.nowMs,
  )
  const {
    stream: _stream,
    encryption: _encryption,
    ...rest
  } = changeVectorIndexes(
    indexChange.definition,
    input.VectorIndexUpdates ?? [],
    input.AttributeDefinitions ?? [],
    mode,
  )
  const stream = changeStream(current, input.StreamSpecification, context.nowMs)
  const encryption = changeEncryption(current, input, context)
  const definition: TableDefinition = {
    ...rest,
    status: rest.status === 'CREATING' ? rest.status : statusWith(rest),
    globalIndexes: billedAs(billing, current, indexChange.definition.globalIndexes),
    billing,
    deletionProtection: input.DeletionProtectionEnabled ?? current.deletionProtection,
    ...settingsReplication(current, input),
    ...changedTableClass(current, input, context.nowMs),
    ...(encryption === undefined ? {} : { encryption }),
    ...(stream === undefined ? {} : { stream }),
  }
  checkQuotas(definition, current.region)
  checkAccountQuota(current, definition, context.otherTables, current.region)
  return {
    definition,
    shown: shownOf(current, definition, input, indexChange),
    ...(indexChange.created === undefined ? {} : { createdIndex: indexChange.created }),
    ...(indexChange.deleted === undefined ? {} : { deletedIndex: indexChange.deleted }),
  }
}

/** It can only be set on a table without replicas. Their settings are always synchronised. */
function settingsReplication(
  { replication }: TableDefinition,
  { GlobalTableSettingsReplicationMode: mode }: UpdateTableInput,
): Pick<TableDefinition, 'settingsReplication'> {
  if (mode === undefined || mode === 'ENABLED_WITH_OVERRIDES') return {}
  if (replication !== undefined) {
    throw validationException('GlobalTableSettingsReplicationMode can only be changed for a Regional Table.')
  }
  return { settingsReplication: mode }
}

/** A table is being updated as long as one of its indexes is being built, or a replica comes or goes. */
function statusWith({
  globalIndexes,
  replication,
}: Pick<TableDefinition, 'globalIndexes' | 'replication'>): TableDefinition['status'] {
  const changing = [...globalIndexes, ...(replication?.replicas ?? [])]
  return changing.some(({ status }) => status === 'CREATING' || status === 'DELETING') ? 'UPDATING' : 'ACTIVE'
}

function changeBilling(current: TableDefinition, input: UpdateTableInput, context: ChangeContext): Billing {
  const { billing } = current
  const { ProvisionedThroughput: provisioned, OnDemandThroughput: onDemand, WarmThroughput: warm } = input
  const mode = input.BillingMode ?? billing.mode
  checkOnDemandThroughput(onDemand, mode, { subject: '', rangeSubject: 'table', ending: '', mayRemove: true })
  assertNotColder(warm, billing.warmThroughput, 'table')
  if (mode === 'PAY_PER_REQUEST') {
    if (provisioned !== undefined) throw throughputOnDemand()
    const switches = billing.mode !== mode
    const switched = switches
      ? payPerRequestSwitch(billing.payPerRequestSwitchesMs ?? [], context.nowMs)
      : undefined
    const switchedMs = switched ?? billing.payPerRequestSwitchesMs
    return {
      mode,
      throughput: { ...billing.throughput, readUnits: 0, writeUnits: 0 },
      warmThroughput: warmThroughputOf(warm, undefined, billing.warmThroughput),
      lastPayPerRequestAtMs: switches ? context.nowMs : (billing.lastPayPerRequestAtMs ?? context.nowMs),
      ...(switchedMs !== undefined && { payPerRequestSwitchesMs: switchedMs }),
      ...onDemandLimitsOf(onDemand, billing.onDemandLimits),
    }
  }
  const { onDemandLimits: _, ...kept } = billing
  return {
    ...kept,
    mode,
    throughput: provisioned === undefined ? billing.throughput : provisionedAs(billing, provisioned, context.nowMs),
    warmThroughput: warmThroughputOf(
      warm,
      provisioned ?? { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
      billing.warmThroughput,
    ),
  }
}

/** An on-demand table had nothing that could be increased. */
function provisionedAs(billing: Billing, provisioned: ProvisionedThroughputInput, nowMs: number): Throughput {
  if (billing.mode === 'PROVISIONED') return changeThroughput(billing.throughput, provisioned, nowMs)
  const { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits } = provisioned
  return { ...billing.throughput, readUnits, writeUnits }
}

/** Switching the billing mode also switches the indexes. */
function billedAs(
  billing: Billing,
  current: TableDefinition,
  indexes: readonly IndexDefinition[],
): readonly IndexDefinition[] {
  if (billing.mode === current.billing.mode) return indexes
  if (billing.mode === 'PAY_PER_REQUEST') {
    return indexes.map((index) => ({
      ...index,
      throughput: noThroughput,
      warmThroughput: warmThroughputOf(undefined, undefined, index.warmThroughput),
    }))
  }
  const without = indexes.filter(({ throughput }) => (throughput?.readUnits ?? 0) === 0)
  if (without.length > 0) {
    const names = without.map(({ indexName }) => indexName).join(',')
    throw invalidParameter(`ProvisionedThroughput must be specified for index: ${names}`)
  }
  return indexes.map(withoutOnDemandLimits)
}

function withoutOnDemandLimits(index: IndexDefinition): IndexDefinition {
  const { onDemandLimits: _, ...rest } = index
  return rest
}

function changeStream(
  { stream, tableName, replication }: TableDefinition,
  specification: StreamSpecificationInput | undefined,
  nowMs: number,
): TableDefinition['stream'] {
  if (specification === undefined) return stream
  if (specification.StreamViewType !== undefined) {
    if (stream?.enabled === true) {
      throw validationException(`Table already has an enabled stream: TableName: ${tableName}`)
    }
    return newStream(specification.StreamViewType, nowMs)
  }
  if (replication !== undefined && replication.consistency !== 'STRONG')
    throw invalidParameter('Disabling Stream is not allowed for a Global Table replica.')
  if (stream?.enabled !== true) throw validationException(`Table has no stream to disable: TableName: ${tableName}`)
  return { ...stream, enabled: false }
}

function changeEncryption(
  { encryption }: TableDefinition,
  { SSESpecification: specification }: UpdateTableInput,
  { scope, uuid }: ChangeContext,
): TableDefinition['encryption'] {
  if (specification === undefined) return encryption
  const changed = readEncryption(specification, scope, uuid)
  if (changed === undefined && encryption === undefined) {
    throw invalidParameter('Table is already encrypted by default')
  }
  // The same key under any other name counts as a new one.
  if (specification.KMSMasterKeyId !== undefined && specification.KMSMasterKeyId === encryption?.kmsKeyArn) {
    throw invalidParameter(
      'Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key',
    )
  }
  return changed
}

function changedTableClass(
  current: TableDefinition,
  { TableClass }: UpdateTableInput,
  nowMs: number,
): Pick<TableDefinition, 'tableClass' | 'tableClassChangedAtMs'> {
  if (TableClass === undefined || TableClass === (current.tableClass ?? 'STANDARD')) return {}
  return { tableClass: TableClass, tableClassChangedAtMs: nowMs }
}

/** Changes that take the service a while are answered with a table or index that is UPDATING; throughput, class and
 *  encryption then still have their old values. */
function shownOf(
  current: TableDefinition,
  definition: TableDefinition,
  input: UpdateTableInput,
  { created, deleted }: IndexChange,
): TableDefinition {
  if (input.TableClass !== undefined) return { ...current, status: 'UPDATING' }
  if (input.ProvisionedThroughput !== undefined && input.BillingMode === undefined) {
    const { lastIncreaseAtMs } = definition.billing.throughput
    const throughput = {
      ...current.billing.throughput,
      ...(lastIncreaseAtMs === undefined ? {} : { lastIncreaseAtMs }),
    }
    return { ...current, status: 'UPDATING', billing: { ...current.billing, throughput } }
  }
  if (deleted !== undefined) {
    const globalIndexes = current.globalIndexes.map((index) =>
      index.indexId === deleted.indexId ? { ...index, status: 'DELETING' as const } : index,
    )
    return { ...current, status: 'UPDATING', globalIndexes }
  }
  if (created !== undefined) {
    const globalIndexes = definition.globalIndexes.map((index) =>
      index.indexId === created.indexId ? { ...index, backfilling: false } : index,
    )
    return { ...definition, status: 'UPDATING', globalIndexes }
  }
  if (input.OnDemandThroughput !== undefined && input.BillingMode === undefined) {
    return { ...definition, billing: { ...definition.billing, onDemandLimits: shownLimits(definition, input) } }
  }
  if (input.WarmThroughput !== undefined) {
    const { warmThroughput, ...billing } = definition.billing
    const warming = { ...definition, billing: { ...billing, ...warmingUp(warmThroughput) } }
    return updatingIndexes(current, warming, input)
  }
  if (input.SSESpecification !== undefined) {
    const { encryption: _, ...rest } = definition
    return { ...rest, ...(current.encryption !== undefined && { encryption: current.encryption }) }
  }
  const takesAWhile = input.ProvisionedThroughput ?? input.BillingMode ?? input.StreamSpecification
  if (takesAWhile !== undefined) return { ...definition, status: 'UPDATING' }
  return input.GlobalSecondaryIndexUpdates === undefined ? definition : updatingIndexes(current, definition, input)
}

/** A removed limit is returned as it was requested. */
function shownLimits(
  { billing }: TableDefinition,
  { OnDemandThroughput: asked }: UpdateTableInput,
): OnDemandLimits {
  return {
    ...billing.onDemandLimits,
    ...(asked?.MaxReadRequestUnits === -1 ? { maxReadUnits: -1 } : {}),
    ...(asked?.MaxWriteRequestUnits === -1 ? { maxWriteUnits: -1 } : {}),
  }
}

/** Indexes whose throughput changes are UPDATING while their table is not. Their warm throughput changes without
 *  notice. */
function updatingIndexes(
  current: TableDefinition,
  definition: TableDefinition,
  { GlobalSecondaryIndexUpdates: updates = [] }: UpdateTableInput,
): TableDefinition {
  const globalIndexes = definition.globalIndexes.map((index): IndexDefinition => {
    const update = updates.find(({ Update }) => Update?.IndexName === index.indexName)?.Update
    if (update === undefined) return index
    const before = current.globalIndexes.find(({ indexId }) => indexId === index.indexId) ?? index
    if (update.ProvisionedThroughput !== undefined) return { ...before, status: 'UPDATING' }
    if (update.OnDemandThroughput !== undefined) return { ...index, status: 'UPDATING' }
    return { ...before, ...warmingUp(index.warmThroughput) }
  })
  return { ...definition, globalIndexes }
}

function warmingUp(warmThroughput: WarmThroughput | undefined): { warmThroughput?: WarmThroughput } {
  return warmThroughput === undefined ? {} : { warmThroughput: { ...warmThroughput, updating: true } }
}
