import { expect, test } from 'vitest'
import { assertNotMixed, parameterFamilies } from './assert-not-mixed.ts'

const mixed = 'Can not use both expression and non-expression parameters in the same request: '

test.each([
  [
    'GetItem',
    { AttributesToGet: ['a'], ProjectionExpression: 'a' },
    `${mixed}Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}`,
  ],
  [
    'PutItem',
    { Expected: {}, ConditionExpression: 'a' },
    `${mixed}Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}`,
  ],
  [
    'UpdateItem',
    { AttributeUpdates: {}, UpdateExpression: 'a', ExpressionAttributeValues: {} },
    `${mixed}Non-expression parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}`,
  ],
  [
    'Query',
    { KeyConditions: {}, QueryFilter: {}, KeyConditionExpression: 'a', FilterExpression: 'a' },
    `${mixed}Non-expression parameters: {QueryFilter, KeyConditions} ` +
      'Expression parameters: {FilterExpression, KeyConditionExpression}',
  ],
  [
    'PutItem',
    { Expected: {}, ConditionalOperator: 'OR', ConditionExpression: 'a' },
    `${mixed}Non-expression parameters: {Expected, ConditionalOperator} Expression parameters: {ConditionExpression}`,
  ],
  ['Scan', { ConditionalOperator: 'AND' }, 'ConditionalOperator cannot be used without Filter or Expected'],
  [
    'Query',
    { ConditionalOperator: 'AND', QueryFilter: {}, KeyConditions: { a: {} } },
    'ConditionalOperator cannot be used without Filter or Expected',
  ],
  [
    'UpdateItem',
    { ConditionalOperator: 'AND', Expected: { a: {} } },
    'ConditionalOperator can only be used when Filter or Expected has two or more elements',
  ],
  [
    'Scan',
    { ExpressionAttributeNames: {} },
    'ExpressionAttributeNames can only be specified when using expressions',
  ],
  [
    'Scan',
    { ExpressionAttributeNames: {}, ConditionalOperator: 'OR', ScanFilter: { a: {} } },
    'ExpressionAttributeNames can only be specified when using expressions',
  ],
  [
    'Query',
    { ExpressionAttributeValues: {}, ConditionalOperator: 'OR', QueryFilter: { a: {} } },
    'ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null',
  ],
  [
    'PutItem',
    { ExpressionAttributeValues: {} },
    'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null',
  ],
  [
    'Query',
    { ProjectionExpression: 'a', ExpressionAttributeValues: {} },
    'ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null',
  ],
] as const)('%s with %j is refused', (operation, input, message) => {
  expect(() => assertNotMixed(input, parameterFamilies[operation])).toThrow(message)
})

test.each([
  ['Query', { KeyConditions: {}, ProjectionExpression: 'a' }],
  ['Query', { KeyConditions: {}, QueryFilter: { a: {}, b: {} }, ConditionalOperator: 'OR', AttributesToGet: [] }],
  ['UpdateItem', { ConditionExpression: 'a', ExpressionAttributeNames: {}, ExpressionAttributeValues: {} }],
  ['GetItem', { AttributesToGet: null, ProjectionExpression: 'a' }],
] as const)('%s with %j passes', (operation, input) => {
  expect(() => assertNotMixed(input, parameterFamilies[operation])).not.toThrow()
})
