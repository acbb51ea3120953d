import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, type Answer, type TestEngine } from '../testing/test-engine.ts'

let database: TestEngine

const run = <T>(operation: string, input: unknown): Promise<T> => database.run<T>(operation, input)

const transact = (statements: readonly string[], more: object = {}): Promise<unknown> =>
  run('ExecuteTransaction', { TransactStatements: statements.map((Statement) => ({ Statement })), ...more })

const item = async (pk: string): Promise<unknown> => {
  const Key = { pk: { S: pk }, sk: { S: '1' } }
  return (await run<Answer>('GetItem', { TableName: 'songs', Key })).Item
}

const refused = (statements: readonly string[]): ReturnType<TestEngine['refusal']> =>
  database.refusal('ExecuteTransaction', { TransactStatements: statements.map((Statement) => ({ Statement })) })

const refusal = async (...statements: readonly string[]): Promise<string> => {
  const { code, message } = await refused(statements)
  expect(code).toBe('ValidationException')
  return message
}

const reasons = async (...statements: readonly string[]): Promise<unknown> => {
  const { code, members } = await refused(statements)
  expect(code).toBe('TransactionCanceledException')
  return members['CancellationReasons']
}

beforeAll(async () => {
  database = await openTestEngine()
  await run('CreateTable', createTableInput('songs', { hash: 'pk:S', range: 'sk:S' }))
})

beforeEach(async () => {
  for (const pk of ['a', 'b']) {
    await run('PutItem', { TableName: 'songs', Item: { pk: { S: pk }, sk: { S: '1' }, n: { N: '0' } } })
  }
  await run('DeleteItem', { TableName: 'songs', Key: { pk: { S: 'new' }, sk: { S: '1' } } })
})

afterAll(() => database.close())

const update = "UPDATE songs SET n = n + 1 WHERE pk = 'a' AND sk = '1'"
const insert = (pk: string): string => `INSERT INTO songs VALUE {'pk': '${pk}', 'sk': '1'}`
const select = (pk: string): string => `SELECT n FROM songs WHERE pk = '${pk}' AND sk = '1'`

describe('writes', () => {
  test('happen together, and answer with no responses', async () => {
    const answer = await transact([insert('new'), update, "DELETE FROM songs WHERE pk = 'b' AND sk = '1'"], {
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer).toEqual({
      Responses: [],
      ConsumedCapacity: [{ TableName: 'songs', CapacityUnits: 6, WriteCapacityUnits: 6 }],
    })
    expect(await item('new')).toBeDefined()
    expect(await item('a')).toMatchObject({ n: { N: '1' } })
    expect(await item('b')).toBeUndefined()
  })

  test('happen not at all if one cannot', async () => {
    expect(await reasons(insert('new'), insert('a'))).toEqual([
      { Code: 'None' },
      { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' },
    ])
    expect(await item('new')).toBeUndefined()
    expect(await reasons("UPDATE songs SET n = 1 WHERE pk = 'nobody' AND sk = '1'", update)).toEqual([
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      { Code: 'None' },
    ])
  })

  test('can depend on what other items are', async () => {
    const check = "EXISTS(SELECT * FROM songs WHERE pk = 'b' AND sk = '1' AND none IS MISSING)"
    await transact([check, update])
    expect(await item('a')).toMatchObject({ n: { N: '1' } })
    expect(await reasons(check.replace('MISSING', 'NULL'), update)).toMatchObject([
      { Code: 'ConditionalCheckFailed' },
      { Code: 'None' },
    ])
    const incomplete =
      'Validation failed in TransactStatements[0]: EXISTS() must contain a single item read with additional condition'
    expect(await refusal("EXISTS(SELECT * FROM songs WHERE pk = 'b' AND sk = '1')", update)).toBe(incomplete)
    expect(await refusal("EXISTS(SELECT * FROM songs WHERE pk IN ['b'] AND sk = '1' AND n = 1)", update)).toBe(
      incomplete,
    )
  })

  test('happen once for a token', async () => {
    const ClientRequestToken = 'once'
    await transact([update], { ClientRequestToken })
    expect(await transact([update], { ClientRequestToken, ReturnConsumedCapacity: 'TOTAL' })).toEqual({
      Responses: [],
      ConsumedCapacity: [{ TableName: 'songs', CapacityUnits: 2, ReadCapacityUnits: 2 }],
    })
    expect(await item('a')).toMatchObject({ n: { N: '1' } })
    await expect(transact([insert('new')], { ClientRequestToken })).rejects.toMatchObject({
      code: 'IdempotentParameterMismatchException',
    })
  })

  test('are cancelled for keys that are none, and for missing tables', async () => {
    const mismatch = { Code: 'ValidationError', Message: 'The provided key element does not match the schema' }
    expect(
      await reasons(
        "UPDATE songs SET n = 1 WHERE pk = 'a'",
        "UPDATE songs SET n = 1 WHERE pk = 'a' AND sk = 1",
        "DELETE FROM songs WHERE pk = 'a' AND sk = '1' AND pk = 'b'",
        "INSERT INTO songs VALUE {'pk': 'new'}",
        "DELETE FROM missing_table WHERE pk = 'a' RETURNING ALL OLD *",
        update,
      ),
    ).toEqual([
      mismatch,
      mismatch,
      mismatch,
      {
        Code: 'ValidationError',
        Message: 'One or more parameter values were invalid: Missing the key sk in the item',
      },
      { Code: 'ResourceNotFound', Message: 'Requested resource not found' },
      { Code: 'None' },
    ])
  })

  test('are refused before they are cancelled', async () => {
    expect(await refusal("DELETE FROM missing_table WHERE pk = 'a'", `${update} RETURNING ALL NEW *`)).toBe(
      'Validation failed in TransactStatements[1]: RETURNING clause is not supported in ExecuteTransaction.',
    )
    expect(await refusal(update, 'UPDATE songs')).toBe(
      "Validation failed in TransactStatements[1]: Statement wasn't well formed, can't be processed: Expected data manipulation",
    )
    expect(await refusal(update, "DELETE FROM songs WHERE pk = 'a' AND sk = '1'")).toBe(
      'Transaction request cannot include multiple operations on one item',
    )
    expect(await refusal(update, select('b'))).toBe(
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    )
    await expect(transact([])).rejects.toMatchObject({ code: 'ValidationException' })
  })

  test('refuse parameters before all else, and do not say whose they are', async () => {
    const Parameters = [{ SS: ['a', 'a'] }]
    await expect(
      run('ExecuteTransaction', {
        TransactStatements: [{ Statement: 'nothing' }, { Statement: update, Parameters }],
      }),
    ).rejects.toThrow('One or more parameter values were invalid: Input collection [a, a] contains duplicates.')
  })
})

describe('reads', () => {
  test('answer for each statement', async () => {
    expect(await transact([select('a'), select('nobody')], { ReturnConsumedCapacity: 'TOTAL' })).toEqual({
      Responses: [{ Item: { n: { N: '0' } } }, {}],
      ConsumedCapacity: [{ TableName: 'songs', CapacityUnits: 4, ReadCapacityUnits: 4 }],
    })
    expect(await transact(["SELECT n FROM songs WHERE (sk = '1') AND pk IN ['a'] AND pk = 'a'"])).toEqual({
      Responses: [{ Item: { n: { N: '0' } } }],
    })
  })

  test.each([
    "SELECT * FROM songs WHERE pk = 'a'",
    "SELECT * FROM songs WHERE pk = 'a' AND sk = '1' AND n = 0",
    "SELECT * FROM songs WHERE pk = 'a' AND sk = '1' AND pk = 'b'",
    'SELECT * FROM songs',
  ])('name one item by its key alone, unlike %s', async (statement) => {
    expect(await refusal(statement)).toBe(
      'Validation failed in TransactStatements[0]: Select statements within ExecuteTransaction must specify the primary key in the where clause.',
    )
  })

  test('are cancelled and refused', async () => {
    expect(await refusal(select('a'), `SELECT * FROM songs."none" WHERE pk = 'a'`)).toBe(
      'Validation failed in TransactStatements[1]: Reads on indices are not supported within transactions.',
    )
    expect(await refusal("SELECT * FROM songs WHERE pk IN ['a', 'a'] AND sk = '1'")).toBe(
      'Validation failed in TransactStatements[0]: Overlapping conditions with range keys are not supported in where clause',
    )
    expect(await refusal(select('a'), select('a'))).toBe(
      'Transaction request cannot include multiple operations on one item',
    )
    expect(await reasons(select('a'), select('a'), "SELECT * FROM songs WHERE pk = 1 AND sk = '1'")).toMatchObject([
      { Code: 'None' },
      { Code: 'None' },
      { Code: 'ValidationError' },
    ])
    expect(await reasons(select('a'), `SELECT * FROM missing_table."i" WHERE pk = 'a'`)).toMatchObject([
      { Code: 'None' },
      { Code: 'ResourceNotFound' },
    ])
  })
})
