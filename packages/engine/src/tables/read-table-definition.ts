import type { CreateTableInput, StreamSpecificationInput } from '../api/table-inputs.ts'
import type { IndexDefinition, StreamDefinition, TableDefinition } from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'
import { checkQuotas, type Provided } from './check-quotas.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { checkEncryption, readEncryption } from './read-encryption.ts'
import { type IndexDraft, readIndexes } from './read-indexes.ts'
import { readAttributeTypes, readPrimaryKeySchema } from './read-key-schema.ts'
import { readTableName } from './read-table-name.ts'
import { addTags } from './read-tags.ts'
import { readBilling } from './read-throughput.ts'
import { checkVectorAttributes, readVectorIndexes } from './vector-indexes.ts'

/** Where and when a definition is created or changed. */
export interface DefinitionContext {
  readonly scope: Scope
  readonly nowMs: number
  readonly uuid: () => string
}

/** The definition of a new table without its identifiers, which the catalog allocates. */
export interface TableDraft extends Provided {
  readonly tableName: string
  withIds(ids: { readonly tableId: number; indexIds(count: number): number[] }): TableDefinition
}

export function readTableDefinition(input: CreateTableInput, context: DefinitionContext): TableDraft {
  const { scope, nowMs } = context
  const tableName = readTableName(scope, input.TableName)
  const billing = readBilling(input, nowMs)
  const types = readAttributeTypes(input.AttributeDefinitions)
  const keySchema = readPrimaryKeySchema(input.KeySchema, types)
  checkVectorAttributes(input.VectorIndexes ?? [], types)
  const searched = (input.VectorIndexes ?? []).flatMap(({ SearchSchema = [] }) =>
    SearchSchema.map(({ AttributeName }) => AttributeName),
  )
  const { localIndexes, globalIndexes } = readIndexes(input, keySchema, types, billing.mode, searched)
  const taken = [...localIndexes, ...globalIndexes].map(({ indexName }) => indexName)
  const vectorIndexes = readVectorIndexes(input.VectorIndexes, billing.mode, taken)
  const stream = readNewStream(input.StreamSpecification, nowMs)
  checkEncryption(input.SSESpecification)
  const encryption = readEncryption(input.SSESpecification, scope, context.uuid)
  const tags = addTags({}, input.Tags ?? [])
  const tableUuid = context.uuid()
  checkQuotas({ billing, globalIndexes }, scope.region)

  return {
    tableName,
    billing,
    globalIndexes,
    withIds: (ids) => ({
      tableId: ids.tableId,
      tableUuid,
      accountId: scope.accountId,
      region: scope.region,
      tableName,
      status: 'ACTIVE',
      createdAtMs: nowMs,
      attributeTypes: Object.fromEntries(types),
      keySchema,
      localIndexes: withIndexIds(localIndexes, ids.indexIds(localIndexes.length)),
      globalIndexes: withIndexIds(globalIndexes, ids.indexIds(globalIndexes.length)),
      ...(vectorIndexes.length > 0 && { vectorIndexes }),
      billing,
      deletionProtection: input.DeletionProtectionEnabled ?? false,
      tags,
      ...(input.TableClass === undefined ? {} : { tableClass: input.TableClass }),
      ...(encryption === undefined ? {} : { encryption }),
      ...(stream === undefined ? {} : { stream }),
      ...(input.ResourcePolicy === undefined
        ? {}
        : { resourcePolicy: input.ResourcePolicy, resourcePolicyRevisionId: String(nowMs) }),
    }),
  }
}

/** A stream is named after the moment it was enabled. */
export function newStream(viewType: StreamDefinition['viewType'], nowMs: number): StreamDefinition {
  return { enabled: true, viewType, label: new Date(nowMs).toISOString().slice(0, -1) }
}

function readNewStream(
  specification: StreamSpecificationInput | undefined,
  nowMs: number,
): StreamDefinition | undefined {
  if (specification === undefined) return undefined
  const { StreamEnabled, StreamViewType } = specification
  if (StreamEnabled && StreamViewType === undefined) {
    throw invalidParameter('Table is being created with a stream enabled, UpdateViewType is required')
  }
  if (!StreamEnabled && StreamViewType !== undefined) {
    throw invalidParameter('Table is being created with a stream disabled, UpdateViewType should not be specified')
  }
  return StreamViewType === undefined ? undefined : newStream(StreamViewType, nowMs)
}

export function withIndexIds(drafts: readonly IndexDraft[], ids: readonly number[]): IndexDefinition[] {
  return drafts.map((draft, position) => {
    const indexId = ids[position]
    if (indexId === undefined) throw new Error('the catalog gave out too few identifiers')
    return { indexId, ...draft }
  })
}
