import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { namesIn, openSongs, searchSongs, vector, type FoundSongs } from '../testing/songs-with-vectors.ts'
import type { TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

const search = (IndexName: string, SearchVector: unknown, more: object = {}): Promise<FoundSongs> =>
  searchSongs(db, IndexName, SearchVector, more)

beforeEach(async () => {
  db = await openSongs()
})

afterEach(() => db.close())

describe('SearchVectors', () => {
  test('finds the nearest first, by each distance', async () => {
    const near = await search('euclidean', vector(1, 0))
    expect(namesIn(near)).toEqual(['a', 'b', 'd'])
    expect(near.SearchResults.map(({ Score }) => Score)).toEqual([0, Math.fround(Math.SQRT2), 2])
    const angles = await search('cosine', vector(2, 0), { TopK: 10 })
    expect(namesIn(angles)).toEqual(['a', 'c', 'b', 'd'])
    expect(angles.SearchResults.map(({ Score }) => Number(Score.toFixed(6)))).toEqual([0, 0.292893, 1, 2])
    expect(namesIn(await search('dot', vector(1, 0), { TopK: 2 }))).toEqual(['c', 'a'])
  })

  test('no score goes beyond single precision, and none is lost on the way', async () => {
    const put = (pk: string, ...numbers: readonly unknown[]): Promise<unknown> =>
      db.run('PutItem', { TableName: 'songs', Item: { pk: { S: pk }, v: { L: numbers } } })
    await put('far', { N: '-3.4e38' }, { N: '3.4e38' })
    const [nearest] = (await search('dot', [{ N: '3.4e38' }, { N: '3.4e38' }], { TopK: 1 })).SearchResults
    expect(nearest?.Score).toBe(3.4028234663852886e38)
    const far = (await search('dot', [{ N: '3.4e38' }, { N: '3.4e38' }], { TopK: 4 })).SearchResults.at(-1)
    expect([far?.Item['pk'], far?.Score]).toEqual([{ S: 'far' }, 0])
    await put('tiny', { N: '1e-23' }, { N: '0' })
    await put('zero', { N: '0' }, { N: '0' })
    const scores = (await search('cosine', [{ N: '1e-23' }, { N: '0' }], { TopK: 10 })).SearchResults.map(
      ({ Item, Score }) => [(Item['pk'] as { readonly S: string }).S, Score] as const,
    )
    expect(Object.fromEntries(scores)).toMatchObject({ a: 0, tiny: 0, zero: 1 })
  })

  test('shows what the index projects, and the vector only if asked', async () => {
    const [first] = (await search('euclidean', vector(1, 0), { TopK: 1 })).SearchResults
    expect(Object.keys(first?.Item ?? {})).toEqual(['pk'])
    const [whole] = (await search('cosine', vector(1, 0), { TopK: 1 })).SearchResults
    expect(Object.keys(whole?.Item ?? {}).toSorted()).toEqual(['genre', 'pk', 'title', 'year'])
    const [titled] = (await search('dot', vector(1, 0), { TopK: 1, ProjectionExpression: 'title' })).SearchResults
    expect(titled?.Item).toEqual({ title: { S: 'tc' } })
    const both = { TopK: 1, ProjectionExpression: 'pk, v' }
    const [unprojected] = (await search('euclidean', vector(1, 0), both)).SearchResults
    expect(unprojected?.Item).toEqual({ pk: { S: 'a' } })
    const Item = { pk: { S: 'precise' }, v: { L: [{ N: '16777217' }, { N: '-0.1' }] } }
    await db.run('PutItem', { TableName: 'songs', Item })
    const [precise] = (await search('cosine', [{ N: '16777217' }, { N: '-0.1' }], both)).SearchResults
    expect(precise?.Item).toEqual({ pk: { S: 'precise' }, v: { L: [{ N: '16777216.0' }, { N: '-0.1' }] } })
  })

  const refusal = (IndexName: string, more: object): Promise<string> =>
    search(IndexName, vector(1, 0), more).then(
      () => 'accepted',
      (error: Error) => error.message,
    )

  test('is narrowed by values of the search schema alone, and needs its partition key', async () => {
    const rock = await search('genre', vector(1, 0), {
      SearchConditionExpression: '(genre = :g AND :y = #y)',
      ExpressionAttributeValues: { ':g': { S: 'rock' }, ':y': { N: '1980.0' } },
      ExpressionAttributeNames: { '#y': 'year' },
    })
    expect(namesIn(rock)).toEqual(['b'])
    expect(await refusal('genre', {})).toBe(
      'SearchConditionExpression must be provided when SearchSchema has a HASH key',
    )
    const narrowed = (SearchConditionExpression: string, value: object = { S: 'rock' }): Promise<string> =>
      refusal('genre', {
        SearchConditionExpression,
        ExpressionAttributeNames: { '#g': 'genre' },
        ExpressionAttributeValues: { ':g': value },
      })
    const without = { SearchConditionExpression: '#y = :y', ExpressionAttributeNames: { '#y': 'year' } }
    expect(await refusal('genre', { ...without, ExpressionAttributeValues: { ':y': { N: '1980' } } })).toBe(
      'SearchConditionExpression must have all HASH attributes in configured SearchSchema',
    )
    const invalid = 'Invalid SearchConditionExpression: '
    for (const condition of ['#g > :g', '#g = :g OR #g = :g', 'NOT #g = :g', 'begins_with(#g, :g)', '#g IN (:g)']) {
      expect(await narrowed(condition)).toBe(`${invalid}Invalid comparator used in SearchConditionExpression`)
    }
    expect(await narrowed('#g.deep = :g')).toBe(
      `${invalid}SearchConditionExpression cannot have conditions on nested attributes`,
    )
    expect(await narrowed('#g = :g AND #g = :g')).toBe(
      `${invalid}SearchConditionExpression must only contain one condition per attribute`,
    )
    expect(await narrowed('#g = :g AND title = :g')).toBe(
      'SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid attribute: title',
    )
    expect(await narrowed('#g = :g', { N: '1' })).toBe(
      "Type of 'genre' attribute in SearchConditionExpression (N) does not match type in search schema (S)",
    )
    expect(await narrowed('#g = :g', { S: '' })).toBe(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: genre',
    )
  })

  test('refuses vectors that do not fit, and indexes that are not there', async () => {
    const said = (SearchVector: unknown): Promise<string> => refusal('euclidean', { SearchVector })
    const values =
      'Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number attribute'
    for (const wrong of [[{ S: '1' }, { N: '1' }], [{ N: '1e39' }, { N: '1' }], [{ L: vector(1, 0) }]]) {
      expect(await said(wrong)).toBe(values)
    }
    expect(await said(vector(1))).toBe('Input search vector dimension 1 does not match vector index dimension 2')
    expect(await refusal('euclidean', { TopK: 101 })).toBe(
      "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive",
    )
    for (const name of ['nobody', '__proto__']) {
      expect(await refusal(name, {})).toBe(`The table does not have the specified index: ${name}`)
    }
    const elsewhere = { TableName: 'elsewhere', IndexName: 'abc', SearchVector: vector(1), TopK: 1 }
    expect(await db.refusal('SearchVectors', elsewhere)).toMatchObject({ code: 'ResourceNotFoundException' })
  })

  test('its request is read strictly, and its values are not printed', async () => {
    const body = { TableName: 'songs', IndexName: 'euclidean', SearchVector: vector(1, 0), TopK: 1 }
    const said = async (changes: object): Promise<string> => {
      const { code, message } = await db.refusal('SearchVectors', { ...body, ...changes })
      return `${code}: ${message}`
    }
    const strict = async (member: string, value: unknown): Promise<string> => {
      const upTo = Object.entries({ ...body, [member]: value }).slice(0, Object.keys(body).indexOf(member) + 1)
      const column = JSON.stringify(Object.fromEntries(upTo)).length - 1
      return (await said({ [member]: value })).replace(` at line 1 column ${column}`, '')
    }
    const refused = 'SerializationException: invalid'
    expect(await strict('TableName', null)).toBe(`${refused} type: null, expected a string`)
    expect(await strict('IndexName', 7)).toBe(`${refused} type: integer \`7\`, expected a string`)
    expect(await strict('SearchVector', { L: [] })).toBe(`${refused} type: map, expected a sequence`)
    expect(await strict('TopK', 3.5)).toBe(`${refused} type: floating point \`3.5\`, expected i32`)
    expect(await strict('TopK', 2 ** 31)).toBe(`${refused} value: integer \`2147483648\`, expected i32`)
    const { TableName: _name, ...nameless } = body
    expect(await db.refusal('SearchVectors', { ...nameless, IndexName: 'ab' })).toMatchObject({
      code: 'ValidationException',
      message: expect.stringMatching(/^missing field `TableName` at line 1 column \d+$/) as string,
    })
    const violated = (member: string, bound: string): string =>
      `ValidationException: 1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must have ${bound}`
    expect(await said({ IndexName: 'ab' })).toBe(violated('IndexName', 'length greater than or equal to 3'))
    expect(await said({ SearchVector: [] })).toBe(violated('SearchVector', 'length greater than or equal to 1'))
    expect(await said({ ReturnConsumedCapacity: 'x' })).toBe(
      "ValidationException: Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
    )
    expect(await said({ TopK: 0 })).toBe(violated('TopK', 'value greater than or equal to 1'))
  })

  test('says how much it has compared', async () => {
    const { ConsumedCapacity } = await search('euclidean', vector(1, 0), { ReturnConsumedCapacity: 'TOTAL' })
    expect(ConsumedCapacity).toEqual({ VectorSearchRequestBytes: 1024 })
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
