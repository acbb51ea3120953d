import { validationException } from '@hashrange/core'
import type {
  GlobalSecondaryIndexUpdateInput,
  StreamSpecificationInput,
  UpdateTableInput,
} from '../api/table-inputs.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { checkEncryption } from './read-encryption.ts'
import { checkThroughputBounds, throughputOnDemand } from './read-throughput.ts'
import { checkVectorIndexUpdates } from './vector-indexes.ts'

/** What the service rejects in UpdateTable before it looks for the table: above all, more than one kind of change. */
export function checkTableChange(input: UpdateTableInput): void {
  checkVectorIndexUpdates(input.VectorIndexUpdates)
  const kinds = kindsOf(input)
  if (kinds.length === 0) {
    // Whoever has given it is told about the others.
    const consistency = input.MultiRegionConsistency === undefined ? 'MultiRegionConsistency, ' : ''
    throw validationException(
      `At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, ${consistency}DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required`,
    )
  }
  if (input.GlobalSecondaryIndexUpdates?.length === 0) {
    throw invalidParameter('List of GlobalSecondaryIndexUpdates is empty')
  }
  checkWarmIndexes(input.GlobalSecondaryIndexUpdates ?? [])
  checkCombination(input, kinds)
  checkEncryption(input.SSESpecification)
  checkBilling(input)
  checkStream(input.StreamSpecification)
  checkIndexUpdates(input.GlobalSecondaryIndexUpdates ?? [])
  if (input.GlobalTableSettingsReplicationMode === 'ENABLED_WITH_OVERRIDES') {
    throw validationException(
      "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: Only ENABLED and DISABLED settings replication are supported for a Regional Table.",
    )
  }
}

const changeKinds = [
  'ProvisionedThroughput',
  'BillingMode',
  'StreamSpecification',
  'GlobalSecondaryIndexUpdates',
  'SSESpecification',
  'DeletionProtectionEnabled',
  'OnDemandThroughput',
  'WarmThroughput',
  'TableClass',
  'ReplicaUpdates',
  'VectorIndexUpdates',
  'GlobalTableSettingsReplicationMode',
] as const satisfies readonly (keyof UpdateTableInput)[]

type ChangeKind = (typeof changeKinds)[number]

/** A table that leaves on-demand mode together with its last vector index is refused for the index. */
const vectorKinds: ReadonlySet<ChangeKind> = new Set(['VectorIndexUpdates', 'BillingMode', 'ProvisionedThroughput'])

function kindsOf(input: UpdateTableInput): readonly ChangeKind[] {
  const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== undefined)
  return changeKinds.filter((kind) => isGiven(input[kind]))
}

function checkCombination(input: UpdateTableInput, kinds: readonly ChangeKind[]): void {
  const isStrong = input.MultiRegionConsistency !== undefined || input.GlobalTableWitnessUpdates !== undefined
  if (isStrong && kinds.some((kind) => kind !== 'ReplicaUpdates')) {
    throw validationException('Requests that modify replicas or witnesses must not also modify other fields')
  }
  if (kinds.length === 1) return
  if (kinds.includes('SSESpecification')) throw mustBeOnly('Server-Side Encryption modification')
  if (kinds.includes('ReplicaUpdates')) throw mustBeOnly('Replica modification')
  if (kinds.includes('VectorIndexUpdates') && kinds.some((kind) => !vectorKinds.has(kind))) {
    throw mustBeOnly('Vector index modification')
  }
  if (kinds.includes('TableClass')) throw mustBeOnly('TableClass modification')
  if (kinds.includes('DeletionProtectionEnabled')) throw mustBeOnly('DeletionProtection modification')
  if (kinds.includes('OnDemandThroughput') && (kinds.length > 2 || !kinds.includes('BillingMode'))) {
    throw invalidParameter('OnDemandThroughput can only be combined with BillingMode in an UpdateTable request')
  }
  if (kinds.includes('WarmThroughput')) {
    const warmsIndexes = kinds.length === 2 && kinds.includes('GlobalSecondaryIndexUpdates')
    if (warmsIndexes && warmsIndexesOnly(input.GlobalSecondaryIndexUpdates)) return
    if (input.GlobalSecondaryIndexUpdates?.some(({ Create }) => Create !== undefined) === true) {
      throw invalidParameter('Create global secondary index cannot be specified when updating WarmThroughput')
    }
    throw mustBeOnly('WarmThroughput')
  }
  const changesThroughput = input.ProvisionedThroughput !== undefined || input.BillingMode === 'PROVISIONED'
  const changesStream = input.StreamSpecification !== undefined
  const changesIndexes = (input.GlobalSecondaryIndexUpdates ?? []).some(
    ({ Create, Delete }) => Create !== undefined || Delete !== undefined,
  )
  if (changesStream && changesThroughput) {
    throw invalidParameter('You cannot modify stream status while updating table IOPS')
  }
  if (changesIndexes && changesThroughput) {
    throw invalidParameter('You cannot create or delete index while updating table IOPS')
  }
  if (changesIndexes && changesStream) {
    throw invalidParameter('You cannot create or delete index while changing stream status')
  }
}

/** A table and its indexes can be warmed up together. */
function warmsIndexesOnly(updates: readonly GlobalSecondaryIndexUpdateInput[] | undefined): boolean {
  return (updates ?? []).every(
    ({ Create, Delete, Update }) =>
      Create === undefined &&
      Delete === undefined &&
      Update?.WarmThroughput !== undefined &&
      Update.ProvisionedThroughput === undefined &&
      Update.OnDemandThroughput === undefined,
  )
}

function checkWarmIndexes(updates: readonly GlobalSecondaryIndexUpdateInput[]): void {
  for (const { Update } of updates) {
    if (Update?.WarmThroughput === undefined || Object.keys(Update.WarmThroughput).length > 0) continue
    throw invalidParameter(
      `WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: ${Update.IndexName}`,
    )
  }
}

function checkBilling({ BillingMode, ProvisionedThroughput }: UpdateTableInput): void {
  if (BillingMode === 'PROVISIONED' && ProvisionedThroughput === undefined) {
    throw invalidParameter('ProvisionedThroughput must be specified when BillingMode is PROVISIONED')
  }
  if (BillingMode === 'PAY_PER_REQUEST' && ProvisionedThroughput !== undefined) throw throughputOnDemand()
  if (ProvisionedThroughput !== undefined) checkThroughputBounds(ProvisionedThroughput)
}

function checkStream(specification: StreamSpecificationInput | undefined): void {
  if (specification === undefined) return
  const { StreamEnabled, StreamViewType } = specification
  if (StreamEnabled && StreamViewType === undefined) {
    throw invalidParameter('If stream is being enabled then UpdateViewType is required')
  }
  if (!StreamEnabled && StreamViewType !== undefined) {
    throw invalidParameter('If stream is being disabled, then UpdateViewType must not be specified')
  }
}

function checkIndexUpdates(updates: readonly GlobalSecondaryIndexUpdateInput[]): void {
  const names = new Set<string>()
  for (const { Create, Update, Delete } of updates) {
    const [action, ...others] = [Update, Create, Delete].filter((one) => one !== undefined)
    if (action === undefined) {
      throw invalidParameter(
        'One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null',
      )
    }
    if (others.length > 0) {
      throw invalidParameter(
        'Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object',
      )
    }
    if (names.has(action.IndexName)) {
      throw invalidParameter(
        `Only one global secondary index update per index is allowed simultaneously. Index: ${action.IndexName}`,
      )
    }
    names.add(action.IndexName)
    const provisioned = (Update ?? Create)?.ProvisionedThroughput
    if (provisioned !== undefined) checkThroughputBounds(provisioned, action.IndexName)
  }
}

function mustBeOnly(change: string): Error {
  return invalidParameter(`${change} must be the only operation in the request`)
}
