import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestEngine, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
})

afterEach(() => db.close())

test.each([
  [{ AttributesToGet: ['a', 'a'], ProjectionExpression: '' }, /^Can not use both expression and non-expression/],
  [{ ExpressionAttributeNames: {} }, /^ExpressionAttributeNames can only be specified when using expressions$/],
  [{ AttributesToGet: ['a', 'a'] }, /^Supplied AttributeValue is empty/],
  [{ ExpressionAttributeNames: {}, ProjectionExpression: '' }, /^Supplied AttributeValue is empty/],
])(
  'members that do not go together are refused before a bad key, and %j itself after it',
  async (more, message) => {
    const input = { TableName: 'nowhere', Key: { pk: {} }, ...more }
    expect((await db.refusal('GetItem', input)).message).toMatch(message)
  },
)
