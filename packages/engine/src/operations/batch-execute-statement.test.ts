import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

const keyNeeded = {
  Error: {
    Code: 'ValidationError',
    Message: 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.',
  },
}

let database: TestEngine

const run = <T>(operation: string, input: unknown): Promise<T> => database.run<T>(operation, input)

interface Answer {
  readonly Responses: readonly unknown[]
  readonly ConsumedCapacity?: unknown
}

const batch = (statements: readonly (string | object)[], more: object = {}): Promise<Answer> => {
  const Statements = statements.map((statement) =>
    typeof statement === 'string' ? { Statement: statement } : statement,
  )
  return run('BatchExecuteStatement', { Statements, ...more })
}

const select = (pk: string): string => `SELECT * FROM things WHERE pk = '${pk}'`

beforeAll(async () => {
  database = await openTestEngine()
  const things = createTableInput('things', {
    hash: 'pk:S',
    global: { one: { hash: ['g:S'] }, several: { hash: ['g:S', 'h:S'] } },
  })
  await run('CreateTable', things)
  for (const pk of ['a', 'b', 'c'])
    await run('PutItem', { TableName: 'things', Item: { pk: { S: pk }, n: { N: '1' } } })
})

afterAll(() => database.close())

test('reads items, each as consistently as it asks', async () => {
  const consistent = { Statement: select('b'), ConsistentRead: true }
  const answer = await batch([select('a'), consistent, select('nobody')], { ReturnConsumedCapacity: 'TOTAL' })
  expect(answer).toEqual({
    Responses: [
      { TableName: 'things', Item: { pk: { S: 'a' }, n: { N: '1' } } },
      { TableName: 'things', Item: { pk: { S: 'b' }, n: { N: '1' } } },
      { TableName: 'things' },
    ],
    ConsumedCapacity: [{ TableName: 'things', CapacityUnits: 2 }],
  })
})

test('what is wrong with one statement keeps no other from happening', async () => {
  const { Responses } = await batch([
    select('a'),
    'SLECT * FROM things',
    "SELECT * FROM missing_table WHERE pk = 'x'",
    'SELECT * FROM things WHERE n = 1',
    "SELECT * FROM things WHERE pk = 'a' AND n = 1",
    `SELECT * FROM things."one" WHERE g = 'x'`,
    `SELECT * FROM things."several" WHERE g = 'x'`,
    { Statement: 'SELECT * FROM things WHERE pk = ?', Parameters: [{ SS: [] }] },
    'SELECT * FROM things WHERE pk = 1',
  ])
  expect(Responses).toEqual([
    { TableName: 'things', Item: { pk: { S: 'a' }, n: { N: '1' } } },
    {
      Error: {
        Code: 'ValidationError',
        Message: "Statement wasn't well formed, can't be processed: Expected data manipulation",
      },
    },
    { Error: { Code: 'ResourceNotFound', Message: 'Requested resource not found' } },
    keyNeeded,
    keyNeeded,
    keyNeeded,
    {
      Error: {
        Code: 'ValidationError',
        Message:
          'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
      },
    },
    {
      Error: {
        Code: 'ValidationError',
        Message: 'One or more parameter values were invalid: An string set  may not be empty',
      },
    },
    {
      Error: {
        Code: 'ValidationError',
        Message: "Key attribute's data type should match its data type in table's schema: Key pk",
      },
    },
  ])
})

test('writes items, and tells the table of those that ran', async () => {
  const { Responses } = await batch([
    "INSERT INTO things VALUE {'pk': 'new'}",
    "INSERT INTO things VALUE {'pk': 'a'}",
    "UPDATE things SET m = 2 WHERE pk = 'c' RETURNING MODIFIED NEW *",
    {
      Statement: "UPDATE things SET m = 2 WHERE pk = 'b' AND n = 9",
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    "UPDATE things SET m = 2 WHERE n = 'a'",
    "EXISTS(SELECT * FROM things WHERE pk = 'a' AND n = 1)",
  ])
  expect(Responses).toEqual([
    { TableName: 'things' },
    { TableName: 'things', Error: { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' } },
    { TableName: 'things', Item: { m: { N: '2' } } },
    {
      TableName: 'things',
      Error: {
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
        Item: { pk: { S: 'b' }, n: { N: '1' } },
      },
    },
    {
      Error: {
        Code: 'ValidationError',
        Message: 'Where clause does not contain a mandatory equality on all key attributes',
      },
    },
    {
      Error: {
        Code: 'ValidationError',
        Message: 'EXISTS can only be used in ExecuteTransaction write requests.',
      },
    },
  ])
})

test('refuses reads among writes, and more or fewer statements than a batch can have', async () => {
  await expect(batch([select('a'), "DELETE FROM things WHERE pk = 'a'"])).rejects.toThrow(
    'Read and write requests together in the same batch is not supported.',
  )
  await expect(batch([])).rejects.toMatchObject({ code: 'ValidationException' })
  await expect(batch(Array.from({ length: 26 }, () => select('a')))).rejects.toMatchObject({
    code: 'ValidationException',
  })
})

test('refuses a batch that names one item twice, whatever its statements do, before any of them runs', async () => {
  const twice = 'Provided list of item keys contains duplicates'
  await expect(batch([select('a'), select('b'), select('a')])).rejects.toThrow(twice)
  const insert = "INSERT INTO things VALUE {'pk': 'first'}"
  await expect(batch([insert, "UPDATE things SET m = 1 WHERE pk = 'first'"])).rejects.toThrow(twice)
  await expect(batch(['nothing', insert, insert])).rejects.toThrow(twice)
  const { Responses } = await batch([
    select('first'),
    'SELECT * FROM things WHERE pk = 1',
    'SELECT * FROM things WHERE pk = 1',
  ])
  expect(Responses).toMatchObject([{ TableName: 'things' }, { Error: {} }, { Error: {} }])
  expect(Responses[0]).not.toHaveProperty('Item.pk')
})

test('charges what items refuse to the total of a table, if anything on it succeeds', async () => {
  const Item = { pk: { S: 'large' }, text: { S: 'x'.repeat(2_500) } }
  await run('PutItem', { TableName: 'things', Item })
  const insert = (pk: string, more = ''): string => `INSERT INTO things VALUE {'pk': '${pk}'${more}}`
  const update = "UPDATE things SET m = 1 WHERE pk = 'b' AND n = 7"
  const refused = [insert('large'), insert('a'), update]
  const ReturnConsumedCapacity = 'INDEXES'
  expect(await batch(refused, { ReturnConsumedCapacity })).not.toHaveProperty('ConsumedCapacity')
  const { ConsumedCapacity } = await batch([...refused, insert('indexed', ", 'g': 'g'")], {
    ReturnConsumedCapacity,
  })
  expect(ConsumedCapacity).toEqual([
    {
      TableName: 'things',
      CapacityUnits: 7,
      Table: { CapacityUnits: 1 },
      GlobalSecondaryIndexes: { one: { CapacityUnits: 1 } },
    },
  ])
})
