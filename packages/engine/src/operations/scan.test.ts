import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allPages, createTableInput, openTestEngine, type Answer, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

const itemCount = 150

beforeEach(async () => {
  db = await openTestEngine()
  const table = {
    hash: 'pk',
    range: 'sk:N',
    global: { sparse: { hash: ['g'] } },
    local: { local: { range: 'l', projection: 'KEYS_ONLY' as const } },
  }
  await db.run('CreateTable', createTableInput('many', table))
  await Promise.all(
    Array.from({ length: itemCount }, (_, n) => {
      const Item = {
        pk: { S: `p${n % 40}` },
        sk: { N: `${n}` },
        l: { S: 'l' },
        ...(n % 3 === 0 && { g: { S: `g${n % 4}` } }),
      }
      return db.run('PutItem', { TableName: 'many', Item })
    }),
  )
})

afterEach(() => db.close())

const numbers = (pages: readonly Answer[]): number[] =>
  pages.flatMap(({ Items = [] }) => Items.map(({ sk }) => Number(sk?.['N']))).toSorted((a, b) => a - b)
const everything = Array.from({ length: itemCount }, (_, n) => n)
const indexed = everything.filter((n) => n % 3 === 0)

const invalidStart = 'The provided starting key is invalid'
const mismatch = 'The provided key element does not match the schema'

describe('Scan', () => {
  test.each([
    ['the table', {}, everything],
    ['a local index', { IndexName: 'local' }, everything],
    ['a sparse global index', { IndexName: 'sparse' }, indexed],
  ])('goes through %s once, page by page', async (_name, index, expected) => {
    for (const Limit of [1, 7, 50, 1_000]) {
      expect(numbers(await allPages(db, 'Scan', { TableName: 'many', ...index, Limit }))).toEqual(expected)
    }
  })

  test.each([1, 2, 3, 7, 64, 1_000_000])('%i segments cover everything exactly once', async (TotalSegments) => {
    const asked = Math.min(TotalSegments, 64)
    const segments = await Promise.all(
      Array.from({ length: asked }, (_, Segment) =>
        allPages(db, 'Scan', { TableName: 'many', Segment, TotalSegments, Limit: 4 }),
      ),
    )
    if (asked === TotalSegments) expect(numbers(segments.flat())).toEqual(everything)
    const entries = await Promise.all(
      Array.from({ length: asked }, (_, Segment) =>
        allPages(db, 'Scan', { TableName: 'many', IndexName: 'sparse', Segment, TotalSegments }),
      ),
    )
    if (asked === TotalSegments) expect(numbers(entries.flat())).toEqual(indexed)
    else expect(numbers(entries.flat()).length).toBeLessThan(indexed.length)
  })

  test('a partition key lies in one segment, and its start key in no other', async () => {
    const segment = { TableName: 'many', Segment: 0, TotalSegments: 2 }
    const { LastEvaluatedKey } = await db.run('Scan', { ...segment, Limit: 1 })
    const error = await db.refusal('Scan', { ...segment, Segment: 1, ExclusiveStartKey: LastEvaluatedKey })
    expect(error.message).toBe(
      'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1',
    )
  })

  test('may begin after a key that was never there', async () => {
    const ExclusiveStartKey = { pk: { S: 'never' }, sk: { N: '1' } }
    const after = await db.run('Scan', { TableName: 'many', ExclusiveStartKey })
    expect(after.Count).toBeLessThanOrEqual(itemCount)
    const Key = { pk: { S: 'never' }, sk: { N: '1' } }
    await db.run('PutItem', { TableName: 'many', Item: Key })
    expect(await db.run('Scan', { TableName: 'many', ExclusiveStartKey })).toEqual(after)
  })

  test('a filter counts what it sees', async () => {
    const filtered = { TableName: 'many', FilterExpression: 'attribute_exists(g)' }
    expect(await db.run('Scan', filtered)).toMatchObject({ Count: indexed.length, ScannedCount: itemCount })
    const counted = await db.run('Scan', { ...filtered, Select: 'COUNT' })
    expect(counted).toEqual({ Count: indexed.length, ScannedCount: itemCount })
  })

  test.each([
    ['of the table', {}, { pk: { S: 'a' } }, `${invalidStart}: ${mismatch}`],
    ['of the table', {}, { pk: { S: 'a' }, sk: { S: '1' } }, `${invalidStart}: ${mismatch}`],
    ['of an index', { IndexName: 'sparse' }, { pk: { S: 'a' }, sk: { N: '1' } }, invalidStart],
    ['of an index', { IndexName: 'sparse' }, { pk: { S: 'a' }, sk: { N: '1' }, x: { S: 'g' } }, invalidStart],
    ['of an index', { IndexName: 'sparse' }, { pk: { S: 'a' }, sk: { N: '1' }, g: { N: '1' } }, mismatch],
    [
      'of an index',
      { IndexName: 'sparse' },
      { pk: { N: '1' }, sk: { N: '1' }, g: { S: 'g' } },
      `${invalidStart}: ${mismatch}`,
    ],
  ])('a start key %s is refused: %j %j', async (_name, index, ExclusiveStartKey, message) => {
    expect((await db.refusal('Scan', { TableName: 'many', ...index, ExclusiveStartKey })).message).toBe(message)
  })

  test('what is wrong is told in order: forms that do not mix, old conditions, the start key, segments, expressions', async () => {
    const expressions = { FilterExpression: '', ProjectionExpression: '' }
    const start = { ExclusiveStartKey: { pk: {} } }
    const refusalOf = async (input: object): Promise<string> =>
      (await db.refusal('Scan', { TableName: 'nowhere', Segment: 1, ...input })).message
    expect(await refusalOf({ ...start, ...expressions, AttributesToGet: ['a'] })).toMatch(/^Can not use both/)
    expect(await refusalOf({ ...start, AttributesToGet: ['a', 'a'] })).toMatch(
      /Duplicate value in attribute name: a$/,
    )
    expect(await refusalOf({ ...start, ...expressions })).toMatch(/^The provided starting key is invalid: Supplied/)
    expect(await refusalOf(expressions)).toMatch(/^The TotalSegments parameter is required/)
    expect(await refusalOf({ ...expressions, TotalSegments: 2 })).toMatch(/The expression can not be empty;$/)
  })
})
