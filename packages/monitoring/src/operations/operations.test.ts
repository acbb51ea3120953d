import { ServiceError } from '@hashrange/core'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Shape } from '@hashrange/engine'
import { createTableInput, testScope } from '@hashrange/engine/test-engine'
import { monitoringOperations } from '../api/operations.ts'
import { autoScalingShapes, cloudWatchShapes } from '../api/shape-books.ts'
import { openMonitoredEngine, type MonitoredEngine } from '../testing/monitored-engine.ts'

const services = [
  ['AnyScaleFrontendService', autoScalingShapes],
  ['GraniteServiceVersion20100801', cloudWatchShapes],
] as const
const operations = services.flatMap(([target, shapes]) =>
  monitoringOperations[target].map((operation) => ({ target, shapes, operation })),
)

let own: MonitoredEngine

beforeAll(async () => {
  own = await openMonitoredEngine()
  await own.run('CreateTable', createTableInput('music', { hash: 'pk:S' }))
})

afterAll(() => own.close())

/** Values that are right at many places and wrong at some. */
function almost(shape: Shape): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 15, arbitrary: right(shape) },
    { weight: 1, arbitrary: fc.constantFrom(null, 'x', 7, [], {}, true) },
  )
}

function right(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'structure':
      return fc.record(Object.fromEntries(shape.members.map(({ name, shape }) => [name, almost(shape)])), {
        requiredKeys: shape.members.filter(({ required }) => required).map(({ name }) => name),
      })
    case 'list':
      return fc.array(almost(shape.element), { maxLength: 3 })
    case 'map':
      return fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor', ''), almost(shape.value), {
        maxKeys: 2,
      })
    case 'string':
      return shape.values === undefined
        ? fc.oneof(fc.constantFrom(...texts), fc.string({ maxLength: 20 }))
        : fc.constantFrom(...shape.values.filter((value) => !value.includes(':') || value.startsWith('dynamodb')))
    case 'boolean':
      return fc.boolean()
    case 'double':
      return fc.double({ noNaN: true })
    case 'integer':
    case 'long':
      return fc.oneof(fc.constantFrom(60, 300, 1, 10), fc.integer())
    case 'timestamp':
      return fc.oneof(fc.integer({ min: -1000, max: 2_000_000_000 }), fc.double({ noNaN: true }))
    case 'attribute-value':
    default:
      return fc.anything()
  }
}

const texts = [
  'dynamodb',
  'table/music',
  'table/music/index/none',
  'AWS/DynamoDB',
  'ConsumedWriteCapacityUnits',
  'TableName',
  'music',
  'Sum',
  'p99',
  'm1 + 1',
  'FILL(m1, 0)',
  'METRICS()',
  'SUM(METRICS())',
  'm1',
  'rate(1 hour)',
  'cron(* * * * ? *)',
  'Europe/Berlin',
  'https://localhost:1/hook',
  'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:a',
  'notBreaching',
  '\0',
  '\ud800',
]

test.each(operations)(
  'whatever is sent to $operation of $target is taken, or refused in the words of the service',
  async ({ target, shapes, operation }) => {
    await fc.assert(
      fc.asyncProperty(almost(shapes.inputShapeOf(operation)), async (body) => {
        try {
          await own.engine.execute(testScope, target, operation, body)
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
        }
      }),
      { numRuns: 60 },
    )
  },
)

test('what they have left behind is evaluated and forgotten without trouble', async () => {
  await own.evaluateAlarms()
  await own.runScheduledActions()
  await own.engine.background.idle()
  expect(own.backgroundErrors).toEqual([])
})
