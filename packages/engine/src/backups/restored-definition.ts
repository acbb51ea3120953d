import { isDeepStrictEqual } from 'node:util'
import { validationException, type KeyAttributeType } from '@hashrange/core'
import type { RestoreOverrides } from '../api/backup-inputs.ts'
import type {
  BillingMode,
  GlobalSecondaryIndexInput,
  KeySchemaElementInput,
  LocalSecondaryIndexInput,
  ProjectionInput,
} from '../api/table-inputs.ts'
import type {
  Billing,
  IndexDefinition,
  KeySchema,
  Projection,
  RestoreDefinition,
  TableDefinition,
  VectorIndexDefinition,
} from '../definitions/table-definition.ts'
import { checkQuotas, type Provided } from '../tables/check-quotas.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'
import { checkEncryption, readEncryption } from '../tables/read-encryption.ts'
import { assertProjectsFewEnough, type IndexDraft } from '../tables/read-indexes.ts'
import { namesOf } from '../definitions/key-names.ts'
import { withIndexIds, type DefinitionContext } from '../tables/read-table-definition.ts'
import {
  checkThroughputBounds,
  noThroughput,
  onDemandLimitsOf,
  readIndexThroughput,
  throughputOf,
  warmThroughputOf,
} from '../tables/read-throughput.ts'
import { searchAttributes } from '../tables/types-in-use.ts'
import { readVectorIndexes, vectorIndexOf } from '../tables/vector-indexes.ts'

/** The definition of a restored table, without its identifiers. */
export interface RestoredDraft extends Provided {
  withIds(
    ids: { readonly tableId: number; indexIds(count: number): number[] },
    restore: RestoreDefinition,
  ): TableDefinition
}

/** The definition of a table when it is restored under another name: its keys, its indexes, its billing and
 *  encryption, each unless overridden. Streams, time to live, recovery, tags, policy, class and protection are not
 *  restored. */
export function restoredDefinition(
  source: TableDefinition,
  tableName: string,
  overrides: RestoreOverrides,
  context: DefinitionContext,
): RestoredDraft {
  const { scope, nowMs } = context
  const billing = restoredBilling(source.billing, overrides, nowMs)
  const globalIndexes = restoredGlobalIndexes(source, overrides, billing.mode)
  const localIndexes = restoredLocalIndexes(source, overrides)
  const vectorIndexes = restoredVectorIndexes(source, overrides, billing.mode)
  assertNamedApart([...localIndexes, ...globalIndexes])
  assertProjectsFewEnough([...localIndexes, ...globalIndexes])
  checkEncryption(overrides.SSESpecificationOverride)
  const encryption =
    overrides.SSESpecificationOverride === undefined
      ? source.encryption
      : readEncryption(overrides.SSESpecificationOverride, scope, context.uuid)
  const tableUuid = context.uuid()
  checkQuotas({ billing, globalIndexes }, scope.region)
  return {
    billing,
    globalIndexes,
    withIds: (ids, restore) => ({
      tableId: ids.tableId,
      tableUuid,
      accountId: scope.accountId,
      region: scope.region,
      tableName,
      status: 'CREATING',
      createdAtMs: nowMs,
      attributeTypes: usedTypes(source, [...localIndexes, ...globalIndexes], searchAttributes(vectorIndexes)),
      keySchema: source.keySchema,
      localIndexes: withIndexIds(localIndexes, ids.indexIds(localIndexes.length)),
      globalIndexes: withIndexIds(globalIndexes, ids.indexIds(globalIndexes.length)),
      ...(vectorIndexes.length > 0 && { vectorIndexes }),
      billing,
      deletionProtection: false,
      tags: {},
      restore,
      ...(encryption === undefined ? {} : { encryption }),
    }),
  }
}

function restoredBilling(source: Billing, overrides: RestoreOverrides, nowMs: number): Billing {
  const {
    BillingModeOverride: override,
    ProvisionedThroughputOverride: provisioned,
    OnDemandThroughputOverride: onDemand,
  } = overrides
  const mode = override ?? source.mode
  if (provisioned !== undefined && override === 'PAY_PER_REQUEST') {
    throw invalidRequest('Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST')
  }
  if (provisioned !== undefined && mode !== 'PROVISIONED') {
    throw invalidRequest('Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED')
  }
  if (provisioned === undefined && override === 'PROVISIONED') {
    throw invalidRequest('Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED')
  }
  if (provisioned !== undefined) checkThroughputBounds(provisioned)
  for (const unit of ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const) {
    const value = onDemand?.[unit]
    if (value === undefined) continue
    if (mode === 'PROVISIONED') {
      throw invalidRequest(
        `Cannot override ${unit} for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST`,
      )
    }
    if (value < 1) throw invalidRequest(`Requested ${unit} for OnDemandThroughput is outside of valid range`)
  }
  if (mode === 'PAY_PER_REQUEST') {
    return {
      mode,
      throughput: noThroughput,
      warmThroughput: warmThroughputOf(undefined, undefined),
      lastPayPerRequestAtMs: nowMs,
      ...onDemandLimitsOf(onDemand, source.onDemandLimits),
    }
  }
  const units = provisioned ?? {
    ReadCapacityUnits: source.throughput.readUnits,
    WriteCapacityUnits: source.throughput.writeUnits,
  }
  return { mode, throughput: throughputOf(units), warmThroughput: warmThroughputOf(undefined, units) }
}

function restoredGlobalIndexes(
  source: TableDefinition,
  overrides: RestoreOverrides,
  mode: BillingMode,
): readonly IndexDraft[] {
  const wanted = overrides.GlobalSecondaryIndexOverride
  const indexes = source.globalIndexes.filter(({ status }) => status !== 'DELETING')
  if (wanted === undefined) return indexes.map((index) => billedIndex(index, inputOf(index, mode), mode))
  return wanted.map((input) => {
    if (mode === 'PAY_PER_REQUEST' && input.ProvisionedThroughput !== undefined) {
      throw invalidRequest(
        `Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST for index ${input.IndexName}`,
      )
    }
    return billedIndex({ ...matching(indexes, input), indexName: input.IndexName }, input, mode)
  })
}

function restoredLocalIndexes(source: TableDefinition, overrides: RestoreOverrides): readonly IndexDraft[] {
  const wanted = overrides.LocalSecondaryIndexOverride
  if (wanted === undefined) return source.localIndexes.map(withoutId)
  return wanted.map((input) => ({
    ...withoutId(matching(source.localIndexes, input)),
    indexName: input.IndexName,
  }))
}

/** Some of them can be left out; none can be added or changed. */
function restoredVectorIndexes(
  { vectorIndexes = [] }: TableDefinition,
  { VectorIndexOverride: wanted }: RestoreOverrides,
  mode: BillingMode,
): readonly VectorIndexDefinition[] {
  if (wanted !== undefined && wanted.length > 0) {
    for (const index of readVectorIndexes(wanted, mode, [])) {
      if (vectorIndexes.some((source) => isDeepStrictEqual(source, index))) continue
      throw invalidRequest(
        `Index ${index.indexName} does not match a vector index that existed in the source table and cannot be created during the restore operation`,
      )
    }
  }
  const kept = vectorIndexes.filter(
    ({ indexName }) => wanted === undefined || wanted.some(({ IndexName }) => IndexName === indexName),
  )
  return kept.length === 0 ? kept : readVectorIndexes(kept.map(vectorIndexOf), mode, [])
}

/** An index is identified by its contents: it may be restored under another name, but no new one can be added. */
function matching(indexes: readonly IndexDefinition[], input: LocalSecondaryIndexInput): IndexDefinition {
  const match = indexes.find(
    (index) => sameKeys(index.keySchema, input.KeySchema) && sameProjection(index.projection, input.Projection),
  )
  if (match !== undefined) return match
  throw invalidRequest(
    `Index ${input.IndexName} does not match a secondary index that existed in the source table and cannot be created during the restore operation`,
  )
}

function sameKeys({ hash, range }: KeySchema, elements: readonly KeySchemaElementInput[]): boolean {
  const expected = [...hash.map((name) => ['HASH', name]), ...range.map((name) => ['RANGE', name])]
  return (
    expected.length === elements.length &&
    elements.every(({ KeyType, AttributeName }, at) => {
      const [type, name] = expected[at] ?? []
      return type === KeyType && name === AttributeName
    })
  )
}

function sameProjection(
  projection: Projection,
  { ProjectionType, NonKeyAttributes = [] }: ProjectionInput,
): boolean {
  if (projection.kind !== ProjectionType) return false
  const names = new Set(projection.kind === 'INCLUDE' ? projection.nonKeyAttributes : [])
  return names.size === new Set(NonKeyAttributes).size && NonKeyAttributes.every((name) => names.has(name))
}

function billedIndex(index: IndexDefinition, input: GlobalSecondaryIndexInput, mode: BillingMode): IndexDraft {
  if (mode === 'PROVISIONED' && input.ProvisionedThroughput === undefined) {
    throw invalidRequest(`Must specify provisioned throughput for index ${input.IndexName}`)
  }
  if (input.ProvisionedThroughput !== undefined) {
    checkThroughputBounds(input.ProvisionedThroughput, input.IndexName)
  }
  const { indexName, kind, keySchema, projection } = index
  return { indexName, kind, keySchema, projection, status: 'ACTIVE', ...readIndexThroughput(input, mode) }
}

/** The request that would create the index as it was. */
function inputOf(index: IndexDefinition, mode: BillingMode): GlobalSecondaryIndexInput {
  const { indexName, throughput, onDemandLimits } = index
  const keepsUnits = mode === 'PROVISIONED' && throughput !== undefined && throughput.readUnits > 0
  return {
    IndexName: indexName,
    KeySchema: [],
    Projection: {},
    ...(keepsUnits && {
      ProvisionedThroughput: {
        ReadCapacityUnits: throughput.readUnits,
        WriteCapacityUnits: throughput.writeUnits,
      },
    }),
    ...(mode === 'PAY_PER_REQUEST' &&
      onDemandLimits !== undefined && {
        OnDemandThroughput: {
          MaxReadRequestUnits: onDemandLimits.maxReadUnits ?? -1,
          MaxWriteRequestUnits: onDemandLimits.maxWriteUnits ?? -1,
        },
      }),
  }
}

function usedTypes(
  source: TableDefinition,
  indexes: readonly IndexDraft[],
  searched: readonly string[],
): Record<string, KeyAttributeType> {
  const schemas = [source.keySchema, ...indexes.map(({ keySchema }) => keySchema)]
  const used = new Set([...schemas.flatMap(namesOf), ...searched])
  return Object.fromEntries(Object.entries(source.attributeTypes).filter(([name]) => used.has(name)))
}

function assertNamedApart(indexes: readonly IndexDraft[]): void {
  const names = new Set<string>()
  for (const { indexName } of indexes) {
    if (names.has(indexName)) throw invalidParameter(`Duplicate index name: ${indexName}`)
    names.add(indexName)
  }
}

function withoutId(index: IndexDefinition): IndexDraft {
  const { indexId: _, ...draft } = index
  return draft
}

export function invalidRequest(message: string): Error {
  return validationException(`Invalid Request: ${message}`)
}
