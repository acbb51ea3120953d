import { limits } from '@hashrange/core'
import type {
  CreateTableInput,
  GlobalSecondaryIndexInput,
  LocalSecondaryIndexInput,
  ProjectionInput,
} from '../api/table-inputs.ts'
import type { Billing, IndexDefinition, KeySchema, Projection } from '../definitions/table-definition.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { capacityFor, javaHashOrder } from './java-hash-order.ts'
import { type AttributeTypes, readGlobalKeySchema, readPrimaryKeySchema } from './read-key-schema.ts'
import { namesOf } from '../definitions/key-names.ts'
import { checkGlobalIndexThroughput, type IndexThroughput, readIndexThroughput } from './read-throughput.ts'

/** An index that has no identifier yet. */
export type IndexDraft = Omit<IndexDefinition, 'indexId'>

export interface IndexDrafts {
  readonly localIndexes: readonly IndexDraft[]
  readonly globalIndexes: readonly IndexDraft[]
}

/** The indexes of a new table, checked in the service's order: the keys of all, then everything else about each. */
export function readIndexes(
  input: CreateTableInput,
  tableKey: KeySchema,
  types: AttributeTypes,
  mode: Billing['mode'],
  searched: readonly string[] = [],
): IndexDrafts {
  const { LocalSecondaryIndexes: locals, GlobalSecondaryIndexes: globals } = input
  if (locals?.length === 0) throw invalidParameter('List of LocalSecondaryIndexes is empty')
  if (globals?.length === 0) throw invalidParameter('List of GlobalSecondaryIndexes is empty')
  if (locals !== undefined && tableKey.range.length === 0) {
    throw invalidParameter(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    )
  }
  const localKeys = (locals ?? []).map((index) => readLocalKeySchema(index, tableKey, types))
  const globalKeys = (globals ?? []).map((index) => readGlobalKeySchema(index.KeySchema, types))
  assertNoDefinitionUnused([tableKey, ...localKeys, ...globalKeys], searched, types, locals ?? globals)

  const names = new Set<string>()
  const localIndexes = (locals ?? []).map((index, position) => {
    const projection = readProjection(index.Projection)
    assertNewName(index.IndexName, names)
    return localIndexDraft(index.IndexName, localKeys[position] ?? tableKey, projection)
  })
  if (localIndexes.length > limits.localSecondaryIndexes) {
    throw invalidParameter(
      `Number of LocalSecondaryIndexes exceeds per-table limit of ${limits.localSecondaryIndexes}`,
    )
  }
  const globalIndexes = (globals ?? []).map((index, position) => {
    const projection = readProjection(index.Projection)
    checkGlobalIndexThroughput(index, mode)
    assertNewName(index.IndexName, names)
    return globalIndexDraft(index, globalKeys[position] ?? tableKey, projection, readIndexThroughput(index, mode))
  })
  if (globalIndexes.length > limits.globalSecondaryIndexes) {
    throw invalidParameter(
      `GlobalSecondaryIndex count exceeds the per-table limit of ${limits.globalSecondaryIndexes}`,
    )
  }
  assertProjectsFewEnough([...localIndexes, ...globalIndexes])
  return { localIndexes, globalIndexes }
}

export function globalIndexDraft(
  { IndexName }: GlobalSecondaryIndexInput,
  keySchema: KeySchema,
  projection: Projection,
  throughput: IndexThroughput,
): IndexDraft {
  return { indexName: IndexName, kind: 'global', keySchema, projection, status: 'ACTIVE', ...throughput }
}

export function readProjection({ ProjectionType, NonKeyAttributes }: ProjectionInput): Projection {
  if (ProjectionType === undefined) throw invalidParameter('Unknown ProjectionType: null')
  if (ProjectionType !== 'INCLUDE') {
    if (NonKeyAttributes === undefined) return { kind: ProjectionType }
    throw invalidParameter(`ProjectionType is ${ProjectionType}, but NonKeyAttributes is specified`)
  }
  if (NonKeyAttributes === undefined) {
    throw invalidParameter('ProjectionType is INCLUDE, but NonKeyAttributes is not specified')
  }
  const names = new Set<string>()
  for (const name of NonKeyAttributes) {
    if (names.has(name)) throw invalidParameter(`Duplicate element in NonKeyAttributes: ${name}`)
    names.add(name)
  }
  return { kind: 'INCLUDE', nonKeyAttributes: NonKeyAttributes }
}

/** Across all indexes of a table; an attribute counts as often as it is projected. */
export function assertProjectsFewEnough(indexes: readonly Pick<IndexDefinition, 'projection'>[]): void {
  let count = 0
  for (const { projection } of indexes) {
    if (projection.kind === 'INCLUDE') count += projection.nonKeyAttributes.length
  }
  if (count <= limits.nonKeyAttributesPerTable) return
  throw invalidParameter(
    `Number of NonKeyAttributes across all indexes exceeds per-table limit of ${limits.nonKeyAttributesPerTable}`,
  )
}

function localIndexDraft(indexName: string, keySchema: KeySchema, projection: Projection): IndexDraft {
  return { indexName, kind: 'local', keySchema, projection, status: 'ACTIVE' }
}

function readLocalKeySchema(
  index: LocalSecondaryIndexInput,
  tableKey: KeySchema,
  types: AttributeTypes,
): KeySchema {
  const schema = readPrimaryKeySchema(index.KeySchema, types)
  if (schema.range.length === 0) {
    throw invalidParameter(`Index KeySchema does not have a range key for index: ${index.IndexName}`)
  }
  const [indexHash] = schema.hash
  const [tableHash] = tableKey.hash
  if (indexHash === tableHash) return schema
  throw invalidParameter(
    `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${index.IndexName}. index hash key: ${indexHash}, table hash key: ${tableHash}`,
  )
}

function assertNoDefinitionUnused(
  schemas: readonly KeySchema[],
  searched: readonly string[],
  types: AttributeTypes,
  indexes: unknown,
): void {
  // An attribute that only narrows searches may be defined, but need not be.
  const used = new Set([...schemas.flatMap(namesOf), ...searched.filter((name) => types.has(name))])
  if (used.size === types.size) return
  if (indexes === undefined) {
    throw invalidParameter(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    )
  }
  const defined = javaHashOrder([...types.keys()], capacityFor(types.size))
  throw invalidParameter(
    `Some AttributeDefinitions are not used. AttributeDefinitions: [${defined.join(', ')}], keys used: [${javaHashOrder([...used]).join(', ')}]`,
  )
}

function assertNewName(indexName: string, names: Set<string>): void {
  if (names.has(indexName)) throw invalidParameter(`Duplicate index name: ${indexName}`)
  names.add(indexName)
}
