import { openTestEngine, type TestEngine } from './test-engine.ts'

/** A table of songs with vectors of two dimensions, and one index per distance and one with a search schema. */
export const songs = {
  TableName: 'songs',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'genre', AttributeType: 'S' },
    { AttributeName: 'year', AttributeType: 'N' },
  ],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
  VectorIndexes: [
    vectorIndex('euclidean'),
    vectorIndex('cosine', 'COSINE', { Projection: { ProjectionType: 'ALL' } }),
    vectorIndex('dot', 'DOT_PRODUCT', { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] } }),
    vectorIndex('genre', 'EUCLIDEAN', {
      SearchSchema: [
        { AttributeName: 'genre', SearchSchemaElementType: 'HASH' },
        { AttributeName: 'year', SearchSchemaElementType: 'INLINE_FILTER' },
      ],
    }),
  ],
}

export function vectorIndex(IndexName: string, DistanceFunction = 'EUCLIDEAN', more: object = {}): object {
  return {
    IndexName,
    VectorAttribute: { AttributeName: 'v' },
    Dimensions: 2,
    DistanceFunction,
    Projection: { ProjectionType: 'KEYS_ONLY' },
    ...more,
  }
}

export function vector(...numbers: readonly number[]): readonly { readonly N: string }[] {
  return numbers.map((number) => ({ N: String(number) }))
}

export async function openSongs(): Promise<TestEngine> {
  const db = await openTestEngine()
  await db.run('CreateTable', songs)
  const items: readonly (readonly [string, readonly unknown[], string, number])[] = [
    ['a', vector(1, 0), 'rock', 1970],
    ['b', vector(0, 1), 'rock', 1980],
    ['c', vector(3, 3), 'jazz', 1990],
    ['d', vector(-1, 0), 'rock', 2000],
  ]
  for (const [pk, L, genre, year] of items) {
    const Item = { pk: { S: pk }, v: { L }, genre: { S: genre }, year: { N: String(year) }, title: { S: `t${pk}` } }
    await db.run('PutItem', { TableName: 'songs', Item })
  }
  await db.run('PutItem', { TableName: 'songs', Item: { pk: { S: 'without' } } })
  return db
}

export interface FoundSongs {
  readonly SearchResults: readonly { readonly Item: Record<string, unknown>; readonly Score: number }[]
  readonly ConsumedCapacity?: unknown
}

export async function searchSongs(
  db: TestEngine,
  IndexName: string,
  SearchVector: unknown,
  more: object = {},
): Promise<FoundSongs> {
  const answer: unknown = await db.run('SearchVectors', {
    TableName: 'songs',
    IndexName,
    SearchVector,
    TopK: 3,
    ...more,
  })
  return answer as FoundSongs
}

export function namesIn({ SearchResults }: FoundSongs): unknown[] {
  return SearchResults.map(({ Item }) => (Item['pk'] as { readonly S: string }).S)
}
