import { describe, expect, test } from 'vitest'
import { readTableName } from './read-table-name.ts'

const scope = { accountId: '123456789012', region: 'eu-west-1' }

describe('readTableName', () => {
  test('a name stands for itself', () => {
    expect(readTableName(scope, 'music')).toBe('music')
  })

  test("a table's ARN stands for its name", () => {
    expect(readTableName(scope, 'arn:aws:dynamodb:eu-west-1:123456789012:table/music')).toBe('music')
  })

  test.each([
    ['arn:aws:dynamodb:us-east-1:123456789012:table/music', 'Invalid AWS region in'],
    ['arn:other:dynamodb:eu-west-1:123456789012:table/music', 'Invalid AWS partition in'],
    ['arn:aws:dynamodb:eu-west-1:123456789012:table/music/index/by-year', 'Invalid resource type in'],
    ['arn:aws:sqs:eu-west-1:123456789012:table/music', 'Invalid resource type in'],
    ['arn:', 'Invalid AWS partition in'],
  ])('%s is refused', (arn, words) => {
    expect(() => readTableName(scope, arn)).toThrow(words)
  })

  test("another account's table is out of reach", () => {
    expect(() => readTableName(scope, 'arn:aws:dynamodb:eu-west-1:999999999999:table/music')).toThrow(
      expect.objectContaining({ code: 'AccessDeniedException', message: 'Access is denied' }),
    )
  })
})
