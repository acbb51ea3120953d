import { compileProjection, ExpressionScope, project, readItemIn, validationException } from '@hashrange/core'
import type { AttributeValue, Item, Projection } from '@hashrange/core'
import type { SearchVectorsInput } from '../api/item-inputs.ts'
import type { VectorIndexDefinition } from '../definitions/table-definition.ts'
import { shownNames } from '../items/vector-entry.ts'
import { singlesOf, singleText } from '../items/vector-values.ts'
import { nearestItems } from '../reads/nearest-items.ts'
import { checkSearchCondition, readSearchCondition } from '../reads/search-condition.ts'
import type { Scope } from '../scope.ts'
import type { EngineParts } from './engine-parts.ts'

export interface SearchVectorsOutput {
  readonly SearchResults: readonly { readonly Item: Item; readonly Score: number }[]
  readonly ConsumedCapacity?: { readonly VectorSearchRequestBytes: number }
}

/** The service limits the response, and has no pages. */
const mostAnswerBytes = 16 * 1024 * 1024

const mostResults = 100

/** The least that a search is charged. */
const leastBytes = 1_024

/** Finds the items whose vectors are the most similar to one. */
export async function searchVectors(
  engine: EngineParts,
  scope: Scope,
  input: SearchVectorsInput,
): Promise<SearchVectorsOutput> {
  const { SearchVector: elements, ReturnConsumedCapacity: wanted, TopK: topK } = input
  if (topK > mostResults) {
    throw validationException(
      `Provided TopK value '${topK}' is out of valid range. The value must be between 1 and ${mostResults} inclusive`,
    )
  }
  const names = new ExpressionScope(input.ExpressionAttributeNames, input.ExpressionAttributeValues)
  const narrowed = readSearchCondition(input.SearchConditionExpression, names)
  const projection =
    input.ProjectionExpression === undefined ? undefined : compileProjection(input.ProjectionExpression, names)
  names.assertAllUsed()
  const search = elements.map((element) => readItemIn('current', { element })['element'] ?? { NULL: true as const })
  const table = engine.requireTable(scope, input.TableName)
  const index = table.definition.vectorIndexes?.find(({ indexName }) => indexName === input.IndexName)
  if (index === undefined) {
    throw validationException(`The table does not have the specified index: ${input.IndexName}`)
  }
  const vector = searchedVector(search, index)
  checkSearchCondition(table.definition, index, narrowed?.terms ?? [])
  const condition = narrowed?.condition
  const { near, compared } = await nearestItems(engine, { table, index, vector, condition, topK })
  const projected = shownNames(table.definition, index)
  const results = near.map(({ item, score }) => ({ Item: shown(item, index, projected, projection), Score: score }))
  if (near.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > mostAnswerBytes && answerBytes(results)) {
    throw validationException('The response exceeds 16 MB. Reduce TopK, or project fewer attributes.')
  }
  if (wanted === undefined || wanted === 'NONE') return { SearchResults: results }
  const bytes = compared * index.dimensions * Float32Array.BYTES_PER_ELEMENT
  return { SearchResults: results, ConsumedCapacity: { VectorSearchRequestBytes: Math.max(leastBytes, bytes) } }
}

function searchedVector(elements: readonly AttributeValue[], { dimensions }: VectorIndexDefinition): Float32Array {
  const vector = singlesOf(elements)
  if (vector === undefined) {
    throw validationException(
      'Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number attribute',
    )
  }
  if (vector.length === dimensions) return vector
  throw validationException(
    `Input search vector dimension ${vector.length} does not match vector index dimension ${dimensions}`,
  )
}

function answerBytes(results: readonly { readonly Item: Item }[]): boolean {
  let bytes = 0
  return results.some(({ Item }) => (bytes += JSON.stringify(Item).length) > mostAnswerBytes)
}

/** What a search shows of an item: what the index projects, and its vector only if that is asked for, in the precision
 *  of the index. */
function shown(
  item: Item,
  { vectorAttribute }: VectorIndexDefinition,
  projected: ReadonlySet<string> | undefined,
  projection: Projection | undefined,
): Item {
  const isShown = (name: string): boolean =>
    projected?.has(name) !== false && (projection !== undefined || name !== vectorAttribute)
  const entry = Object.fromEntries(Object.entries(item).filter(([name]) => isShown(name)))
  const vector = entry[vectorAttribute]
  if (projection === undefined) return entry
  if (vector === undefined || !('L' in vector)) return project(projection, entry)
  const L = vector.L.map((element) =>
    'N' in element ? { N: singleText(Math.fround(Number(element.N))) } : element,
  )
  return project(projection, { ...entry, [vectorAttribute]: { L } })
}
