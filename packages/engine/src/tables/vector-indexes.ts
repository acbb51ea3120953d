import { limits } from '@hashrange/core'
import type { VectorIndexInput, VectorIndexUpdateInput } from '../api/table-inputs.ts'
import { tableArn } from '../definitions/table-arn.ts'
import type { Billing, TableDefinition, VectorIndexDefinition } from '../definitions/table-definition.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { readProjection } from './read-indexes.ts'

/** The longest vector that a search can be asked with. */
const mostDimensions = 4_096

/** The vector indexes of a new table. `taken` are the names of its other indexes. */
export function readVectorIndexes(
  inputs: readonly VectorIndexInput[] | undefined,
  mode: Billing['mode'],
  taken: readonly string[],
): readonly VectorIndexDefinition[] {
  if (inputs === undefined) return []
  if (inputs.length === 0) throw invalidParameter('List of VectorIndexes is empty')
  return inputs.reduce<readonly VectorIndexDefinition[]>(
    (indexes, input) => withVectorIndex(indexes, input, mode, taken),
    [],
  )
}

/** Adds or removes the one vector index that UpdateTable may change. */
export function changeVectorIndexes(
  { vectorIndexes = [], globalIndexes, localIndexes }: TableDefinition,
  updates: readonly VectorIndexUpdateInput[],
  mode: Billing['mode'],
): readonly VectorIndexDefinition[] {
  const [update] = updates
  if (mode === 'PROVISIONED' && vectorIndexes.length > 0) throw needsOnDemand()
  if (update === undefined) return vectorIndexes
  if (update.Create !== undefined) {
    const taken = [...globalIndexes, ...localIndexes].map(({ indexName }) => indexName)
    return withVectorIndex(vectorIndexes, update.Create, mode, taken)
  }
  const name = update.Delete?.IndexName
  const kept = vectorIndexes.filter(({ indexName }) => indexName !== name)
  if (kept.length < vectorIndexes.length) return kept
  throw invalidParameter(`The table does not have the specified vector index: ${name}`)
}

/** What can be said about a change of vector indexes before the table is known. */
export function checkVectorIndexUpdates(updates: readonly VectorIndexUpdateInput[] | undefined): void {
  if (updates === undefined) return
  if (updates.length === 0) throw invalidParameter('List of VectorIndexUpdates is empty')
  for (const { Create, Delete } of updates) {
    if ((Create === undefined) === (Delete === undefined)) {
      throw invalidParameter(
        'Exactly one of VectorIndexUpdate.Create and VectorIndexUpdate.Delete must be specified',
      )
    }
  }
  if (updates.length > 1) {
    throw invalidParameter('Only one vector index can be added or removed in an UpdateTable request')
  }
}

/** The attributes by which searches can be narrowed. */
export function searchAttributes(indexes: readonly VectorIndexDefinition[] = []): readonly string[] {
  return indexes.flatMap(({ searchSchema = [] }) => searchSchema.map(({ attributeName }) => attributeName))
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
  taken: readonly string[],
): readonly VectorIndexDefinition[] {
  const { IndexName, Dimensions, DistanceFunction, SearchSchema } = input
  const vectorAttribute = input.VectorAttribute.AttributeName
  if (mode === 'PROVISIONED') throw needsOnDemand()
  if (taken.includes(IndexName) || indexes.some(({ indexName }) => indexName === IndexName)) {
    throw invalidParameter(`Duplicate index name: ${IndexName}`)
  }
  if (indexes.length >= limits.globalSecondaryIndexes) {
    throw invalidParameter(`VectorIndex count exceeds the per-table limit of ${limits.globalSecondaryIndexes}`)
  }
  if (Dimensions > mostDimensions) {
    throw invalidParameter(`Dimensions must be at most ${mostDimensions} for index: ${IndexName}`)
  }
  const other = indexes.find(
    (index) => index.vectorAttribute === vectorAttribute && index.dimensions !== Dimensions,
  )
  if (other !== undefined) {
    throw invalidParameter(
      `Vector indexes on the same attribute must have the same number of dimensions. Attribute: ${vectorAttribute}`,
    )
  }
  const searchSchema = SearchSchema?.map((element) => ({
    attributeName: element.AttributeName,
    kind: element.SearchSchemaElementType,
  }))
  assertDistinct(IndexName, [vectorAttribute, ...(searchSchema ?? []).map(({ attributeName }) => attributeName)])
  const index: VectorIndexDefinition = {
    indexName: IndexName,
    vectorAttribute,
    dimensions: Dimensions,
    distanceFunction: DistanceFunction,
    projection: readProjection(input.Projection),
    ...(searchSchema !== undefined && { searchSchema }),
  }
  return [...indexes, index]
}

function assertDistinct(indexName: string, names: readonly string[]): void {
  if (new Set(names).size === names.length) return
  throw invalidParameter(`An attribute can only have one role in the vector index: ${indexName}`)
}

function needsOnDemand(): Error {
  return invalidParameter('Vector indexes are only supported on tables that use on-demand capacity mode')
}
