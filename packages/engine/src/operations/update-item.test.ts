import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', createTableInput('plain', { hash: 'pk' }))
  await db.run(
    'CreateTable',
    createTableInput('indexed', {
      hash: 'pk',
      range: 'sk',
      global: { global: { hash: ['g'], range: ['n:N'] } },
      local: { local: { range: 'l' } },
    }),
  )
})

afterEach(() => db.close())

const Key = { pk: { S: 'a' } }
const indexedKey = { pk: { S: 'a' }, sk: { S: '1' } }
const update = (more: object): Promise<unknown> => db.run('UpdateItem', { TableName: 'plain', Key, ...more })
const refused = async (UpdateExpression: string, values?: object): Promise<string> => {
  const ExpressionAttributeValues = values && { ExpressionAttributeValues: values }
  const input = { TableName: 'indexed', Key: indexedKey, UpdateExpression, ...ExpressionAttributeValues }
  return (await db.refusal('UpdateItem', input)).message
}

describe('ReturnValues', () => {
  const Item = { ...Key, n: { N: '1' }, m: { M: { x: { S: 'old' }, y: { S: 'same' } } }, gone: { BOOL: true } }
  const change = {
    UpdateExpression: 'SET n = n + :one, m.x = :new, fresh = :new REMOVE gone',
    ExpressionAttributeValues: { ':one': { N: '1' }, ':new': { S: 'new' } },
  }
  const after = { ...Key, n: { N: '2' }, m: { M: { x: { S: 'new' }, y: { S: 'same' } } }, fresh: { S: 'new' } }

  test.each([
    ['NONE', {}],
    ['ALL_OLD', { Attributes: Item }],
    ['ALL_NEW', { Attributes: after }],
    ['UPDATED_OLD', { Attributes: { n: { N: '1' }, m: { M: { x: { S: 'old' } } }, gone: { BOOL: true } } }],
    ['UPDATED_NEW', { Attributes: { n: { N: '2' }, m: { M: { x: { S: 'new' } } }, fresh: { S: 'new' } } }],
  ])('%s', async (ReturnValues, answer) => {
    await db.run('PutItem', { TableName: 'plain', Item })
    expect(await update({ ...change, ReturnValues })).toEqual(answer)
  })

  test.each([
    ['NONE', {}],
    ['ALL_OLD', {}],
    ['ALL_NEW', { Attributes: { ...Key, n: { N: '1' } } }],
    ['UPDATED_OLD', {}],
    ['UPDATED_NEW', { Attributes: { n: { N: '1' } } }],
  ])('%s of an item that was not there', async (ReturnValues, answer) => {
    const change = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': { N: '1' } } }
    expect(await update({ ...change, ReturnValues })).toEqual(answer)
  })
})

describe('an item that was not there', () => {
  test('comes to be with its key alone when nothing is asked', async () => {
    await update({})
    expect(await db.run('GetItem', { TableName: 'plain', Key })).toEqual({ Item: Key })
  })

  test('is not made by a condition that fails', async () => {
    const error = await db.refusal('UpdateItem', {
      TableName: 'plain',
      Key,
      UpdateExpression: 'SET n = :n',
      ConditionExpression: 'n < :n',
      ExpressionAttributeValues: { ':n': { N: '1' } },
    })
    expect(error.code).toBe('ConditionalCheckFailedException')
    expect(await db.run('GetItem', { TableName: 'plain', Key })).toEqual({})
  })
})

describe('the size of the item', () => {
  const set = (length: number): object => ({
    UpdateExpression: 'SET t = :t',
    ExpressionAttributeValues: { ':t': { S: 'x'.repeat(length) } },
  })

  test('is limited after the update', async () => {
    await db.run('PutItem', { TableName: 'plain', Item: { ...Key, u: { S: 'x'.repeat(300_000) } } })
    const error = await db.refusal('UpdateItem', { TableName: 'plain', Key, ...set(110_000) })
    expect(error.message).toBe('Item size to update has exceeded the maximum allowed size')
    await update(set(100_000))
  })

  test('counts the entries in local indexes as well', async () => {
    const Item = { ...indexedKey, l: { S: 'l' } }
    await db.run('PutItem', { TableName: 'indexed', Item })
    const change = { TableName: 'indexed', Key: indexedKey }
    await db.run('UpdateItem', { ...change, ...set(204_800 - 9) })
    const error = await db.refusal('UpdateItem', { ...change, ...set(204_800 - 8) })
    expect(error.message).toBe('Item size to update has exceeded the maximum allowed size')
  })
})

describe('the key', () => {
  test('cannot be updated', async () => {
    expect(await refused('SET sk = :v', { ':v': { S: 'x' } })).toBe(
      'One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    )
  })

  test('is a scalar: no path leads into it, nor into an index key', async () => {
    const words = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
    expect(await refused('SET g.x = :v', { ':v': { S: 'x' } })).toBe(`${words}IndexKey: g`)
    expect(await refused('SET x = l[1]')).toBe(`${words}IndexKey: l`)
    expect(await refused('SET x = sk.y')).toBe(`${words}Key: sk`)
  })
})

describe('an index key', () => {
  const mismatch = 'One or more parameter values were invalid: Type mismatch for Index Key '
  const unsupported = 'The update expression attempted to update the secondary index key to unsupported type'

  test('whose type stands in the request is refused before the item is read', async () => {
    const number = { ':v': { N: '1' } }
    expect(await refused('SET g = :v', number)).toBe(`${mismatch}g Expected: S Actual: N IndexName: global`)
    expect(await refused('ADD l :v', number)).toBe(`${mismatch}l Expected: S Actual: N IndexName: local`)
    expect(await refused('SET l = x + :v', number)).toBe(`${mismatch}l Expected: S Actual: N IndexName: local`)
    expect(await refused('SET n = list_append(x, :v)', { ':v': { L: [] } })).toBe(
      `${mismatch}n Expected: N Actual: L IndexName: global`,
    )
  })

  test('whose type follows from the item is refused in other words', async () => {
    await db.run('PutItem', { TableName: 'indexed', Item: { ...indexedKey, x: { BOOL: true } } })
    expect(await refused('SET g = x')).toBe(unsupported)
    expect(await refused('SET g = if_not_exists(x, :v)', { ':v': { S: 'x' } })).toBe(unsupported)
  })

  test('cannot be empty', async () => {
    const empty = (kind: string): string =>
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. ' +
      `The AttributeValue for a key attribute cannot contain an empty ${kind} value.`
    expect(await refused('SET g = :v', { ':v': { S: '' } })).toBe(empty('string'))
    await db.run('PutItem', { TableName: 'indexed', Item: { ...indexedKey, x: { S: '' } } })
    expect(await refused('SET l = x')).toBe(empty('string'))
  })

  test('cannot be longer than a key may be', async () => {
    const beyond = 'The update expression attempted to update the secondary index key beyond allowed size limits'
    expect(await refused('SET g = :v', { ':v': { S: 'x'.repeat(2_049) } })).toBe(beyond)
    expect(await refused('SET l = :v', { ':v': { S: 'x'.repeat(1_025) } })).toBe(beyond)
    await db.run('PutItem', { TableName: 'indexed', Item: { ...indexedKey, x: { S: 'x'.repeat(1_025) } } })
    expect(await refused('SET l = x')).toBe(beyond)
  })

  test('of a number is counted up', async () => {
    const count = {
      TableName: 'indexed',
      Key: indexedKey,
      UpdateExpression: 'SET g = :g ADD n :one',
      ExpressionAttributeValues: { ':g': { S: 'g' }, ':one': { N: '1' } },
    }
    for (let n = 0; n < 10; n++) await db.run('UpdateItem', count)
    const { Items } = await db.run('Scan', { TableName: 'indexed', IndexName: 'global' })
    expect(Items).toEqual([{ ...indexedKey, g: { S: 'g' }, n: { N: '10' } }])
  })
})

describe('the size of an update', () => {
  const limit = 409_600
  const text = (bytes: number): { S: string } => ({ S: 'x'.repeat(bytes) })
  const tooLarge = 'Item size to update has exceeded the maximum allowed size'

  /** Sets `t`, in an item of a key of 3 bytes, to the longest text that is taken. */
  const takesAtMost = async (
    bytes: number,
    UpdateExpression: string,
    { values = {}, other = {} }: { values?: object; other?: object } = {},
  ): Promise<void> => {
    const input = (length: number): object => ({
      TableName: 'plain',
      Key,
      UpdateExpression,
      ExpressionAttributeValues: { ':t': text(length), ...values },
    })
    await db.run('PutItem', { TableName: 'plain', Item: { ...Key, ...other } })
    await db.run('UpdateItem', input(bytes))
    expect((await db.refusal('UpdateItem', input(bytes + 1))).message).toBe(tooLarge)
  }

  test('counts what is written and a few bytes for each action, but not the key', async () => {
    await takesAtMost(limit - 1 - 22, 'SET t = :t')
    await takesAtMost(limit - 1 - 22, 'SET t = :t', { other: { r: text(1) } })
    await takesAtMost(limit - 1 - 24, 'SET t = :t REMOVE r', { other: { r: text(1) } })
    await takesAtMost(limit - 1 - 41 - 2, 'SET t = :t, c = :c', { values: { ':c': text(1) } })
  })

  test('leaves it at the size of the item where the rest of it is larger than that', async () => {
    await takesAtMost(limit - 1 - 3 - 51, 'SET t = :t', { other: { u: text(50) } })
  })

  test('counts all of a map or a list that is written into, and a byte more for an element', async () => {
    // 3 for the map or the list, 1 for its member, and its name.
    await takesAtMost(limit - 1 - 22 - 5, 'SET m.t = :t', { other: { m: { M: {} } } })
    await takesAtMost(limit - 1 - 23 - 4, 'SET l[0] = :t', { other: { l: { L: [{ S: '' }] } } })
  })

  test('is not held against transactions and statements', async () => {
    const t = text(limit - 4)
    const change = { UpdateExpression: 'SET t = :t', ExpressionAttributeValues: { ':t': t } }
    expect((await db.refusal('UpdateItem', { TableName: 'plain', Key, ...change })).message).toBe(tooLarge)
    await db.run('TransactWriteItems', { TransactItems: [{ Update: { TableName: 'plain', Key, ...change } }] })
    const Statement = `UPDATE "plain" SET t = ? WHERE pk = 'a'`
    await db.run('ExecuteStatement', { Statement, Parameters: [t] })
    expect((await db.run('GetItem', { TableName: 'plain', Key })).Item).toEqual({ ...Key, t })
  })
})
