import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toPlain } from '../wire/raw-json.ts'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  await createTables(db)
})

afterEach(() => db.close())

async function createTables({ run }: TestEngine): Promise<void> {
  await run('CreateTable', createTableInput('plain', { hash: 'pk' }))
  await run(
    'CreateTable',
    createTableInput('indexed', { hash: 'pk', global: { global: { hash: ['g'], range: ['n:N'] } } }),
  )
}

const Key = (pk: string): { pk: { S: string } } => ({ pk: { S: pk } })
const put = (pk: string, more: object = {}, TableName = 'plain'): object => ({
  Put: { TableName, Item: { ...Key(pk), ...more } },
})
const update = (pk: string, UpdateExpression: string, values: object, TableName = 'plain'): object => ({
  Update: { TableName, Key: Key(pk), UpdateExpression, ExpressionAttributeValues: values },
})
const write = (TransactItems: readonly object[], more: object = {}): Promise<unknown> =>
  db.run('TransactWriteItems', { TransactItems, ...more })
const get = (pk: string, TableName = 'plain'): Promise<unknown> => db.run('GetItem', { TableName, Key: Key(pk) })
const reasons = async (TransactItems: readonly object[]): Promise<unknown> => {
  const error = await db.refusal('TransactWriteItems', { TransactItems })
  expect(error.code).toBe('TransactionCanceledException')
  return toPlain(error.members['CancellationReasons'])
}

describe('TransactWriteItems', () => {
  test('does all of its actions', async () => {
    await db.run('PutItem', { TableName: 'plain', Item: { ...Key('gone') } })
    await write([
      put('a', { n: { N: '1' } }),
      update('b', 'SET n = :n', { ':n': { N: '2' } }),
      { Delete: { TableName: 'plain', Key: Key('gone') } },
      { ConditionCheck: { TableName: 'plain', Key: Key('none'), ConditionExpression: 'attribute_not_exists(pk)' } },
      put('a', { g: { S: 'g' }, n: { N: '1' } }, 'indexed'),
    ])
    expect(await get('a')).toEqual({ Item: { ...Key('a'), n: { N: '1' } } })
    expect(await get('b')).toEqual({ Item: { ...Key('b'), n: { N: '2' } } })
    expect(await get('gone')).toEqual({})
    expect(await db.run('Scan', { TableName: 'indexed', IndexName: 'global' })).toMatchObject({ Count: 1 })
  })

  test('or none, and says why, in the order of the request', async () => {
    await db.run('PutItem', { TableName: 'plain', Item: { ...Key('there'), n: { S: 'text' } } })
    const unless = (action: 'Put' | 'Delete', onFailure?: object): object => ({
      [action]: {
        TableName: 'plain',
        ...(action === 'Put' ? { Item: Key('there') } : { Key: Key('there') }),
        ConditionExpression: 'attribute_not_exists(pk)',
        ...onFailure,
      },
    })
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }
    expect(await reasons([put('a'), unless('Put'), put('b')])).toEqual([{ Code: 'None' }, failed, { Code: 'None' }])
    const onFailure = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
    expect(await reasons([unless('Delete', onFailure), put('a')])).toEqual([
      { ...failed, Item: { ...Key('there'), n: { S: 'text' } } },
      { Code: 'None' },
    ])
    expect(await reasons([put('a'), update('there', 'ADD n :one', { ':one': { N: '1' } })])).toEqual([
      { Code: 'None' },
      { Code: 'ValidationError', Message: 'An operand in the update expression has an incorrect data type' },
    ])
    expect(await db.run('Scan', { TableName: 'plain', Select: 'COUNT' })).toMatchObject({ Count: 1 })
  })

  test('takes 100 actions on different items, and 4 MB', async () => {
    await write(Array.from({ length: 100 }, (_, n) => put(`${n}`)))
    expect(
      (
        await db.refusal('TransactWriteItems', {
          TransactItems: [put('a'), update('a', 'SET n = :n', { ':n': { N: '1' } })],
        })
      ).message,
    ).toBe('Transaction request cannot include multiple operations on one item')
    const t = { t: { S: 'x'.repeat(400_000) } }
    await write(Array.from({ length: 10 }, (_, n) => put(`${n}`, t)))
    const error = await db.refusal('TransactWriteItems', {
      TransactItems: Array.from({ length: 11 }, (_, n) => put(`${n}`, t)),
    })
    expect(error.code).toBe('ValidationException')
    expect(error.message).toMatch(
      /^Transaction payload size cannot exceed 4MB. Payload Size: : Transaction payload size cannot exceed 4MB. Payload Size: 4\d{6}$/,
    )
  })

  test('deletes any amount: what is sent counts', async () => {
    const t = { t: { S: 'x'.repeat(400_000) } }
    const keys = Array.from({ length: 12 }, (_, n) => `${n}`)
    for (const pk of keys) await db.run('PutItem', { TableName: 'plain', Item: { ...Key(pk), ...t } })
    await write(keys.map((pk) => ({ Delete: { TableName: 'plain', Key: Key(pk) } })))
    expect(await db.run('Scan', { TableName: 'plain', Select: 'COUNT' })).toMatchObject({ Count: 0 })
  })

  test('an item that is too large is refused if put, and a reason if updated', async () => {
    const t = { S: 'x'.repeat(409_600) }
    const error = await db.refusal('TransactWriteItems', { TransactItems: [put('a', { t })] })
    expect(error.message).toBe('Item size has exceeded the maximum allowed size')
    expect(await reasons([update('a', 'SET t = :t', { ':t': t })])).toEqual([
      { Code: 'ValidationError', Message: 'Item size to update has exceeded the maximum allowed size' },
    ])
  })
})

describe('keys in a transaction', () => {
  const mismatch =
    'One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: global'

  test('of a wrong type are reasons', async () => {
    const number = { N: '1' }
    expect(await reasons([put('a'), put('b', { g: number }, 'indexed')])).toEqual([
      { Code: 'None' },
      { Code: 'ValidationError', Message: mismatch },
    ])
    expect(await reasons([update('a', 'SET g = :g', { ':g': number }, 'indexed')])).toEqual([
      { Code: 'ValidationError', Message: mismatch },
    ])
    expect(await reasons([{ Delete: { TableName: 'plain', Key: { pk: number } } }])).toEqual([
      { Code: 'ValidationError', Message: 'The provided key element does not match the schema' },
    ])
    expect(await reasons([{ Put: { TableName: 'plain', Item: { pk: number } } }])).toEqual([
      {
        Code: 'ValidationError',
        Message: 'One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N',
      },
    ])
  })

  test('are checked up to the first that is wrong, and before any condition', async () => {
    const wrong = { Put: { TableName: 'plain', Item: { pk: { N: '1' } } } }
    const failing = {
      ConditionCheck: { TableName: 'plain', Key: Key('none'), ConditionExpression: 'attribute_exists(pk)' },
    }
    expect(await reasons([failing, wrong, wrong])).toEqual([
      { Code: 'None' },
      expect.objectContaining({ Code: 'ValidationError' }),
      { Code: 'None' },
    ])
  })

  test('that are empty make the whole request invalid', async () => {
    const empty = { S: '' }
    const words = 'The AttributeValue for a key attribute cannot contain an empty string value.'
    const refused = async (action: object): Promise<string> => {
      const error = await db.refusal('TransactWriteItems', { TransactItems: [put('a'), action] })
      expect(error.code).toBe('ValidationException')
      return error.message
    }
    expect(await refused({ Put: { TableName: 'plain', Item: { pk: empty } } })).toContain(`${words} Key: pk`)
    expect(await refused({ Delete: { TableName: 'plain', Key: { pk: empty } } })).toContain(`${words} Key: pk`)
    expect(await refused(put('b', { g: empty }, 'indexed'))).toContain(`${words} IndexName: global, IndexKey: g`)
    expect(await refused(update('b', 'SET g = :g', { ':g': empty }, 'indexed'))).toContain(
      `attempted to update a secondary index key to a value that is not supported. ${words}`,
    )
  })
})

describe('what is wrong with a request is told before what is not there', () => {
  test('in TransactWriteItems', async () => {
    const missing = put('a', {}, 'missing')
    const malformed = {
      ConditionCheck: { TableName: 'plain', Key: Key('a'), ConditionExpression: 'attribute_exists(' },
    }
    const error = await db.refusal('TransactWriteItems', { TransactItems: [missing, malformed] })
    expect(error.message).toBe('Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("')
    expect((await db.refusal('TransactWriteItems', { TransactItems: [missing] })).code).toBe(
      'ResourceNotFoundException',
    )
  })

  test('in TransactGetItems', async () => {
    const gets = [
      { Get: { TableName: 'missing', Key: Key('a') } },
      { Get: { TableName: 'plain', Key: Key('a'), ProjectionExpression: 'a..b' } },
    ]
    expect((await db.refusal('TransactGetItems', { TransactItems: gets })).code).toBe('ValidationException')
  })
})

describe('TransactGetItems', () => {
  test('answers in order, with nothing where there is nothing', async () => {
    await write([put('a', { n: { N: '1' }, m: { N: '2' } }), put('b')])
    const gets = ['b', 'none', 'a'].map((pk) => ({
      Get: { TableName: 'plain', Key: Key(pk), ProjectionExpression: 'pk, n' },
    }))
    expect(await db.run('TransactGetItems', { TransactItems: gets })).toEqual({
      Responses: [{ Item: Key('b') }, {}, { Item: { ...Key('a'), n: { N: '1' } } }],
    })
    expect((await db.refusal('TransactGetItems', { TransactItems: [gets[0], gets[0]] })).message).toBe(
      'Transaction request cannot include multiple operations on one item',
    )
  })

  test('answers with no item if its projection finds nothing, unlike GetItem', async () => {
    const m = { M: { n: { N: '1' } } }
    await write([put('a', { m })])
    const whole = { TableName: 'plain', Key: Key('a') }
    expect(await db.run('TransactGetItems', { TransactItems: [{ Get: whole }] })).toEqual({
      Responses: [{ Item: { ...Key('a'), m } }],
    })
    for (const ProjectionExpression of ['absent', 'm.absent']) {
      const Get = { ...whole, ProjectionExpression }
      expect(await db.run('TransactGetItems', { TransactItems: [{ Get }] })).toEqual({ Responses: [{}] })
      expect(await db.run('GetItem', Get)).toEqual({ Item: {} })
    }
  })

  test('never sees half of a transaction', async () => {
    await write([put('a', { n: { N: '0' } }), put('b', { n: { N: '0' } })])
    const writer = async (): Promise<void> => {
      for (let n = 1; n <= 50; n++) {
        const values = { ':one': { N: '1' } }
        await write([update('a', 'ADD n :one', values), update('b', 'ADD n :one', values)])
      }
    }
    const reader = async (): Promise<void> => {
      for (let n = 0; n < 50; n++) {
        const gets = ['a', 'b'].map((pk) => ({
          Get: { TableName: 'plain', Key: Key(pk), ProjectionExpression: 'n' },
        }))
        const { Responses } = await db.run<{ Responses: readonly object[] }>('TransactGetItems', {
          TransactItems: gets,
        })
        expect(Responses[0]).toEqual(Responses[1])
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await Promise.all([writer(), reader()])
    expect(await get('a')).toMatchObject({ Item: { n: { N: '50' } } })
  })
})

describe('a client token', () => {
  const ClientRequestToken = 'token'
  const count = [update('a', 'ADD n :one', { ':one': { N: '1' } })]
  const token = { ClientRequestToken }

  test('makes a transaction happen once', async () => {
    await Promise.all([write(count, token), write(count, token), write(count, token)])
    expect(await get('a')).toMatchObject({ Item: { n: { N: '1' } } })
    await write(count, { ClientRequestToken: 'other' })
    expect(await get('a')).toMatchObject({ Item: { n: { N: '2' } } })
  })

  test('is for one request only, however its members are ordered', async () => {
    await write([put('a', { n: { N: '1' }, m: { N: '2' } })], token)
    await write([put('a', { m: { N: '2' }, n: { N: '1' } })], { ...token, ReturnConsumedCapacity: 'TOTAL' })
    const error = await db.refusal('TransactWriteItems', { TransactItems: [put('a')], ClientRequestToken })
    expect(error.code).toBe('IdempotentParameterMismatchException')
    expect(await get('a')).toMatchObject({ Item: { n: { N: '1' } } })
  })

  test('is not used up by a transaction that was cancelled', async () => {
    const conditional = [
      { Put: { TableName: 'plain', Item: Key('b'), ConditionExpression: 'attribute_exists(pk)' } },
    ]
    await db.refusal('TransactWriteItems', { TransactItems: conditional, ClientRequestToken })
    await write(count, token)
    expect(await get('a')).toMatchObject({ Item: { n: { N: '1' } } })
  })

  test('is remembered for ten minutes', async () => {
    await write(count, token)
    db.advance(599_999)
    await write(count, token)
    expect(await get('a')).toMatchObject({ Item: { n: { N: '1' } } })
    db.advance(1)
    await write(count, token)
    expect(await get('a')).toMatchObject({ Item: { n: { N: '2' } } })
    await write(count, token)
    expect(await get('a')).toMatchObject({ Item: { n: { N: '2' } } })
  })

  test('survives a restart', async () => {
    const path = mkdtempSync(join(tmpdir(), 'hashrange-test-'))
    try {
      const first = await openTestEngine(path)
      await createTables(first)
      await first.run('TransactWriteItems', { TransactItems: count, ClientRequestToken })
      await first.close()
      const second = await openTestEngine(path)
      await second.run('TransactWriteItems', { TransactItems: count, ClientRequestToken })
      const found = await second.run('GetItem', { TableName: 'plain', Key: Key('a') })
      await second.close()
      expect(found).toEqual({ Item: { ...Key('a'), n: { N: '1' } } })
    } finally {
      rmSync(path, { recursive: true })
    }
  })
})
