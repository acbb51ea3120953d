import { ServiceError } from '@hashrange/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { operationsByTarget } from './operations.ts'
import { readInput } from './read-input.ts'
import { inputShapeOf, type Shape } from './shapes.ts'

const operations = [...operationsByTarget.DynamoDB_20120810, ...operationsByTarget.DynamoDBStreams_20120810]

/** Values that are right at many places and wrong at some. */
function almost(shape: Shape): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: right(shape) }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) })
}

function right(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'structure':
      return fc.record(Object.fromEntries(shape.members.map(({ name, shape }) => [name, almost(shape)])), {
        requiredKeys: [],
      })
    case 'list':
      return fc.array(almost(shape.element), { maxLength: 3 })
    case 'map':
      return fc.dictionary(fc.constantFrom('music', '__proto__', 'constructor', ''), almost(shape.value), {
        maxKeys: 2,
      })
    case 'attribute-value':
      return fc.constantFrom({ S: 'a' }, { N: '1' }, {}, { L: [{ M: { a: { NULL: true } } }] })
    case 'string':
      return fc.constantFrom(...(shape.values ?? ['music', '', 'a b', 'x'.repeat(300)]))
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'long':
    case 'double':
    case 'timestamp':
      return fc.integer({ min: -2, max: 200 })
    default:
      return fc.anything()
  }
}

test.each(operations)('whatever is sent to %s is taken, or refused in the words of the service', (operation) => {
  fc.assert(
    fc.property(almost(inputShapeOf(operation)), (body) => {
      try {
        readInput(operation, body)
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError)
      }
    }),
    { numRuns: 100 },
  )
})

test('a value nested a hundred thousand levels deep does not exhaust the stack', () => {
  let value: unknown = { S: 'a' }
  for (let level = 0; level < 100_000; level++) value = { L: [value] }
  const TransactItems = Array.from({ length: 101 }, () => ({ Put: { TableName: 'music', Item: { value } } }))
  expect(() => readInput('TransactWriteItems', { TransactItems })).toThrow(/^1 validation error detected: /)
})
