import { accessOperations } from '@hashrange/access'
import { needsOf } from '@hashrange/access/closed'
import { operationsByTarget } from '@hashrange/engine'
import { kinesisOperations } from '@hashrange/kinesis'
import {
  bucketOperations,
  bucketTarget,
  cloudFormationOperations,
  cloudFormationTarget,
  parametersOperations,
  parametersTarget,
} from '@hashrange/cloudformation'
import { eventsOperations, eventsTarget, pipesOperations, pipesTarget } from '@hashrange/pipes'
import { lambdaOperations, lambdaTarget } from '@hashrange/lambda'
import { monitoringOperations } from '@hashrange/monitoring'
import { expect, test } from 'vitest'

const served: Readonly<Record<string, readonly string[]>> = {
  ...operationsByTarget,
  ...monitoringOperations,
  ...kinesisOperations,
  [pipesTarget]: pipesOperations,
  [eventsTarget]: eventsOperations,
  ...accessOperations,
  [cloudFormationTarget]: cloudFormationOperations,
  [bucketTarget]: bucketOperations,
  [parametersTarget]: parametersOperations,
  [lambdaTarget]: lambdaOperations,
}

test.each(Object.entries(served))('every operation of %s says what it needs', (target, operations) => {
  const missing = operations.filter((operation) => needsOf(target, operation) === undefined)
  expect(missing, 'add these to packages/access/src/authorization/operation-needs.ts').toEqual([])
})

test('what is not an operation needs what nobody has', () => {
  expect(needsOf('DynamoDB_20120810', 'constructor')).toBeUndefined()
  expect(needsOf('__proto__', 'GetItem')).toBeUndefined()
  expect(needsOf('DynamoDBStreams_20120810', 'GetItem')).toBeUndefined()
})
