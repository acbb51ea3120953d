import { expect, test } from 'vitest'
import { operationOfTarget, operationsByTarget } from './operations.ts'

test('every operation is found by its target', () => {
  expect(operationsByTarget.DynamoDB_20120810).toHaveLength(58)
  expect(operationOfTarget('DynamoDB_20120810.GetItem')).toBe('GetItem')
  expect(operationOfTarget('DynamoDBStreams_20120810.GetRecords')).toBe('GetRecords')
})

test('an operation is not found under the target of the other service, nor a made-up one', () => {
  expect(operationOfTarget('DynamoDBStreams_20120810.GetItem')).toBeUndefined()
  expect(operationOfTarget('constructor')).toBeUndefined()
})
