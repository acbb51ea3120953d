import { expect, test } from 'vitest'
import { operationsByTarget } from './operations.ts'

test('every operation of the service is known', () => {
  expect(operationsByTarget.DynamoDB_20120810).toHaveLength(58)
  expect(operationsByTarget.DynamoDBStreams_20120810).toHaveLength(4)
})
