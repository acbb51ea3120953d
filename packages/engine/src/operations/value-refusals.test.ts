import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', createTableInput('plain', { hash: 'pk' }))
})

afterEach(() => db.close())

const messageOf = async (operation: string, body: unknown): Promise<string> =>
  (await db.refusal(operation, body)).message

const Key = { pk: { S: 'a' } }
const nested = (levels: number): unknown => (levels === 0 ? { S: 'leaf' } : { M: { below: nested(levels - 1) } })
const tooDeep =
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'

describe('a set with a member twice', () => {
  const pk = { SS: ['b', 'a', 'b'] }
  const current = 'One or more parameter values were invalid: Input collection ["a", "b", "b"] contains duplicates.'
  const older = 'One or more parameter values were invalid: Input collection [b, a, b] contains duplicates.'

  test('is refused in current words by GetItem, BatchGetItem and Query', async () => {
    expect(await messageOf('GetItem', { TableName: 'plain', Key: { pk } })).toBe(current)
    expect(await messageOf('BatchGetItem', { RequestItems: { plain: { Keys: [{ pk }] } } })).toBe(current)
    const query = { TableName: 'plain', KeyConditionExpression: 'pk = :v' }
    expect(await messageOf('Query', { ...query, ExpressionAttributeValues: { ':v': pk } })).toBe(current)
    const start = { ...query, ExpressionAttributeValues: { ':v': Key.pk }, ExclusiveStartKey: { pk } }
    expect(await messageOf('Query', start)).toBe(current)
    const equals = (value: unknown): object => ({ ComparisonOperator: 'EQ', AttributeValueList: [value] })
    const legacy = { TableName: 'plain', KeyConditions: { pk: equals(Key.pk) }, QueryFilter: { s: equals(pk) } }
    expect(await messageOf('Query', legacy)).toBe(current)
  })

  test('in the envelope of writes too by PutItem', async () => {
    expect(await messageOf('PutItem', { TableName: 'plain', Item: { pk } })).toBe(
      `1 validation error detected: ${current}`,
    )
  })

  test('and as it was sent by the others', async () => {
    expect(
      await messageOf('BatchWriteItem', { RequestItems: { plain: [{ DeleteRequest: { Key: { pk } } }] } }),
    ).toBe(older)
    expect(
      await messageOf('TransactGetItems', { TransactItems: [{ Get: { TableName: 'plain', Key: { pk } } }] }),
    ).toBe(older)
  })
})

test('a set comes back in order, whatever order it was put in', async () => {
  await db.run('PutItem', { TableName: 'plain', Item: { ...Key, n: { NS: ['10', '9'] }, s: { SS: ['b', 'a'] } } })
  const add = { UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': { NS: ['9.5'] } } }
  await db.run('UpdateItem', { TableName: 'plain', Key, ...add })
  expect((await db.run('GetItem', { TableName: 'plain', Key })).Item).toEqual({
    ...Key,
    n: { NS: ['9', '9.5', '10'] },
    s: { SS: ['a', 'b'] },
  })
})

describe('a number with an extreme exponent', () => {
  const n = { N: '1e2147483647' }

  test('is too large for PutItem, and too small for a batch or a transaction', async () => {
    expect(await messageOf('PutItem', { TableName: 'plain', Item: { ...Key, n } })).toMatch(
      /^1 validation error detected: Number overflow/,
    )
    const write = { PutRequest: { Item: { ...Key, n } } }
    expect(await messageOf('BatchWriteItem', { RequestItems: { plain: [write] } })).toMatch(/^Number underflow/)
    const update = {
      TableName: 'plain',
      Key,
      UpdateExpression: 'SET n = :n',
      ExpressionAttributeValues: { ':n': n },
    }
    expect(await messageOf('TransactWriteItems', { TransactItems: [{ Update: update }] })).toMatch(
      /^ExpressionAttributeValues contains invalid value: Number underflow\. .+ for key :n$/,
    )
  })
})

describe('BatchWriteItem', () => {
  test('refuses a key of the wrong type as no key of the table', async () => {
    for (const pk of [{ N: '5' }, { L: [] }]) {
      expect(
        await messageOf('BatchWriteItem', { RequestItems: { plain: [{ PutRequest: { Item: { pk } } }] } }),
      ).toBe('The provided key element does not match the schema')
    }
  })
})

describe('BatchGetItem', () => {
  test('refuses old and new projections of different tables in one request', async () => {
    await db.run('CreateTable', createTableInput('other', { hash: 'pk' }))
    const RequestItems = {
      plain: { Keys: [Key], ProjectionExpression: 'pk' },
      other: { Keys: [Key], AttributesToGet: ['pk'] },
    }
    expect(await messageOf('BatchGetItem', { RequestItems })).toMatch(
      /^Can not use both expression and non-expression parameters in the same request/,
    )
  })
})

describe('TransactWriteItems', () => {
  const refusal = (...TransactItems: object[]): Promise<string> =>
    messageOf('TransactWriteItems', { TransactItems })
  const missing = { TableName: 'missing', Key }

  test('refuses an action of no kind', async () => {
    expect(await refusal({})).toBe(
      'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request',
    )
  })

  test('reports the first action that is wrong, and of a deletion its condition before its key', async () => {
    const malformed = { ConditionExpression: 'a = = b' }
    const syntax = 'Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"'
    const deepKey = { Delete: { TableName: 'missing', Key: { pk: nested(100) } } }
    expect(await refusal({ Put: { TableName: 'missing', Item: Key, ...malformed } }, deepKey)).toBe(syntax)
    expect(await refusal(deepKey, { Put: { TableName: 'missing', Item: Key, ...malformed } })).toBe(tooDeep)
    expect(await refusal({ Delete: { ...deepKey.Delete, ...malformed } })).toBe(syntax)
  })

  test('lets a condition have a value that nests one level too many, and cancels an update that has', async () => {
    const values = { ExpressionAttributeValues: { ':v': nested(32) } }
    const check = { TableName: 'plain', Key, ConditionExpression: 'd = :v', ...values }
    expect(await db.refusal('TransactWriteItems', { TransactItems: [{ ConditionCheck: check }] })).toMatchObject({
      members: { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] },
    })
    const update = { TableName: 'plain', Key, UpdateExpression: 'SET d = :v', ...values }
    expect(await db.refusal('TransactWriteItems', { TransactItems: [{ Update: update }] })).toMatchObject({
      members: { CancellationReasons: [{ Code: 'ValidationError', Message: tooDeep }] },
    })
    const deeper = { ExpressionAttributeValues: { ':v': nested(33) } }
    expect(await refusal({ Update: { ...missing, UpdateExpression: 'SET d = :v', ...deeper } })).toBe(
      `ExpressionAttributeValues contains invalid value: ${tooDeep} for key :v`,
    )
  })
})
