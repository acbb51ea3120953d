import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

/** A request, or a step in time. */
type Step =
  | { readonly kind: 'request'; readonly operation: string; readonly input: object }
  | { readonly kind: 'wait'; readonly ms: number }

const partition = fc.constantFrom('a', 'b', 'c')
const sort = fc.constantFrom('1', '2', '3')
const key = fc.record({ pk: fc.record({ S: partition }), sk: fc.record({ S: sort }) })
const item = fc
  .tuple(key, fc.constantFrom(undefined, 'monday', 'tuesday'), fc.nat({ max: 3_000 }))
  .map(([keys, day, length]) => ({
    ...keys,
    ...(day !== undefined && { day: { S: day } }),
    text: { S: 'x'.repeat(length) },
  }))

const TableName = fc.constantFrom('Small', 'Free')
const shown = { ReturnConsumedCapacity: 'INDEXES' }

function request(operation: string, input: fc.Arbitrary<object>): fc.Arbitrary<Step> {
  return input.map((body): Step => ({ kind: 'request', operation, input: { ...body, ...shown } }))
}

const step: fc.Arbitrary<Step> = fc.oneof(
  request('PutItem', fc.record({ TableName, Item: item, ReturnValues: fc.constant('ALL_OLD') })),
  request(
    'PutItem',
    fc.record({ TableName, Item: item, ConditionExpression: fc.constant('attribute_not_exists(pk)') }),
  ),
  request(
    'UpdateItem',
    fc.record({
      TableName,
      Key: key,
      UpdateExpression: fc.constantFrom('SET n = if_not_exists(n, :n) + :n', 'ADD n :n'),
      ExpressionAttributeValues: fc.constant({ ':n': { N: '1' } }),
      ReturnValues: fc.constant('ALL_NEW'),
    }),
  ),
  request('DeleteItem', fc.record({ TableName, Key: key })),
  request('GetItem', fc.record({ TableName, Key: key, ConsistentRead: fc.boolean() })),
  request(
    'Query',
    partition.chain((pk) =>
      fc.record({
        TableName,
        KeyConditionExpression: fc.constant('pk = :pk'),
        ExpressionAttributeValues: fc.constant({ ':pk': { S: pk } }),
      }),
    ),
  ),
  request('Scan', fc.record({ TableName, IndexName: fc.constantFrom('byDay', 'byText') })),
  request(
    'BatchWriteItem',
    fc.record({
      RequestItems: fc.record({
        Small: fc.array(
          item.map((Item) => ({ PutRequest: { Item } })),
          { minLength: 1, maxLength: 4 },
        ),
      }),
    }),
  ),
  request(
    'BatchGetItem',
    fc.record({
      RequestItems: fc.record({ Free: fc.record({ Keys: fc.array(key, { minLength: 1, maxLength: 4 }) }) }),
    }),
  ),
  request(
    'TransactWriteItems',
    fc.record({
      TransactItems: fc.array(
        fc.record({
          Put: fc.record({
            TableName,
            Item: item,
            ConditionExpression: fc.constantFrom(
              'attribute_not_exists(day)',
              'attribute_exists(pk) OR attribute_not_exists(pk)',
            ),
          }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  ),
  request(
    'ExecuteStatement',
    fc.record({ Statement: partition.map((pk) => `SELECT * FROM "Small" WHERE pk = '${pk}'`) }),
  ),
  fc.nat({ max: 2_000 }).map((ms): Step => ({ kind: 'wait', ms })),
)

/** One table that takes next to nothing, and one that is on demand; both with an index. */
async function open(throttling: 'measure' | 'off', onWouldThrottle: () => void): Promise<TestEngine> {
  const database = await openTestEngine(undefined, { throttling, onWouldThrottle })
  const shape = {
    hash: 'pk:S',
    range: 'sk:S',
    global: { byDay: { hash: ['day:S'] }, byText: { hash: ['text:S'], projection: 'KEYS_ONLY' as const } },
  }
  await database.run('CreateTable', {
    ...createTableInput('Free', shape),
    OnDemandThroughput: { MaxReadRequestUnits: 1, MaxWriteRequestUnits: 1 },
  })
  const ProvisionedThroughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
  const small = createTableInput('Small', shape) as { readonly GlobalSecondaryIndexes: readonly object[] }
  await database.run('CreateTable', {
    ...small,
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput,
    GlobalSecondaryIndexes: small.GlobalSecondaryIndexes.map((index) => ({ ...index, ProvisionedThroughput })),
  })
  return database
}

async function answerOf(database: TestEngine, { operation, input }: Step & { kind: 'request' }): Promise<unknown> {
  try {
    return await database.run<unknown>(operation, input)
  } catch (error) {
    const { name, message, members } = error as { name: string; message: string; members?: unknown }
    return { name, message, members }
  }
}

test('nothing that is answered differs between measured and no throttling', async () => {
  let told = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const measured = await open('measure', () => told++)
      const off = await open('off', () => expect.unreachable('nobody asks'))
      try {
        for (const one of steps) {
          if (one.kind === 'wait') {
            measured.advance(one.ms)
            off.advance(one.ms)
          } else expect(await answerOf(measured, one)).toEqual(await answerOf(off, one))
        }
        const describe = { TableName: 'Small' }
        const withoutIds = (text: string): string => text.replaceAll(/"TableId":"[^"]*"/g, '')
        expect(withoutIds(JSON.stringify(await measured.run('DescribeTable', describe)))).toBe(
          withoutIds(JSON.stringify(await off.run('DescribeTable', describe))),
        )
      } finally {
        await measured.close()
        await off.close()
      }
    }),
    { numRuns: 25 },
  )
  expect(told).toBeGreaterThan(0)
})
