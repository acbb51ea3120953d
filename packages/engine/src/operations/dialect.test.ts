import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConditionFailure } from '@hashrange/core'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let today: TestEngine
let older: TestEngine

beforeAll(async () => {
  today = await openTestEngine()
  older = await openTestEngine(undefined, { dialect: '2025' })
  for (const db of [today, older]) {
    await db.run('CreateTable', createTableInput('songs', { hash: 'id', global: { byYear: { hash: ['year:N'] } } }))
    await db.run('PutItem', { TableName: 'songs', Item: { id: { S: 'kept' }, plays: { N: '3' } } })
  }
})

afterAll(async () => {
  await today.close()
  await older.close()
})

const one = '1 validation error detected: '
const Key = { id: { S: 'a' } }
const put = { TableName: 'songs', Item: Key }
const keyed = { TableName: 'songs', Key }

/** An operation, its request, and the words of 2025 and of 2026. */
type Case = readonly [operation: string, body: object, words2025: string, words2026: string]

async function expectWords([operation, body, words2025, words2026]: Case): Promise<void> {
  const said = async (db: TestEngine): Promise<string> => (await db.refusal(operation, body)).message
  expect({ older: await said(older), today: await said(today) }).toEqual({ older: words2025, today: words2026 })
}

/** What only has the envelope around it. */
const wrapped = (operation: string, body: object, words: string): Case => [operation, body, words, one + words]
/** What both say alike. */
const alike = (operation: string, body: object, words: string): Case => [operation, body, words, words]

describe('what is wrong with a write whatever the table is has an envelope', () => {
  test.each<Case>([
    wrapped('PutItem', { ...put, ReturnValues: 'ALL_NEW' }, 'ReturnValues can only be ALL_OLD or NONE'),
    wrapped('DeleteItem', { ...keyed, ReturnValues: 'UPDATED_OLD' }, 'ReturnValues can only be ALL_OLD or NONE'),
    wrapped(
      'PutItem',
      { ...put, ConditionExpression: '' },
      'Invalid ConditionExpression: The expression can not be empty;',
    ),
    wrapped(
      'DeleteItem',
      { ...keyed, ConditionExpression: 'plays >' },
      'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: ">"',
    ),
    wrapped(
      'UpdateItem',
      { ...keyed, UpdateExpression: 'REMOVE a, a.b' },
      'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]',
    ),
    wrapped(
      'UpdateItem',
      { ...keyed, UpdateExpression: 'SET a = :a' },
      'Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :a',
    ),
    wrapped(
      'UpdateItem',
      { ...keyed, UpdateExpression: 'REMOVE a', ExpressionAttributeNames: { '#b': 'b' } },
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
    ),
    wrapped(
      'PutItem',
      { ...put, ConditionExpression: 'attribute_exists(id)', ExpressionAttributeValues: {} },
      'ExpressionAttributeValues must not be empty',
    ),
    wrapped(
      'DeleteItem',
      { ...keyed, ExpressionAttributeNames: { '#b': 'b' } },
      'ExpressionAttributeNames can only be specified when using expressions',
    ),
    wrapped(
      'UpdateItem',
      { ...keyed, UpdateExpression: 'REMOVE a', Expected: { a: { Exists: false } } },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {UpdateExpression}',
    ),
    wrapped(
      'DeleteItem',
      { ...keyed, Expected: { plays: { Exists: true } } },
      'One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: plays',
    ),
    wrapped(
      'PutItem',
      { TableName: 'songs', Item: { ...Key, tags: { SS: [] } } },
      'One or more parameter values were invalid: An string set  may not be empty',
    ),
    wrapped(
      'PutItem',
      { TableName: 'songs', Item: { ...Key, gone: { NULL: false } } },
      'One or more parameter values were invalid: Null attribute value types must have the value of true',
    ),
    // It comes before the table, so that a table which is not there makes no difference.
    wrapped(
      'PutItem',
      { ...put, TableName: 'nowhere', ConditionExpression: '(())' },
      'Invalid ConditionExpression: Syntax error; token: ")", near: "())"',
    ),
  ])('%s %j', async (...words) => expectWords(words))
})

describe('what depends on the table, or on the item, has none', () => {
  test.each<Case>([
    alike(
      'UpdateItem',
      { ...keyed, UpdateExpression: 'REMOVE id' },
      'One or more parameter values were invalid: Cannot update attribute id. This attribute is part of the key',
    ),
    alike(
      'PutItem',
      { TableName: 'songs', Item: { id: { N: '1' } } },
      'One or more parameter values were invalid: Type mismatch for key id expected: S actual: N',
    ),
    alike(
      'PutItem',
      { TableName: 'songs', Item: { ...Key, year: { S: '1999' } } },
      'One or more parameter values were invalid: Type mismatch for Index Key year Expected: N Actual: S IndexName: byYear',
    ),
    alike(
      'DeleteItem',
      { TableName: 'songs', Key: { id: { S: '' } } },
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: id',
    ),
    alike(
      'UpdateItem',
      { TableName: 'songs', Key: { id: { S: 'kept' } }, UpdateExpression: 'SET a = unheard' },
      'The provided expression refers to an attribute that does not exist in the item',
    ),
    alike('DeleteItem', { TableName: 'nowhere', Key }, 'Requested resource not found'),
  ])('%s %j', async (...words) => expectWords(words))

  test('nor has an item that is too large, or a value without a type or with two', async () => {
    const item = (value: object): object => ({ TableName: 'songs', Item: { ...Key, value } })
    const empty = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'
    await expectWords(
      alike('PutItem', item({ S: 'x'.repeat(410_000) }), 'Item size has exceeded the maximum allowed size'),
    )
    await expectWords(alike('PutItem', item({}), empty))
    await expectWords(
      alike(
        'PutItem',
        item({ S: 'a', N: '1' }),
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      ),
    )
    const update = { ...keyed, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': {} } }
    await expectWords([
      'UpdateItem',
      update,
      `ExpressionAttributeValues contains invalid value: ${empty} for key :a`,
      empty,
    ])
  })
})

describe('values', () => {
  const notNumeric = 'The parameter cannot be converted to a numeric value'
  const invalid = 'One or more parameter values were invalid: '
  const conditional = (value: object): object => ({
    ...put,
    ConditionExpression: 'plays = :v',
    ExpressionAttributeValues: { ':v': value },
  })
  const inValues = (words: string): string =>
    `ExpressionAttributeValues contains invalid value: ${words} for key :v`

  test('are refused without saying which of the expression it is', async () => {
    await expectWords([
      'PutItem',
      conditional({ N: 'many' }),
      inValues(`${notNumeric}: many`),
      `${one}${notNumeric}: many`,
    ])
  })

  test('an empty number ends in a colon and a space', async () => {
    await expectWords(['PutItem', conditional({ N: '' }), inValues(notNumeric), `${one}${notNumeric}: `])
    await expectWords([
      'DeleteItem',
      { TableName: 'songs', Key: { id: { N: '' } } },
      notNumeric,
      `${one}${notNumeric}: `,
    ])
  })

  test('a set with a member twice is shown in order and in quotes', async () => {
    const words = (collection: string): string => `${invalid}Input collection ${collection} contains duplicates.`
    await expectWords([
      'PutItem',
      { TableName: 'songs', Item: { ...Key, tags: { SS: ['rock', 'jazz', 'rock'] } } },
      words('[rock, jazz, rock]'),
      one + words('["jazz", "rock", "rock"]'),
    ])
    await expectWords([
      'PutItem',
      conditional({ NS: ['7', '7'] }),
      inValues('Input collection contains duplicates'),
      `${one}${invalid}Input collection contains duplicates.`,
    ])
  })

  test('may read like words of our own', async () => {
    const sly = `${one}Item size has exceeded the maximum allowed size for key :v`
    await expectWords([
      'PutItem',
      { TableName: 'songs', Item: { ...Key, tags: { SS: [sly, sly] } } },
      `${invalid}Input collection [${sly}, ${sly}] contains duplicates.`,
      `${one}${invalid}Input collection ["${sly}", "${sly}"] contains duplicates.`,
    ])
    await expectWords(
      wrapped(
        'PutItem',
        { ...put, ConditionExpression: 'attribute_exists(id)', ExpressionAttributeNames: { __proto__x: 'a' } },
        'ExpressionAttributeNames contains invalid key: Syntax error; key: "__proto__x"',
      ),
    )
  })

  test('without an expression are refused in fewer words', async () => {
    const can = 'ExpressionAttributeValues can only be specified when using expressions'
    const values = { ExpressionAttributeValues: { ':v': { S: 'a' } } }
    await expectWords(['PutItem', { ...put, ...values }, `${can}: ConditionExpression is null`, one + can])
    await expectWords([
      'UpdateItem',
      { ...keyed, ...values },
      `${can}: UpdateExpression and ConditionExpression are null`,
      one + can,
    ])
  })
})

describe('constraints', () => {
  const failed = 'failed to satisfy constraint: Member must'
  const capacity = `Value 'ALL' at 'returnConsumedCapacity' ${failed} satisfy enum value set: [INDEXES, TOTAL, NONE]`
  const returned = `Value 'ALL' at 'returnValues' ${failed} satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]`
  const returnedToday =
    'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]'
  const both = { ReturnConsumedCapacity: 'ALL', ReturnValues: 'ALL' }

  test("a table's name that is empty is not repeated", async () => {
    await expectWords([
      'DeleteItem',
      { TableName: '', Key, ReturnValues: 'ALL' },
      `${one}Value '' at 'tableName' ${failed} have length greater than or equal to 1`,
      `${one}Value at 'TableName' ${failed} have length greater than or equal to 1`,
    ])
    const short = `${one}Value 'ab' at 'tableName' ${failed} have length greater than or equal to 3`
    await expectWords(alike('PutItem', { ...put, TableName: 'ab' }, short))
  })

  test('ReturnValues has words of its own, and UpdateItem says nothing else', async () => {
    for (const [operation, body] of [
      ['PutItem', put],
      ['DeleteItem', keyed],
    ] as const) {
      await expectWords([
        operation,
        { ...body, ...both },
        `2 validation errors detected: ${capacity}; ${returned}`,
        `2 validation errors detected: ${capacity}; ${returnedToday}`,
      ])
    }
    await expectWords([
      'UpdateItem',
      { ...keyed, ...both },
      `2 validation errors detected: ${capacity}; ${returned}`,
      one + returnedToday,
    ])
    await expectWords(alike('UpdateItem', { ...keyed, ReturnConsumedCapacity: 'ALL' }, one + capacity))
  })

  test('where a required member is missing, nothing is new', async () => {
    await expectWords(
      alike(
        'UpdateItem',
        { TableName: '', ReturnValues: 'ALL' },
        `3 validation errors detected: Value '' at 'tableName' ${failed} have length greater than or equal to 1; ${returned}; Value null at 'key' ${failed} not be null`,
      ),
    )
  })

  test('nor where the request nests more deeply than any item may', async () => {
    const nested = (levels: number): object => (levels === 0 ? { S: 'a' } : { M: { a: nested(levels - 1) } })
    const remove = (levels: number): object => ({
      ...keyed,
      ReturnValues: 'ALL',
      ConditionExpression: 'a = :v',
      ExpressionAttributeValues: { ':v': nested(levels) },
    })
    await expectWords(['DeleteItem', remove(62), one + returned, one + returnedToday])
    await expectWords(alike('DeleteItem', remove(63), one + returned))
  })
})

describe('reads', () => {
  const query = {
    TableName: 'songs',
    KeyConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': { S: 'a' } },
  }

  test('a Query whose Select contradicts the rest has an envelope, a Scan has none', async () => {
    const words =
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'
    await expectWords(wrapped('Query', { ...query, Select: 'SPECIFIC_ATTRIBUTES' }, words))
    await expectWords(alike('Scan', { TableName: 'songs', Select: 'SPECIFIC_ATTRIBUTES' }, words))
  })

  test('a BatchGetItem without requests violates a constraint, a BatchWriteItem lacks a parameter', async () => {
    const lacks = (operation: string): string => `The requestItems parameter is required for ${operation}`
    const constraint =
      "Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1"
    const empty = { RequestItems: {} }
    await expectWords(['BatchGetItem', empty, lacks('BatchGetItem'), one + constraint])
    await expectWords(alike('BatchWriteItem', empty, lacks('BatchWriteItem')))
  })

  test('everything else is as it was', async () => {
    const syntax = 'Invalid ProjectionExpression: Syntax error; token: ",", near: ",,b"'
    await expectWords(alike('Query', { ...query, ProjectionExpression: 'a,,b' }, syntax))
    await expectWords(alike('GetItem', { ...keyed, ProjectionExpression: 'a,,b' }, syntax))
    await expectWords(
      alike(
        'GetItem',
        { ...keyed, TableName: '' },
        `${one}Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1`,
      ),
    )
  })
})

test('batches and transactions are as they were', async () => {
  const item = { id: { N: '' } }
  const words = 'The parameter cannot be converted to a numeric value'
  await expectWords(alike('BatchWriteItem', { RequestItems: { songs: [{ PutRequest: { Item: item } }] } }, words))
  await expectWords(
    alike('TransactWriteItems', { TransactItems: [{ Put: { TableName: 'songs', Item: item } }] }, words),
  )
})

test('a failed condition of a single write is of the newer layer, one of a statement is not', async () => {
  const kept = { TableName: 'songs', Key: { id: { S: 'kept' } } }
  const wishes = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
  const ConditionExpression = 'attribute_not_exists(id)'
  const statement = { Statement: `UPDATE "songs" SET plays = 4 WHERE id = 'kept' AND plays = 9` }
  const requests = [
    ['PutItem', { TableName: 'songs', Item: kept.Key, ConditionExpression, ...wishes }, true],
    ['UpdateItem', { ...kept, ConditionExpression, ...wishes }, true],
    ['DeleteItem', { ...kept, ConditionExpression, ...wishes }, true],
    ['ExecuteStatement', { ...statement, ...wishes }, false],
  ] as const
  for (const [operation, body, isOfNewerLayer] of requests) {
    const [before, now] = [await older.refusal(operation, body), await today.refusal(operation, body)]
    expect([before.members, before instanceof ConditionFailure]).toEqual([now.members, false])
    expect(now instanceof ConditionFailure).toBe(isOfNewerLayer)
    expect(Object.keys(now.members)).toEqual(['Item'])
  }
})
