import {
  compileProjection,
  ExpressionScope,
  pathHead,
  project,
  readItemIn,
  validationException,
} from '@hashrange/core'
import type { Item, Projection } from '@hashrange/core'
import type { SearchVectorsInput } from '../api/item-inputs.ts'
import { namesOf } from '../definitions/key-names.ts'
import type { TableDefinition, VectorIndexDefinition } from '../definitions/table-definition.ts'
import { checkSearchCondition, readSearchCondition } from '../expressions/read-search-condition.ts'
import { nearestItems } from '../reads/nearest-items.ts'
import { numbersOf } from '../reads/vector-distance.ts'
import type { Scope } from '../scope.ts'
import type { EngineParts } from './engine-parts.ts'

export interface SearchVectorsOutput {
  readonly SearchResults: readonly { readonly Item: Item; readonly Score: number }[]
  readonly ConsumedCapacity?: { readonly VectorSearchRequestBytes: number }
}

/** The service limits the response, and has no pages. */
const mostAnswerBytes = 16 * 1024 * 1024

/** Bounds what a search remembers. */
const mostResults = 10_000

/** Finds the items whose vectors are the most similar to one. */
export async function searchVectors(
  engine: EngineParts,
  scope: Scope,
  input: SearchVectorsInput,
): Promise<SearchVectorsOutput> {
  const { SearchVector: elements, ReturnConsumedCapacity: wanted, TopK: topK } = input
  const names = new ExpressionScope(input.ExpressionAttributeNames, input.ExpressionAttributeValues)
  const condition = readSearchCondition(input.SearchConditionExpression, names)
  const projection =
    input.ProjectionExpression === undefined ? undefined : compileProjection(input.ProjectionExpression, names)
  names.assertAllUsed()
  const search = elements.map((element) => readItemIn('current', { element })['element'] ?? { NULL: true as const })
  if (topK > mostResults) throw validationException(`TopK must be at most ${mostResults}`)
  const table = engine.requireTable(scope, input.TableName)
  const index = table.definition.vectorIndexes?.find(({ indexName }) => indexName === input.IndexName)
  if (index === undefined) {
    throw validationException(`The table does not have the specified vector index: ${input.IndexName}`)
  }
  const vector = numbersOf(search, index.dimensions)
  if (vector === undefined) {
    throw validationException(
      `SearchVector must be a list of ${index.dimensions} 32-bit floating point numbers, the number of dimensions of the vector index: ${index.indexName}`,
    )
  }
  checkSearchCondition(index, condition)
  const projected = projectedNames(table.definition, index)
  if (projection !== undefined) checkProjected(index, projection, projected)
  const { near, compared } = await nearestItems(engine, { table, index, vector, condition, topK })
  const results = near.map(({ item, score }) => ({ Item: shown(item, projected, projection), Score: score }))
  if (near.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > mostAnswerBytes && answerBytes(results)) {
    throw validationException('The response exceeds 16 MB. Reduce TopK, or project fewer attributes.')
  }
  if (wanted === undefined || wanted === 'NONE') return { SearchResults: results }
  return {
    SearchResults: results,
    ConsumedCapacity: { VectorSearchRequestBytes: compared * index.dimensions * Float32Array.BYTES_PER_ELEMENT },
  }
}

function answerBytes(results: readonly { readonly Item: Item }[]): boolean {
  let bytes = 0
  return results.some(({ Item }) => (bytes += JSON.stringify(Item).length) > mostAnswerBytes)
}

/** Undefined if everything is. The vector and the attributes of the search schema are in the index. */
function projectedNames(
  { keySchema }: TableDefinition,
  { projection, vectorAttribute, searchSchema = [] }: VectorIndexDefinition,
): ReadonlySet<string> | undefined {
  if (projection.kind === 'ALL') return undefined
  const always = [...namesOf(keySchema), vectorAttribute, ...searchSchema.map(({ attributeName }) => attributeName)]
  return new Set(projection.kind === 'INCLUDE' ? [...always, ...projection.nonKeyAttributes] : always)
}

function checkProjected(
  { indexName }: VectorIndexDefinition,
  { paths }: Projection,
  projected: ReadonlySet<string> | undefined,
): void {
  const missing = paths.map(pathHead).find((name) => projected?.has(name) === false)
  if (missing === undefined) return
  throw validationException(
    `One or more parameter values were invalid: Vector index ${indexName} does not project [${missing}]`,
  )
}

function shown(item: Item, projected: ReadonlySet<string> | undefined, projection: Projection | undefined): Item {
  if (projection !== undefined) return project(projection, item)
  if (projected === undefined) return item
  return Object.fromEntries(Object.entries(item).filter(([name]) => projected.has(name)))
}
