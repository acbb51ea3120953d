import { ServiceError, validationException } from '@hashrange/core'
import type { AttributeDefinitionInput, VectorIndexInput, VectorIndexUpdateInput } from '../api/table-inputs.ts'
import { namesOf } from '../definitions/key-names.ts'
import { tableArn } from '../definitions/table-arn.ts'
import type { Billing, TableDefinition, VectorIndexDefinition } from '../definitions/table-definition.ts'
import { attributeRedefined, keyElement, vectorElement } from './attribute-redefined.ts'
import { invalidParameter, limitExceeded } from './invalid-parameter.ts'
import { readProjection } from './read-indexes.ts'
import { type AttributeTypes, readAttributeTypes } from './read-key-schema.ts'
import { withTypesInUse } from './types-in-use.ts'

const mostDimensions = 4_096
const mostVectorIndexes = 5
const mostInlineFilters = 18

/** The vector indexes of a new table. `taken` are the names of its other indexes. */
export function readVectorIndexes(
  inputs: readonly VectorIndexInput[] | undefined,
  mode: Billing['mode'],
  taken: readonly string[],
): readonly VectorIndexDefinition[] {
  if (inputs === undefined) return []
  if (inputs.length === 0) throw invalidParameter('List of VectorIndexes is empty')
  return inputs.reduce<readonly VectorIndexDefinition[]>((indexes, input) => {
    const names = [...taken, ...indexes.map(({ indexName }) => indexName)]
    if (names.includes(input.IndexName)) throw invalidParameter(`Duplicate index name: ${input.IndexName}`)
    return withVectorIndex(indexes, input, mode)
  }, [])
}

/** The attributes of a search schema are defined, as those of keys are; a vector is not. */
export function checkVectorAttributes(inputs: readonly VectorIndexInput[], types: AttributeTypes): void {
  for (const { VectorAttribute, SearchSchema = [] } of inputs) {
    if (types.has(VectorAttribute.AttributeName)) {
      throw conflicting(
        VectorAttribute.AttributeName,
        'An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute.',
      )
    }
    if (SearchSchema.some(({ AttributeName }) => !types.has(AttributeName))) {
      throw invalidParameter('One element in SearchSchema is not defined in attribute definitions')
    }
  }
}

/** Adds or removes the one vector index that UpdateTable may change. */
export function changeVectorIndexes(
  definition: TableDefinition,
  updates: readonly VectorIndexUpdateInput[],
  attributeDefinitions: readonly AttributeDefinitionInput[],
  mode: Billing['mode'],
): TableDefinition {
  const { vectorIndexes = [], globalIndexes, localIndexes, tableName } = definition
  if (mode === 'PROVISIONED' && vectorIndexes.length > 0) {
    throw invalidParameter('Tables with vector indexes must be in PAY_PER_REQUEST mode')
  }
  const [update, ...others] = updates
  if (update === undefined) return definition
  if (others.length > 0) {
    throw limitExceeded(
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    )
  }
  if (update.Create !== undefined) {
    const taken = [...globalIndexes, ...localIndexes, ...vectorIndexes]
    if (taken.some(({ indexName }) => indexName === update.Create?.IndexName)) {
      throw validationException('Attempting to create an index which already exists')
    }
    if (vectorIndexes.length >= mostVectorIndexes) {
      throw limitExceeded(
        `Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of ${mostVectorIndexes}`,
      )
    }
    // What the table has defined before does not count, as for a global index.
    const newTypes = readAttributeTypes(attributeDefinitions)
    checkVectorAttributes([update.Create], newTypes)
    assertNotKey(definition, update.Create)
    const indexes = withVectorIndex(vectorIndexes, update.Create, mode)
    return withTypesInUse({ ...definition, vectorIndexes: indexes }, newTypes)
  }
  const name = update.Delete?.IndexName
  const kept = vectorIndexes.filter(({ indexName }) => indexName !== name)
  if (kept.length === vectorIndexes.length) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Requested resource not found: Index ${name} for table ${tableName}`,
    )
  }
  const { vectorIndexes: _all, ...rest } = definition
  return withTypesInUse(kept.length === 0 ? rest : { ...rest, vectorIndexes: kept }, new Map())
}

/** What can be said about a change of vector indexes before the table is known. */
export function checkVectorIndexUpdates(updates: readonly VectorIndexUpdateInput[] | undefined): void {
  if (updates === undefined) return
  if (updates.length === 0) throw invalidParameter('List of VectorIndexUpdates is empty')
  for (const { Create, Delete } of updates) {
    if (Create === undefined && Delete === undefined) {
      throw invalidParameter('One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null')
    }
    if (Create !== undefined && Delete !== undefined) {
      throw invalidParameter('Only one vector index action is allowed per VectorIndexUpdate object')
    }
  }
}

export function describeVectorIndexes(definition: TableDefinition): unknown {
  const { vectorIndexes = [], status } = definition
  if (vectorIndexes.length === 0) return undefined
  return vectorIndexes.map((index) => ({
    ...vectorIndexOf(index),
    IndexArn: `${tableArn(definition)}/index/${index.indexName}`,
    IndexStatus: status === 'CREATING' ? 'CREATING' : 'ACTIVE',
  }))
}

/** A vector index as a request would create it. */
export function vectorIndexOf(index: VectorIndexDefinition): VectorIndexInput {
  const { projection, searchSchema } = index
  return {
    IndexName: index.indexName,
    VectorAttribute: { AttributeName: index.vectorAttribute },
    Dimensions: index.dimensions,
    DistanceFunction: index.distanceFunction,
    Projection:
      projection.kind === 'INCLUDE'
        ? { ProjectionType: 'INCLUDE', NonKeyAttributes: projection.nonKeyAttributes }
        : { ProjectionType: projection.kind },
    ...(searchSchema !== undefined && {
      SearchSchema: searchSchema.map(({ attributeName, kind }) => ({
        AttributeName: attributeName,
        SearchSchemaElementType: kind,
      })),
    }),
  }
}

function withVectorIndex(
  indexes: readonly VectorIndexDefinition[],
  input: VectorIndexInput,
  mode: Billing['mode'],
): readonly VectorIndexDefinition[] {
  const { IndexName, Dimensions, DistanceFunction, SearchSchema } = input
  const vectorAttribute = input.VectorAttribute.AttributeName
  if (mode === 'PROVISIONED') {
    throw invalidParameter('Vector indexes are only supported for PAY_PER_REQUEST tables')
  }
  if (indexes.length >= mostVectorIndexes) {
    throw invalidParameter(`VectorIndex count exceeds the per-table limit of ${mostVectorIndexes}`)
  }
  if (Dimensions > mostDimensions) {
    throw invalidParameter(`Number of dimensions must be between 1 and ${mostDimensions} inclusive.`)
  }
  if (indexes.some((index) => index.vectorAttribute === vectorAttribute && index.dimensions !== Dimensions)) {
    throw conflicting(
      vectorAttribute,
      'All VectorIndexes on the same vector attribute must use the same dimensions.',
    )
  }
  const index: VectorIndexDefinition = {
    indexName: IndexName,
    vectorAttribute,
    dimensions: Dimensions,
    distanceFunction: DistanceFunction,
    projection: readProjection(input.Projection),
    ...(SearchSchema !== undefined && { searchSchema: readSearchSchema(SearchSchema) }),
  }
  return [...indexes, index]
}

function assertNotKey(
  { keySchema, localIndexes, globalIndexes, attributeTypes }: TableDefinition,
  { VectorAttribute: { AttributeName: name }, Dimensions }: VectorIndexInput,
): void {
  const schemas = [keySchema, ...[...localIndexes, ...globalIndexes].map((index) => index.keySchema)]
  const schema = schemas.find((one) => namesOf(one).includes(name))
  if (schema === undefined) return
  const keyType = schema.hash.includes(name) ? 'HASH' : 'RANGE'
  throw attributeRedefined(keyElement(name, attributeTypes[name], keyType), vectorElement(name, Dimensions))
}

function readSearchSchema(
  elements: NonNullable<VectorIndexInput['SearchSchema']>,
): NonNullable<VectorIndexDefinition['searchSchema']> {
  const schema = elements.map(({ AttributeName, SearchSchemaElementType }) => ({
    attributeName: AttributeName,
    kind: SearchSchemaElementType,
  }))
  if (new Set(schema.map(({ attributeName }) => attributeName)).size < schema.length) {
    throw invalidParameter('SearchSchema contains a duplicate AttributeName')
  }
  assertAtMost(1, 'HASH', schema)
  assertAtMost(mostInlineFilters, 'INLINE_FILTER', schema)
  return schema
}

function assertAtMost(
  most: number,
  kind: 'HASH' | 'INLINE_FILTER',
  schema: NonNullable<VectorIndexDefinition['searchSchema']>,
): void {
  const count = schema.filter((element) => element.kind === kind).length
  if (count > most) {
    throw invalidParameter(
      `Value '${count}' at 'SearchSchema' failed to satisfy constraint: Member must have ${kind} count less than or equal to ${most}`,
    )
  }
}

function conflicting(name: string, rule: string): Error {
  return invalidParameter(`Conflicting attribute definition for '${name}'. ${rule}`)
}
