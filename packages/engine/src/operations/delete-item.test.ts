import { afterEach, beforeEach, expect, test } from 'vitest'
import { toPlain } from '../wire/raw-json.ts'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  const table = { hash: 'pk', range: 'sk', local: { local: { range: 'l' } } }
  await db.run('CreateTable', createTableInput('local', table))
})

afterEach(() => db.close())

const Key = { pk: { S: 'a' }, sk: { S: '1' } }
const Item = { ...Key, l: { S: 'l' } }
const remove = (more: object = {}): Promise<unknown> => db.run('DeleteItem', { TableName: 'local', Key, ...more })

test('an item goes with its entries, and shows itself on request', async () => {
  await db.run('PutItem', { TableName: 'local', Item })
  expect(await remove({ ReturnValues: 'ALL_OLD' })).toEqual({ Attributes: Item })
  expect(await db.run('GetItem', { TableName: 'local', Key })).toEqual({})
  expect(await db.run('Scan', { TableName: 'local', IndexName: 'local' })).toMatchObject({ Count: 0 })
})

test('what is not there can be deleted, and has nothing to show', async () => {
  expect(await remove({ ReturnValues: 'ALL_OLD', ReturnItemCollectionMetrics: 'SIZE' })).toEqual({
    ItemCollectionMetrics: { ItemCollectionKey: { pk: { S: 'a' } }, SizeEstimateRangeGB: [0, 1] },
  })
})

test('a condition that does not hold keeps the item', async () => {
  await db.run('PutItem', { TableName: 'local', Item })
  const input = {
    TableName: 'local',
    Key,
    ConditionExpression: 'l <> :l',
    ExpressionAttributeValues: { ':l': { S: 'l' } },
  }
  const error = await db.refusal('DeleteItem', { ...input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })
  expect(error.code).toBe('ConditionalCheckFailedException')
  expect(toPlain(error.members)).toEqual({ Item })
  expect(await db.run('GetItem', { TableName: 'local', Key })).toEqual({ Item })
})

test('what would be new, or was updated, is not shown', async () => {
  for (const ReturnValues of ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']) {
    const error = await db.refusal('DeleteItem', { TableName: 'local', Key, ReturnValues })
    expect(error.message).toBe('1 validation error detected: ReturnValues can only be ALL_OLD or NONE')
  }
})
