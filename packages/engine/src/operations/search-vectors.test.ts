import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

const vector = (...numbers: readonly number[]): readonly { readonly N: string }[] =>
  numbers.map((number) => ({ N: String(number) }))

const index = (IndexName: string, DistanceFunction = 'EUCLIDEAN', more: object = {}): object => ({
  IndexName,
  VectorAttribute: { AttributeName: 'v' },
  Dimensions: 2,
  DistanceFunction,
  Projection: { ProjectionType: 'KEYS_ONLY' },
  ...more,
})

const table = {
  TableName: 'songs',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
  VectorIndexes: [
    index('euclidean'),
    index('cosine', 'COSINE', { Projection: { ProjectionType: 'ALL' } }),
    index('dot', 'DOT_PRODUCT', { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] } }),
    index('genre', 'EUCLIDEAN', {
      SearchSchema: [
        { AttributeName: 'genre', SearchSchemaElementType: 'HASH' },
        { AttributeName: 'year', SearchSchemaElementType: 'INLINE_FILTER' },
      ],
    }),
  ],
}

interface Found {
  readonly SearchResults: readonly { readonly Item: Record<string, unknown>; readonly Score: number }[]
  readonly ConsumedCapacity?: unknown
}

async function search(IndexName: string, SearchVector: unknown, more: object = {}): Promise<Found> {
  const answer: unknown = await db.run('SearchVectors', {
    TableName: 'songs',
    IndexName,
    SearchVector,
    TopK: 3,
    ...more,
  })
  return answer as Found
}

const namesIn = ({ SearchResults }: Found): unknown[] =>
  SearchResults.map(({ Item }) => (Item['pk'] as { readonly S: string }).S)

beforeEach(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', table)
  const songs: readonly (readonly [string, readonly unknown[], string, number])[] = [
    ['a', vector(1, 0), 'rock', 1970],
    ['b', vector(0, 1), 'rock', 1980],
    ['c', vector(3, 3), 'jazz', 1990],
    ['d', vector(-1, 0), 'rock', 2000],
    ['short', vector(1), 'rock', 2000],
    ['words', [{ S: '1' }, { S: '0' }], 'rock', 2000],
  ]
  for (const [pk, L, genre, year] of songs) {
    const Item = { pk: { S: pk }, v: { L }, genre: { S: genre }, year: { N: String(year) }, title: { S: `t${pk}` } }
    await db.run('PutItem', { TableName: 'songs', Item })
  }
  await db.run('PutItem', { TableName: 'songs', Item: { pk: { S: 'without' } } })
})

afterEach(() => db.close())

describe('SearchVectors', () => {
  test('finds the nearest first, by each distance', async () => {
    const near = await search('euclidean', vector(1, 0))
    expect(namesIn(near)).toEqual(['a', 'b', 'd'])
    expect(near.SearchResults.map(({ Score }) => Score)).toEqual([0, Math.SQRT2, 2])
    const angles = await search('cosine', vector(2, 0), { TopK: 10 })
    expect(namesIn(angles)).toEqual(['a', 'c', 'b', 'd'])
    expect(angles.SearchResults.map(({ Score }) => Number(Score.toFixed(6)))).toEqual([0, 0.292893, 1, 2])
    expect(namesIn(await search('dot', vector(1, 0), { TopK: 2 }))).toEqual(['c', 'a'])
  })

  test('shows what the index projects, and no more', async () => {
    const [first] = (await search('euclidean', vector(1, 0), { TopK: 1 })).SearchResults
    expect(Object.keys(first?.Item ?? {}).toSorted()).toEqual(['pk', 'v'])
    const [whole] = (await search('cosine', vector(1, 0), { TopK: 1 })).SearchResults
    expect(Object.keys(whole?.Item ?? {})).toContain('year')
    const [titled] = (await search('dot', vector(1, 0), { TopK: 1, ProjectionExpression: 'title' })).SearchResults
    expect(titled?.Item).toEqual({ title: { S: 'tc' } })
    const unprojected = search('euclidean', vector(1, 0), { ProjectionExpression: 'title' })
    await expect(unprojected).rejects.toThrow('does not project [title]')
  })

  test('is narrowed by the search schema alone, and needs its partition key', async () => {
    const named = { ExpressionAttributeNames: { '#y': 'year' } }
    const rock = await search('genre', vector(1, 0), {
      SearchConditionExpression: 'genre = :g AND #y BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':g': { S: 'rock' }, ':from': { N: '1975' }, ':to': { N: '2000' } },
      ...named,
    })
    expect(namesIn(rock)).toEqual(['b', 'd'])
    await expect(search('genre', vector(1, 0))).rejects.toThrow('must specify the HASH attribute')
    for (const condition of ['genre > :g', 'genre = :g OR genre = :g', 'NOT genre = :g']) {
      const refused = search('genre', vector(1, 0), {
        SearchConditionExpression: condition,
        ExpressionAttributeValues: { ':g': { S: 'rock' } },
      })
      await expect(refused).rejects.toMatchObject({ code: 'ValidationException' })
    }
    const foreign = search('genre', vector(1, 0), {
      SearchConditionExpression: 'genre = :g AND title = :g',
      ExpressionAttributeValues: { ':g': { S: 'rock' } },
    })
    await expect(foreign).rejects.toThrow('can only reference top-level attributes of the search schema')
  })

  test('refuses vectors that do not fit, and indexes that are not there', async () => {
    for (const wrong of [vector(1), vector(1, 2, 3), [{ S: '1' }, { N: '1' }], [{ N: '1e100' }, { N: '1' }]]) {
      await expect(search('euclidean', wrong)).rejects.toMatchObject({ code: 'ValidationException' })
    }
    await expect(search('euclidean', [])).rejects.toMatchObject({ code: 'ValidationException' })
    await expect(search('nobody', vector(1, 0))).rejects.toThrow('does not have the specified vector index')
    await expect(search('euclidean', vector(1, 0), { TopK: 0 })).rejects.toMatchObject({
      code: 'ValidationException',
    })
    await expect(search('__proto__', vector(1, 0))).rejects.toMatchObject({ code: 'ValidationException' })
    const elsewhere = db.run('SearchVectors', {
      TableName: 'no',
      IndexName: 'abc',
      SearchVector: vector(1),
      TopK: 1,
    })
    await expect(elsewhere).rejects.toMatchObject({ code: expect.stringMatching(/Exception$/) as string })
  })

  test('says how much it has compared', async () => {
    const { ConsumedCapacity } = await search('euclidean', vector(1, 0), { ReturnConsumedCapacity: 'TOTAL' })
    expect(ConsumedCapacity).toEqual({ VectorSearchRequestBytes: 4 * 2 * 4 })
  })

  test('sees changes, and reads more than one turn', async () => {
    const puts = Array.from({ length: 450 }, (_, n) => ({
      PutRequest: { Item: { pk: { S: `many${n}` }, v: { L: vector(100 + n, 0) } } },
    }))
    for (let n = 0; n < puts.length; n += 25) {
      await db.run('BatchWriteItem', { RequestItems: { songs: puts.slice(n, n + 25) } })
    }
    expect(namesIn(await search('dot', vector(1, 0), { TopK: 2 }))).toEqual(['many449', 'many448'])
    await db.run('DeleteItem', { TableName: 'songs', Key: { pk: { S: 'many449' } } })
    expect(namesIn(await search('dot', vector(1, 0), { TopK: 1 }))).toEqual(['many448'])
  })
})

describe('Vector indexes', () => {
  test('come and go with UpdateTable, and are described', async () => {
    const update = (...VectorIndexUpdates: readonly object[]): Promise<unknown> =>
      db.run('UpdateTable', { TableName: 'songs', VectorIndexUpdates })
    await update({ Create: index('later') })
    expect(namesIn(await search('later', vector(0, 1), { TopK: 1 }))).toEqual(['b'])
    await update({ Delete: { IndexName: 'dot' } })
    const { Table } = (await db.run('DescribeTable', { TableName: 'songs' })) as unknown as {
      readonly Table: { readonly VectorIndexes: readonly Record<string, unknown>[] }
    }
    expect(Table.VectorIndexes.map(({ IndexName }) => IndexName)).toEqual(['euclidean', 'cosine', 'genre', 'later'])
    expect(Table.VectorIndexes[0]).toMatchObject({ IndexStatus: 'ACTIVE', Dimensions: 2 })
    await expect(update({ Delete: { IndexName: 'dot' } })).rejects.toMatchObject({ code: 'ValidationException' })
    await expect(update({ Create: index('later') })).rejects.toThrow('Duplicate index name')
    await expect(update({ Create: { ...index('wide'), Dimensions: 3 } })).rejects.toThrow(
      'same number of dimensions',
    )
    await expect(update({})).rejects.toMatchObject({ code: 'ValidationException' })
  })

  test('need on-demand capacity', async () => {
    const provisioned = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
    const created = db.run('CreateTable', {
      ...table,
      TableName: 'other',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: provisioned,
    })
    await expect(created).rejects.toThrow('on-demand')
    const switched = db.run('UpdateTable', {
      TableName: 'songs',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: provisioned,
    })
    await expect(switched).rejects.toThrow('on-demand')
  })

  test('are in every replica', async () => {
    await db.run('UpdateTable', { TableName: 'songs', ReplicaUpdates: [{ Create: { RegionName: 'us-east-1' } }] })
    const there = { ...testScope, region: 'us-east-1' }
    const find = (): Promise<Found> =>
      Promise.resolve(
        db.engine.execute(there, 'DynamoDB_20120810', 'SearchVectors', {
          TableName: 'songs',
          IndexName: 'euclidean',
          SearchVector: vector(1, 0),
          TopK: 1,
        }),
      ) as Promise<Found>
    await expect.poll(async () => namesIn(await find().catch(() => ({ SearchResults: [] })))).toEqual(['a'])
  })
})
