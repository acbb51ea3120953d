import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allPages, createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'
import { queryOf, valuesIn } from './testing/query-of.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
})

afterEach(() => db.close())

const put = (TableName: string, Item: object): Promise<unknown> => db.run('PutItem', { TableName, Item })

describe('pages', () => {
  /** Twelve items; on both indexes all but the last two have the same sort key. */
  beforeEach(async () => {
    const table = {
      hash: 'pk',
      range: 'sk',
      global: { global: { hash: ['g'], range: ['same:N'], projection: 'KEYS_ONLY' as const } },
      local: { local: { range: 'same:N', projection: 'KEYS_ONLY' as const } },
    }
    await db.run('CreateTable', createTableInput('pages', table))
    for (let n = 10; n < 22; n++) {
      const Item = {
        pk: { S: 'a' },
        sk: { S: `${n}` },
        g: { S: 'g' },
        same: { N: n < 20 ? '1' : '2' },
        n: { N: `${n}` },
      }
      await put('pages', Item)
    }
    await put('pages', { pk: { S: 'b' }, sk: { S: '10' }, g: { S: 'h' }, same: { N: '1' } })
  })

  const a = { ':a': { S: 'a' } }
  const sources = [
    ['the table', queryOf('pages', 'pk = :a', a)],
    ['a local index', queryOf('pages', 'pk = :a', a, { IndexName: 'local' })],
    ['a global index', queryOf('pages', 'g = :g', { ':g': { S: 'g' } }, { IndexName: 'global' })],
  ] as const

  describe.each(sources)('of %s', (_name, query) => {
    test.each([1, 2, 5, 11, 12, 13])('of %i go through everything once, in both directions', async (Limit) => {
      const whole = valuesIn(await db.run('Query', query))
      expect(whole.toSorted()).toEqual(Array.from({ length: 12 }, (_, n) => `${n + 10}`))
      const forward = await allPages(db, 'Query', { ...query, Limit })
      expect(forward.flatMap((page) => valuesIn(page))).toEqual(whole)
      const backward = await allPages(db, 'Query', { ...query, Limit, ScanIndexForward: false })
      expect(backward.flatMap((page) => valuesIn(page))).toEqual(whole.toReversed())
      // A page that is full says so, even if nothing follows.
      expect(forward.length).toBe(Math.floor(12 / Limit) + 1)
      for (const page of forward.slice(0, -1)) expect(page.ScannedCount).toBe(Limit)
    })

    test('go on after an item that has been deleted meanwhile', async () => {
      const whole = valuesIn(await db.run('Query', query))
      const first = await db.run('Query', { ...query, Limit: 5 })
      for (const sk of whole.slice(3, 7)) {
        await db.run('DeleteItem', { TableName: 'pages', Key: { pk: { S: 'a' }, sk: { S: sk } } })
      }
      const start = { ExclusiveStartKey: first.LastEvaluatedKey }
      expect(valuesIn(await db.run('Query', { ...query, ...start }))).toEqual(whole.slice(7))
      expect(valuesIn(await db.run('Query', { ...query, ...start, ScanIndexForward: false }))).toEqual(
        whole.slice(0, 3).toReversed(),
      )
    })

    test('count what was evaluated, not what the filter let through', async () => {
      const pages = await allPages(db, 'Query', {
        ...query,
        Limit: 4,
        FilterExpression: 'attribute_exists(nothing)',
      })
      expect(pages.map(({ Count, ScannedCount }) => [Count, ScannedCount])).toEqual([
        [0, 4],
        [0, 4],
        [0, 4],
        [0, 0],
      ])
      expect(pages.map(({ LastEvaluatedKey }) => LastEvaluatedKey !== undefined)).toEqual([true, true, true, false])
    })
  })

  test('of an index name the keys of the index and of the table', async () => {
    const [, , [, global]] = sources
    const { LastEvaluatedKey } = await db.run('Query', { ...global, Limit: 1 })
    expect(Object.keys(LastEvaluatedKey ?? {}).toSorted()).toEqual(['g', 'pk', 'same', 'sk'])
    for (const missing of ['g', 'pk', 'same', 'sk']) {
      const { [missing]: _, ...ExclusiveStartKey } = LastEvaluatedKey ?? {}
      const error = await db.refusal('Query', { ...global, ExclusiveStartKey })
      expect(error.message).toBe('The provided starting key is invalid')
    }
    const ExclusiveStartKey = { ...LastEvaluatedKey, n: { N: '1' } }
    expect((await db.refusal('Query', { ...global, ExclusiveStartKey })).message).toBe(
      'The provided starting key is invalid',
    )
  })

  test.each([
    ['local', 'pk = :h AND same = :s', 'a'],
    ['global', 'g = :h AND same = :s', 'g'],
  ])(
    'of the %s index go on among entries that are asked for by one sort key',
    async (IndexName, condition, hash) => {
      const values = { ':h': { S: hash }, ':s': { N: '1' } }
      const query = queryOf('pages', condition, values, { IndexName, Limit: 3 })
      const pages = await allPages(db, 'Query', query)
      expect(pages.flatMap((page) => valuesIn(page)).toSorted()).toEqual(
        Array.from({ length: 10 }, (_, n) => `${n + 10}`),
      )
      expect(pages).toHaveLength(4)
    },
  )

  test('cannot begin outside of what is asked for', async () => {
    const start = (pk: string, sk: string): object => ({ ExclusiveStartKey: { pk: { S: pk }, sk: { S: sk } } })
    const [[, query]] = sources
    expect((await db.refusal('Query', { ...query, ...start('b', '10') })).message).toBe(
      'The provided starting key is outside query boundaries based on provided conditions',
    )
    const ranged = queryOf('pages', 'pk = :a AND sk > :s', { ...a, ':s': { S: '15' } })
    for (const pk of ['a', 'b']) {
      expect((await db.refusal('Query', { ...ranged, ...start(pk, '14') })).message).toBe(
        'The provided starting key does not match the range key predicate',
      )
    }
    expect((await db.refusal('Query', { ...ranged, ...start('b', '16') })).message).toBe(
      'The query can return at most one row and cannot be restarted',
    )
    expect(valuesIn(await db.run('Query', { ...ranged, ...start('a', '19') }))).toEqual(['20', '21'])
    // Between two items is as good as at one.
    expect(valuesIn(await db.run('Query', { ...ranged, ...start('a', '19x') }))).toEqual(['20', '21'])
    expect(valuesIn(await db.run('Query', { ...ranged, ...start('a', '17'), ScanIndexForward: false }))).toEqual([
      '16',
    ])
  })
})

test('what is wrong is told in order: old conditions, the start key, the key condition, the filter, the projection, the table, the key', async () => {
  const refusalOf = async (input: object): Promise<string> =>
    (await db.refusal('Query', { TableName: 'nowhere', ...input })).message
  const empty = { KeyConditionExpression: '', FilterExpression: '', ProjectionExpression: '' }
  const start = { ExclusiveStartKey: { pk: {} } }
  const QueryFilter = { a: { ComparisonOperator: 'EQ' } }
  expect(await refusalOf({ KeyConditions: {}, QueryFilter, ...start })).toMatch(/^One or more .* EQ Comp/)
  expect(await refusalOf({ ...empty, ...start })).toMatch(/^The provided starting key is invalid: Supplied/)
  expect(await refusalOf(empty)).toMatch(/^Invalid KeyConditionExpression/)
  expect(await refusalOf({ ...empty, KeyConditionExpression: 'pk = sk' })).toMatch(/^Invalid FilterExpression/)
  expect(await refusalOf({ ...empty, KeyConditionExpression: 'pk = sk', FilterExpression: 'a = b' })).toMatch(
    /^Invalid ProjectionExpression/,
  )
  const KeyConditions = { pk: { ComparisonOperator: 'NOT_NULL' } }
  expect(await refusalOf({ KeyConditions })).toBe('Requested resource not found')
  await db.run('CreateTable', createTableInput('there', { hash: 'pk' }))
  expect(await refusalOf({ TableName: 'there', KeyConditions })).toMatch(/is not an indexable operation$/)
})

describe('a start key that no page ended with', () => {
  const table = { hash: 'pk', range: 'sk', global: { global: { hash: ['g:N'] } } }
  const query = queryOf('start', 'x = :a', { ':a': { S: 'a' } })
  const byIndex = { ...query, IndexName: 'global' }
  const byKey = { ...byIndex, ...queryOf('start', 'g = :g', { ':g': { N: '1' } }) }
  const invalid = 'The provided starting key is invalid'
  const mismatch = 'The provided key element does not match the schema'

  beforeEach(() => db.run('CreateTable', createTableInput('start', table)))

  test.each([
    ['lacks a part', query, { pk: { S: 'a' } }, invalid],
    ['has too much', query, { pk: { S: 'a' }, sk: { S: 'b' }, g: { N: '1' } }, invalid],
    ['has another attribute', query, { pk: { S: 'a' }, x: { S: 'b' } }, invalid],
    ['is of another type', query, { pk: { S: 'a' }, sk: { N: '1' } }, mismatch],
    ['is of another type, and has another attribute', query, { pk: { N: '1' }, x: { S: 'b' } }, mismatch],
    ['lacks a part of an index', byIndex, { pk: { S: 'a' }, sk: { S: 'b' } }, invalid],
    ['is of another type in an index', byIndex, { pk: { S: 'a' }, sk: { S: 'b' }, g: { S: '1' } }, mismatch],
  ])('is refused before the key condition if it %s', async (_name, asked, ExclusiveStartKey, message) => {
    expect((await db.refusal('Query', { ...asked, ExclusiveStartKey })).message).toBe(message)
  })

  test("is refused after the key condition if the table's part of it does not match", async () => {
    const start = { ExclusiveStartKey: { pk: { S: 'a' }, sk: { N: '1' }, g: { N: '1' } } }
    expect((await db.refusal('Query', { ...byIndex, ...start })).message).toMatch(/^Query condition missed/)
    expect((await db.refusal('Query', { ...byKey, ...start })).message).toBe(`${invalid}: ${mismatch}`)
  })
})

describe('a table without a sort key', () => {
  const query = queryOf('single', 'pk = :a', { ':a': { S: 'a' } })

  beforeEach(async () => {
    await db.run('CreateTable', createTableInput('single', { hash: 'pk' }))
    await put('single', { pk: { S: 'a' } })
  })

  test('answers with its one item, after which there is nothing to go on with', async () => {
    expect(await db.run('Query', { ...query, Limit: 1 })).toEqual({
      Items: [{ pk: { S: 'a' } }],
      Count: 1,
      ScannedCount: 1,
    })
  })

  test('has no place to begin after', async () => {
    expect((await db.refusal('Query', { ...query, ExclusiveStartKey: { pk: { S: 'a' } } })).message).toBe(
      'The provided exclusive start key is invalid: ExclusiveStartKey: {pk=AttributeValue: {S:a}}',
    )
  })
})

test('what an index does not project is refused before a filter that goes into a key', async () => {
  const global = { global: { hash: ['g'], projection: 'KEYS_ONLY' as const } }
  await db.run('CreateTable', createTableInput('start', { hash: 'pk', range: 'sk', global }))
  const query = queryOf(
    'start',
    'g = :g',
    { ':g': { S: 'g' } },
    { IndexName: 'global', FilterExpression: 'attribute_exists(pk.a)' },
  )
  expect((await db.refusal('Query', query)).message).toMatch(/^Key attributes must be scalars/)
  expect((await db.refusal('Query', { ...query, Select: 'ALL_ATTRIBUTES' })).message).toMatch(
    /^One or more parameter values were invalid: Select type ALL_ATTRIBUTES/,
  )
})

describe('a megabyte', () => {
  test('ends a page, in both directions, before filters and on every index', async () => {
    const table = {
      hash: 'pk',
      range: 'sk:N',
      global: { global: { hash: ['g'], range: ['sk:N'] } },
      local: { small: { range: 'l:N', projection: 'KEYS_ONLY' as const } },
    }
    await db.run('CreateTable', createTableInput('large', table))
    for (let n = 0; n < 30; n++) {
      const Item = {
        pk: { S: 'a' },
        sk: { N: `${n}` },
        g: { S: 'g' },
        l: { N: `${n}` },
        t: { S: 'x'.repeat(100_000) },
      }
      await put('large', Item)
    }
    const query = queryOf('large', 'pk = :a', { ':a': { S: 'a' } })
    const inOrder = Array.from({ length: 30 }, (_, n) => `${n}`)
    for (const input of [query, queryOf('large', 'g = :g', { ':g': { S: 'g' } }, { IndexName: 'global' })]) {
      const pages = await allPages(db, 'Query', input)
      // The eleventh item passes the megabyte, and is still part of the page.
      expect(pages.map(({ ScannedCount }) => ScannedCount)).toEqual([11, 11, 8])
      expect(pages.flatMap((page) => valuesIn(page))).toEqual(inOrder)
      const backward = await allPages(db, 'Query', { ...input, ScanIndexForward: false })
      expect(backward.flatMap((page) => valuesIn(page))).toEqual(inOrder.toReversed())
    }
    const filtered = { ...query, FilterExpression: 'attribute_not_exists(t)', Select: 'COUNT' }
    const counts = await allPages(db, 'Query', filtered)
    expect(counts.map(({ Count, ScannedCount }) => [Count, ScannedCount])).toEqual([
      [0, 11],
      [0, 11],
      [0, 8],
    ])
    expect(await allPages(db, 'Query', { ...query, IndexName: 'small' })).toHaveLength(1)
  })
})
