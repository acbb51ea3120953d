import { accessOperations, iamShapes, stsShapes } from '@hashrange/access'
import { compilePolicy, explainAccess, parsePolicy } from '@hashrange/access/closed'
import { ServiceError } from '@hashrange/core'
import { inputShapeOf, operationsByTarget, type Scope, type StructureShape } from '@hashrange/engine'
import { openTestEngine, type TestEngine } from '@hashrange/engine/test-engine'
import { kinesisOperations, kinesisShapes } from '@hashrange/kinesis'
import { autoScalingShapes, cloudWatchShapes, monitoringOperations } from '@hashrange/monitoring'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyInput } from '../fuzz/any-input.ts'
import { fuzzedTable } from '../fuzz/fuzzed-table.ts'
import { Randomness, seedOfRun } from '../support/randomness.ts'

/** Whatever a request contains, it is decided, or refused in words of the service: who asks for it is asked before anything else has read it. */
const rounds = Number(process.env['HASHRANGE_REQUESTS'] ?? 4_000)
const scope = { accountId: '123456789012', region: 'us-east-1' }
const seed = seedOfRun()

let opened: TestEngine
beforeAll(async () => {
  opened = await openTestEngine()
  await opened.engine.execute(scope, 'DynamoDB_20120810', 'CreateTable', fuzzedTable)
})
afterAll(() => opened.close())

const operations: Readonly<Record<string, readonly string[]>> = {
  ...operationsByTarget,
  ...monitoringOperations,
  ...kinesisOperations,
  ...accessOperations,
}

function shapeOf(target: string, operation: string): StructureShape {
  if (target === 'AnyScaleFrontendService') return autoScalingShapes.inputShapeOf(operation)
  if (target === 'GraniteServiceVersion20100801') return cloudWatchShapes.inputShapeOf(operation)
  if (target === 'Kinesis_20131202') return kinesisShapes.inputShapeOf(operation)
  if (target === 'AWSIdentityManagementV20100508') return iamShapes.inputShapeOf(operation)
  if (target === 'AWSSecurityTokenServiceV20110615') return stsShapes.inputShapeOf(operation)
  return inputShapeOf(operation)
}

/** Asks for all that a request can tell. */
const keys = [
  'dynamodb:LeadingKeys',
  'dynamodb:FirstPartitionKeyValues',
  'dynamodb:Attributes',
  'dynamodb:Select',
  'dynamodb:ReturnValues',
  'dynamodb:ReturnConsumedCapacity',
  'dynamodb:EnclosingOperation',
  'dynamodb:FullTableScan',
  'aws:RequestTag/a',
  'aws:TagKeys',
  'aws:ResourceTag/a',
]
const curious = compilePolicy(
  parsePolicy(
    JSON.stringify({
      Version: '2012-10-17',
      Statement: keys.flatMap((key) => [
        {
          Effect: 'Deny',
          Action: '*',
          Resource: '*',
          Condition: { 'ForAnyValue:StringEquals': { [key]: 'no-one' } },
        },
        { Effect: 'Allow', Action: '*', Resource: '*', Condition: { 'ForAllValues:StringLike': { [key]: 'x*' } } },
      ]),
    }),
    'identity',
  ),
)

test(`any request is decided or refused (HASHRANGE_SEED=${seed})`, () => {
  const random = new Randomness(seed)
  const outcomes = { decided: 0, refused: 0 }
  for (let round = 0; round < rounds; round++) {
    const target = random.oneOf(Object.keys(operations))
    const operation = random.oneOf(operations[target] ?? [])
    const body = random.chance(0.02)
      ? random.oneOf([null, [], 'text', 0, { __proto__: null }])
      : anyInput(shapeOf(target, operation), random)
    try {
      explainAccess({
        facts: {
          principal: {
            kind: 'user',
            accountId: scope.accountId,
            arn: `arn:aws:iam::${scope.accountId}:user/any`,
            userId: 'AIDA',
            userName: 'any',
            tags: {},
          },
          region: scope.region,
          isSecure: false,
          nowMs: 0,
        },
        policies: { identity: [curious] },
        scope,
        target,
        operation,
        body,
        tables: {
          definitionOf: (of: Scope, tableName: string) => opened.engine.catalog.find(of, tableName)?.definition,
        },
        identities: {
          ownArn: 'arn:aws:iam::123456789012:user/any',
          arnOf: () => undefined,
          tagsOf: () => undefined,
        },
      })
      outcomes.decided++
    } catch (error) {
      const text = JSON.stringify(body)?.slice(0, 2_000)
      expect(error, `${target} ${operation} ${text}`).toBeInstanceOf(ServiceError)
      outcomes.refused++
    }
  }
  expect(outcomes.decided).toBeGreaterThan(rounds / 20)
})
