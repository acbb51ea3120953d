import { afterEach, describe, expect, test } from 'vitest'
import type { EngineOptions } from '../engine-options.ts'
import type { Metric } from '../metering/metric-names.ts'
import { openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'
import type { WouldThrottle } from './would-throttle.ts'

let database: TestEngine
afterEach(() => database.close())

type Options = Partial<Omit<EngineOptions, 'store' | 'clock'>>

async function open(options: Options = { throttling: 'enforce' }): Promise<void> {
  database = await openTestEngine(undefined, options)
}

const units = (ReadCapacityUnits: number, WriteCapacityUnits: number): object => ({
  ReadCapacityUnits,
  WriteCapacityUnits,
})

/** A table with a sort key and one global index. */
async function create(TableName: string, throughput: object, indexThroughput: object = throughput): Promise<void> {
  await database.run('CreateTable', {
    TableName,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['pk', 'sk', 'day'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byDay',
        KeySchema: [{ AttributeName: 'day', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ...indexThroughput,
      },
    ],
    ...throughput,
  })
}

const provisioned = (read: number, write: number): object => ({ ProvisionedThroughput: units(read, write) })
const key = (sk: string, pk = 'a'): object => ({ pk: { S: pk }, sk: { S: sk } })
const put = (sk: string, more: object = {}): object => ({ TableName: 'Orders', Item: { ...key(sk), ...more } })
const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/Orders'

async function count(name: Metric['name'], dimensions: Metric['dimensions']): Promise<number> {
  const { engine } = database
  const nowMs = engine.clock.now()
  const points = await engine.metrics.series(testScope, { name, dimensions }, nowMs - 3_600_000, nowMs + 1, 60_000)
  return points.reduce((sum, point) => sum + point.sum, 0)
}

describe('a provisioned table', () => {
  test('refuses writes above its throughput in the words of the service, until time has passed', async () => {
    await open()
    await create('Orders', provisioned(10, 2))
    await database.run('PutItem', put('1'))
    await database.run('PutItem', put('2'))
    expect(await database.refusal('PutItem', put('3'))).toMatchObject({
      code: 'ProvisionedThroughputExceededException',
      message:
        'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
      members: {
        ThrottlingReasons: [{ reason: 'TableWriteProvisionedThroughputExceeded', resource: arn }],
      },
    })
    database.advance(500)
    await database.run('PutItem', put('3'))
    expect(await count('WriteThrottleEvents', { TableName: 'Orders' })).toBe(1)
    expect(await count('WriteProvisionedThroughputThrottleEvents', { TableName: 'Orders' })).toBe(1)
    expect(await count('ThrottledRequests', { TableName: 'Orders', Operation: 'PutItem' })).toBe(1)
    expect(await count('UserErrors', {})).toBe(0)
  })

  test.each([
    { operation: 'GetItem', input: { TableName: 'Orders', Key: key('1'), ConsistentRead: true } },
    {
      operation: 'Query',
      input: {
        TableName: 'Orders',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'a' } },
      },
    },
    { operation: 'Scan', input: { TableName: 'Orders' } },
    { operation: 'ExecuteStatement', input: { Statement: `SELECT * FROM "Orders" WHERE pk = 'a'` } },
    { operation: 'ExecuteStatement', input: { Statement: `SELECT * FROM "Orders"` } },
    { operation: 'BatchGetItem', input: { RequestItems: { Orders: { Keys: [key('1')] } } } },
  ])('refuses $operation above its throughput', async ({ operation, input }) => {
    await open()
    await create('Orders', provisioned(1, 10))
    await database.run('GetItem', { TableName: 'Orders', Key: key('1'), ConsistentRead: true })
    expect(await database.refusal(operation, input)).toMatchObject({
      code: 'ProvisionedThroughputExceededException',
      members: { ThrottlingReasons: [{ reason: 'TableReadProvisionedThroughputExceeded', resource: arn }] },
    })
    database.advance(1_000)
    await database.run(operation, input)
  })

  test('charges what a request has cost, not what it was let in for', async () => {
    await open()
    await create('Orders', provisioned(10, 5))
    await database.run('PutItem', put('1', { text: { S: 'x'.repeat(20_000) } }))
    for (let second = 0; second < 3; second++) {
      expect(await database.refusal('PutItem', put('2'))).toMatchObject({
        code: 'ProvisionedThroughputExceededException',
      })
      database.advance(1_000)
    }
    database.advance(1_000)
    await database.run('PutItem', put('2'))
  })

  test('a condition that does not hold costs too', async () => {
    await open()
    await create('Orders', provisioned(10, 2))
    await database.run('PutItem', put('1'))
    const conditional = { ...put('1'), ConditionExpression: 'attribute_not_exists(pk)' }
    expect(await database.refusal('PutItem', conditional)).toMatchObject({
      code: 'ConditionalCheckFailedException',
    })
    expect(await database.refusal('PutItem', conditional)).toMatchObject({
      code: 'ProvisionedThroughputExceededException',
    })
    expect(await count('ConditionalCheckFailedRequests', { TableName: 'Orders' })).toBe(1)
    expect(await count('ConsumedWriteCapacityUnits', { TableName: 'Orders' })).toBe(2)
  })

  test('what is raised with UpdateTable counts from then on', async () => {
    await open()
    await create('Orders', provisioned(10, 1))
    await database.run('PutItem', put('1'))
    await database.refusal('PutItem', put('2'))
    await database.run('UpdateTable', { TableName: 'Orders', ProvisionedThroughput: units(10, 1_000) })
    database.advance(10)
    await database.run('PutItem', put('2'))
  })
})

describe('a global index', () => {
  test('that takes no more holds up the writes to its table that change it, and no others', async () => {
    await open()
    await create('Orders', provisioned(10, 100), provisioned(10, 1))
    await database.run('PutItem', put('1', { day: { S: 'monday' } }))
    expect(await database.refusal('PutItem', put('2', { day: { S: 'monday' } }))).toMatchObject({
      code: 'ProvisionedThroughputExceededException',
      message:
        'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API',
      members: {
        ThrottlingReasons: [{ reason: 'IndexWriteProvisionedThroughputExceeded', resource: `${arn}/index/byDay` }],
      },
    })
    await database.run('PutItem', put('3'))
    expect(await database.run('GetItem', { TableName: 'Orders', Key: key('2') })).toEqual({})
    const dimensions = { TableName: 'Orders', GlobalSecondaryIndexName: 'byDay' }
    expect(await count('WriteThrottleEvents', dimensions)).toBe(1)
    expect(await count('WriteThrottleEvents', { TableName: 'Orders' })).toBe(0)
    expect(await count('ConsumedWriteCapacityUnits', dimensions)).toBe(1)
    database.advance(1_000)
    await database.run('PutItem', put('2', { day: { S: 'monday' } }))
  })

  test('has reads of its own', async () => {
    await open()
    await create('Orders', provisioned(100, 10), provisioned(1, 10))
    const query = {
      TableName: 'Orders',
      IndexName: 'byDay',
      KeyConditionExpression: '#day = :day',
      ExpressionAttributeNames: { '#day': 'day' },
      ExpressionAttributeValues: { ':day': { S: 'monday' } },
    }
    await database.run('Query', query)
    await database.run('Query', query)
    expect(await database.refusal('Query', query)).toMatchObject({
      members: {
        ThrottlingReasons: [{ reason: 'IndexReadProvisionedThroughputExceeded', resource: `${arn}/index/byDay` }],
      },
    })
    await database.run('Scan', { TableName: 'Orders' })
  })
})

describe('a table on demand', () => {
  const onDemand = { BillingMode: 'PAY_PER_REQUEST' }

  test('refuses a hot key above what a key range takes, and no other key', async () => {
    await open()
    await create('Orders', onDemand)
    for (let n = 0; n < 3; n++) {
      await database.run('PutItem', put('1', { text: { S: 'x'.repeat(390_000) } }))
    }
    expect(await database.refusal('PutItem', put('2'))).toMatchObject({
      code: 'ThrottlingException',
      message: expect.stringContaining('Throughput exceeds the current capacity of your table or index.') as string,
      members: { throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: arn }] },
    })
    // The hash of this one lies in another quarter.
    await database.run('PutItem', { TableName: 'Orders', Item: key('1', 'b') })
    expect(await count('WriteKeyRangeThroughputThrottleEvents', { TableName: 'Orders' })).toBe(1)
  })

  test('refuses more than its owner allows', async () => {
    await open()
    await create(
      'Orders',
      { ...onDemand, OnDemandThroughput: { MaxWriteRequestUnits: 1, MaxReadRequestUnits: 1 } },
      {},
    )
    await database.run('PutItem', put('1'))
    expect(await database.refusal('PutItem', put('2'))).toMatchObject({
      code: 'ThrottlingException',
      message: 'Throughput exceeds the maximum OnDemandThroughput configured on table or index',
      members: { throttlingReasons: [{ reason: 'TableWriteMaxOnDemandThroughputExceeded', resource: arn }] },
    })
    await database.run('UpdateTable', { TableName: 'Orders', OnDemandThroughput: { MaxWriteRequestUnits: -1 } })
    await database.run('PutItem', put('2'))
  })
})

describe('batches', () => {
  const batch = (...keys: string[]): object => ({
    RequestItems: { Orders: keys.map((sk) => ({ PutRequest: { Item: key(sk) } })) },
  })

  test('BatchWriteItem returns what did not get through, and fails only if nothing did', async () => {
    await open()
    await create('Orders', provisioned(10, 100), provisioned(10, 1))
    await database.run('PutItem', put('0', { day: { S: 'monday' } }))
    const mixed = {
      RequestItems: {
        Orders: [
          { PutRequest: { Item: { ...key('1'), day: { S: 'monday' } } } },
          { PutRequest: { Item: key('2') } },
        ],
      },
    }
    expect(await database.run('BatchWriteItem', mixed)).toEqual({
      UnprocessedItems: { Orders: [{ PutRequest: { Item: { ...key('1'), day: { S: 'monday' } } } }] },
    })
    const refused = { RequestItems: { Orders: [{ DeleteRequest: { Key: key('0') } }] } }
    expect(await database.refusal('BatchWriteItem', refused)).toMatchObject({
      code: 'ProvisionedThroughputExceededException',
    })
    database.advance(2_000)
    expect(await database.run('BatchWriteItem', batch('3', '4'))).toEqual({ UnprocessedItems: {} })
  })

  test('BatchGetItem returns the keys that did not get through', async () => {
    await open()
    await create('Orders', provisioned(1, 10))
    await database.run('PutItem', put('1'))
    const Keys = [key('1'), key('2'), key('3'), key('4')]
    expect(await database.run('BatchGetItem', { RequestItems: { Orders: { Keys } } })).toEqual({
      Responses: { Orders: [key('1')] },
      UnprocessedKeys: { Orders: { Keys: [key('3'), key('4')] } },
    })
  })

  test('BatchExecuteStatement tells it statement by statement', async () => {
    await open()
    await create('Orders', provisioned(10, 1))
    const insert = (sk: string): object => ({ Statement: `INSERT INTO "Orders" VALUE {'pk': 'a', 'sk': '${sk}'}` })
    await database.run('BatchExecuteStatement', { Statements: [insert('1')] })
    expect(await database.run('BatchExecuteStatement', { Statements: [insert('2')] })).toEqual({
      Responses: [
        {
          TableName: 'Orders',
          Error: {
            Code: 'ProvisionedThroughputExceeded',
            Message: expect.stringContaining('The level of configured provisioned throughput') as string,
          },
        },
      ],
    })
  })
})

describe('transactions', () => {
  const write = (...items: object[]): object => ({
    TransactItems: items.map((Item) => ({ Put: { TableName: 'Orders', Item } })),
  })

  test('are cancelled, with the reason at the action that did not get through', async () => {
    await open()
    await create('Orders', provisioned(10, 100), provisioned(10, 1))
    await database.run('PutItem', put('0', { day: { S: 'monday' } }))
    expect(
      await database.refusal('TransactWriteItems', write(key('1'), { ...key('2'), day: { S: 'monday' } })),
    ).toMatchObject({
      code: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ProvisionedThroughputExceeded]',
      members: {
        CancellationReasons: [
          { Code: 'None' },
          {
            Code: 'ProvisionedThroughputExceeded',
            Message: expect.stringContaining('global secondary indexes') as string,
          },
        ],
      },
    })
    expect(await database.run('GetItem', { TableName: 'Orders', Key: key('1') })).toEqual({})
    expect(await count('ThrottledRequests', { TableName: 'Orders', Operation: 'TransactWriteItems' })).toBe(1)
  })

  test('on demand say ThrottlingError', async () => {
    await open()
    await create(
      'Orders',
      {
        BillingMode: 'PAY_PER_REQUEST',
        OnDemandThroughput: { MaxReadRequestUnits: 1, MaxWriteRequestUnits: 1 },
      },
      {},
    )
    await database.run('TransactWriteItems', write(key('1')))
    expect(await database.refusal('TransactWriteItems', write(key('2')))).toMatchObject({
      members: { CancellationReasons: [{ Code: 'ThrottlingError' }] },
    })
    const get = { TransactItems: [{ Get: { TableName: 'Orders', Key: key('1') } }] }
    await database.run('TransactGetItems', get)
    expect(await database.refusal('TransactGetItems', get)).toMatchObject({
      members: { CancellationReasons: [{ Code: 'ThrottlingError' }] },
    })
  })

  test('are charged twice the units of the table', async () => {
    await open()
    await create('Orders', provisioned(10, 100))
    await database.run('TransactWriteItems', write(key('1'), { ...key('2'), day: { S: 'monday' } }))
    expect(await count('ConsumedWriteCapacityUnits', { TableName: 'Orders' })).toBe(4)
    expect(
      await count('ConsumedWriteCapacityUnits', { TableName: 'Orders', GlobalSecondaryIndexName: 'byDay' }),
    ).toBe(1)
  })
})

describe('whether throttling is enforced', () => {
  test('is said by the engine, or for one table by its tag', async () => {
    await open({ throttling: 'measure' })
    await create(
      'Orders',
      { ...provisioned(10, 1), Tags: [{ Key: 'hashrange:throttling', Value: 'enforce' }] },
      provisioned(10, 1),
    )
    await database.run('PutItem', put('1'))
    await database.refusal('PutItem', put('2'))
    const untag = { ResourceArn: arn, TagKeys: ['hashrange:throttling'] }
    await database.engine.execute(testScope, 'DynamoDB_20120810', 'UntagResource', untag)
    await database.run('PutItem', put('2'))
  })

  test('where it is only measured, is told once for each reason, with key and remedy, and counted', async () => {
    const told: WouldThrottle[] = []
    await open({ onWouldThrottle: (would) => told.push(would) })
    await create('Orders', provisioned(1, 1), provisioned(1, 1_000))
    for (let n = 0; n < 10; n++) await database.run('PutItem', put(`${n}`))
    database.advance(1_000)
    for (let n = 0; n < 5; n++) await database.run('PutItem', put(`${n}`))
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({
      tableName: 'Orders',
      indexName: undefined,
      side: 'write',
      reason: 'TableWriteProvisionedThroughputExceeded',
      key: 'a',
      message:
        "AWS would have throttled a write to Orders at the key a (TableWriteProvisionedThroughputExceeded). Raise the table's WriteCapacityUnits with UpdateTable or auto scaling, or switch to PAY_PER_REQUEST.",
    })
    expect(await count('WriteWouldBeThrottleEvents', { TableName: 'Orders' })).toBe(13)
    expect(await count('WriteProvisionedThroughputWouldBeThrottleEvents', { TableName: 'Orders' })).toBe(13)
    expect(await count('WriteKeyRangeThroughputWouldBeThrottleEvents', { TableName: 'Orders' })).toBe(0)
    expect(await count('WriteThrottleEvents', { TableName: 'Orders' })).toBe(0)
    const [heat] = database.engine.metrics.heat(testScope, 'Orders')
    expect(heat).toMatchObject({ writeWouldThrottles: 13, mostThrottledWrites: [{ text: 'a', amount: 13 }] })
  })

  test('where it is off, nothing is counted', async () => {
    await open({ throttling: 'off' })
    await create('Orders', provisioned(1, 1))
    for (let n = 0; n < 10; n++) await database.run('PutItem', put(`${n}`))
    expect(await count('WriteWouldBeThrottleEvents', { TableName: 'Orders' })).toBe(0)
    expect(await count('ConsumedWriteCapacityUnits', { TableName: 'Orders' })).toBe(10)
  })
})
