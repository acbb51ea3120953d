import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Engine } from '../engine.ts'
import { askedAgainMs } from '../testing/asking-twice-store.ts'
import { openTestStore } from '../testing/open-test-store.ts'

const scope = { accountId: '123456789012', region: 'eu-west-1' }
const arnOf = (tableName: string): string => `arn:aws:dynamodb:eu-west-1:123456789012:table/${tableName}`
const createdAtMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

let engine: Engine

beforeEach(async () => {
  engine = await Engine.open({ store: await openTestStore(), clock: { now: () => createdAtMs + askedAgainMs() } })
})

afterEach(() => engine.close())

const run = async (operation: string, input: unknown, from = scope): Promise<unknown> =>
  engine.execute(from, 'DynamoDB_20120810', operation, input)

const create = (TableName: string, more: object = {}): Promise<unknown> =>
  run('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    ...more,
  })

describe('CreateTable', () => {
  test('answers that the table is being created, and it is there at once', async () => {
    expect(await create('music')).toMatchObject({ TableDescription: { TableStatus: 'CREATING', ItemCount: 0 } })
    expect(await run('DescribeTable', { TableName: 'music' })).toMatchObject({
      Table: { TableStatus: 'ACTIVE', TableArn: arnOf('music'), CreationDateTime: createdAtMs / 1000 },
    })
  })

  test('refuses a name that is taken, but only in the same region', async () => {
    await create('music')
    await expect(create('music')).rejects.toMatchObject({ code: 'ResourceInUseException' })
    const elsewhere = { ...scope, region: 'us-east-1' }
    await expect(run('DescribeTable', { TableName: 'music' }, elsewhere)).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    })
  })
})

describe('DescribeTable', () => {
  test('takes an ARN for the name, and counts the items', async () => {
    await create('music')
    await run('PutItem', { TableName: 'music', Item: { pk: { S: 'a' } } })
    expect(await run('DescribeTable', { TableName: arnOf('music') })).toMatchObject({
      Table: { TableName: 'music', ItemCount: 1, TableSizeBytes: 3 },
    })
  })

  test('says which table is not there', async () => {
    await expect(run('DescribeTable', { TableName: 'none' })).rejects.toThrow(
      'Requested resource not found: Table: none not found',
    )
  })
})

describe('DeleteTable', () => {
  test('answers that the table is being deleted, and it is gone at once', async () => {
    await create('music')
    expect(await run('DeleteTable', { TableName: 'music' })).toMatchObject({
      TableDescription: { TableName: 'music', TableStatus: 'DELETING' },
    })
    expect(await run('ListTables', {})).toEqual({ TableNames: [] })
  })

  test('says nothing of keys, indexes and how warm the table is any more', async () => {
    const key = (name: string, type: string): object => ({ AttributeName: name, KeyType: type })
    await create('music', {
      AttributeDefinitions: ['pk', 'sk', 'g'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [key('pk', 'HASH'), key('sk', 'RANGE')],
      GlobalSecondaryIndexes: [
        { IndexName: 'global', KeySchema: [key('g', 'HASH')], Projection: { ProjectionType: 'ALL' } },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'local',
          KeySchema: [key('pk', 'HASH'), key('g', 'RANGE')],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    const answer = await run('DeleteTable', { TableName: 'music' })
    expect(Object.keys((answer as { TableDescription: object }).TableDescription).toSorted()).toEqual([
      'BillingModeSummary',
      'DeletionProtectionEnabled',
      'ItemCount',
      'ProvisionedThroughput',
      'TableArn',
      'TableId',
      'TableName',
      'TableSizeBytes',
      'TableStatus',
    ])
  })

  test('refuses a protected table until the protection is off', async () => {
    await create('music', { DeletionProtectionEnabled: true })
    await expect(run('DeleteTable', { TableName: 'music' })).rejects.toThrow(
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
    await run('UpdateTable', { TableName: 'music', DeletionProtectionEnabled: false })
    await run('DeleteTable', { TableName: 'music' })
    expect(await run('ListTables', {})).toEqual({ TableNames: [] })
  })
})

test('ListTables gives names in order, page by page', async () => {
  for (const name of ['bbb', 'Zzz', 'aaa']) await create(name)
  expect(await run('ListTables', {})).toEqual({ TableNames: ['Zzz', 'aaa', 'bbb'] })
  expect(await run('ListTables', { Limit: 2 })).toEqual({
    LastEvaluatedTableName: 'aaa',
    TableNames: ['Zzz', 'aaa'],
  })
  expect(await run('ListTables', { Limit: 1, ExclusiveStartTableName: 'aaa' })).toEqual({ TableNames: ['bbb'] })
  expect(await run('ListTables', { ExclusiveStartTableName: 'aab' })).toEqual({ TableNames: ['bbb'] })
})

describe('UpdateTable', () => {
  test('refuses throughput that there cannot be before it looks for the table', async () => {
    const ProvisionedThroughput = { ReadCapacityUnits: 1_000_000_000_001, WriteCapacityUnits: 1 }
    await expect(run('UpdateTable', { TableName: 'none', ProvisionedThroughput })).rejects.toThrow(
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds',
    )
  })

  test('says what is wrong with the request before it looks for the table', async () => {
    await expect(run('UpdateTable', { TableName: 'none' })).rejects.toThrow(
      /^At least one of ProvisionedThroughput/,
    )
    await expect(run('UpdateTable', { TableName: 'none', BillingMode: 'PAY_PER_REQUEST' })).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    })
  })

  test('says of an encryption that changes, or goes, that it is being updated', async () => {
    await create('music')
    const encryption = (Enabled: boolean): Promise<unknown> =>
      run('UpdateTable', { TableName: 'music', SSESpecification: { Enabled } })
    expect(await encryption(true)).toHaveProperty('TableDescription.SSEDescription', { Status: 'UPDATING' })
    expect(await run('DescribeTable', { TableName: 'music' })).toMatchObject({
      Table: { SSEDescription: { SSEType: 'KMS', Status: 'ENABLED' } },
    })
    expect(await encryption(false)).toMatchObject({
      TableDescription: { SSEDescription: { SSEType: 'KMS', Status: 'UPDATING' } },
    })
    expect(await run('DescribeTable', { TableName: 'music' })).not.toHaveProperty('Table.SSEDescription')
  })

  test('creates an index, fills it, and deletes it', async () => {
    await create('music')
    await run('PutItem', { TableName: 'music', Item: { pk: { S: 'a' }, year: { N: '1999' } } })
    const created = await run('UpdateTable', {
      TableName: 'music',
      AttributeDefinitions: [{ AttributeName: 'year', AttributeType: 'N' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'of-year',
            KeySchema: [{ AttributeName: 'year', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    })
    expect(created).toMatchObject({
      TableDescription: { TableStatus: 'UPDATING', GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING' }] },
    })
    await expect
      .poll(() => run('DescribeTable', { TableName: 'music' }))
      .toMatchObject({
        Table: { TableStatus: 'ACTIVE', GlobalSecondaryIndexes: [{ IndexStatus: 'ACTIVE', ItemCount: 1 }] },
      })

    const deleted = await run('UpdateTable', {
      TableName: 'music',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'of-year' } }],
    })
    expect(deleted).toMatchObject({
      TableDescription: { TableStatus: 'UPDATING', GlobalSecondaryIndexes: [{ IndexStatus: 'DELETING' }] },
    })
    const after = await run('DescribeTable', { TableName: 'music' })
    expect(after).toMatchObject({ Table: { AttributeDefinitions: [{ AttributeName: 'pk' }] } })
    expect(after).not.toHaveProperty('Table.GlobalSecondaryIndexes')
  })

  test('a refused change changes nothing', async () => {
    await create('music')
    const before = await run('DescribeTable', { TableName: 'music' })
    const change = { TableName: 'music', GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'none' } }] }
    await expect(run('UpdateTable', change)).rejects.toMatchObject({ code: 'ResourceNotFoundException' })
    expect(await run('DescribeTable', { TableName: 'music' })).toEqual(before)
  })
})

describe('tags', () => {
  test('are set, listed and removed by the ARN of their table', async () => {
    await create('music', { Tags: [{ Key: 'env', Value: 'test' }] })
    const ResourceArn = arnOf('music')
    expect(await run('TagResource', { ResourceArn, Tags: [{ Key: 'team', Value: 'a' }] })).toBeUndefined()
    expect(await run('ListTagsOfResource', { ResourceArn })).toEqual({
      Tags: [
        { Key: 'env', Value: 'test' },
        { Key: 'team', Value: 'a' },
      ],
    })
    await run('UntagResource', { ResourceArn, TagKeys: ['env'] })
    expect(await run('ListTagsOfResource', { ResourceArn })).toEqual({ Tags: [{ Key: 'team', Value: 'a' }] })
  })

  test('of a table that is not there are not found by its ARN', async () => {
    const ResourceArn = arnOf('none')
    await expect(run('ListTagsOfResource', { ResourceArn })).rejects.toMatchObject({
      message: `Requested resource not found: ResourceArn: ${ResourceArn} not found`,
    })
  })

  test.each([
    ['not-an-arn', 'ValidationException'],
    ['arn:aws:sqs:eu-west-1:123456789012:queue', 'ValidationException'],
    [`${arnOf('music')}/index/of-year`, 'ValidationException'],
    [arnOf('none'), 'ResourceNotFoundException'],
    ['arn:aws:dynamodb:eu-west-1:999999999999:table/music', 'AccessDeniedException'],
    [
      'arn:aws:dynamodb:eu-west-1:123456789012:table/music/stream/2026-01-02T03:04:05.000',
      'ResourceNotFoundException',
    ],
  ])('of %s: %s', async (ResourceArn, code) => {
    await create('music')
    await expect(run('ListTagsOfResource', { ResourceArn })).rejects.toMatchObject({ code })
  })
})

test('DescribeLimits and DescribeEndpoints answer', async () => {
  expect(await run('DescribeLimits', {})).toEqual({
    AccountMaxReadCapacityUnits: 80_000,
    AccountMaxWriteCapacityUnits: 80_000,
    TableMaxReadCapacityUnits: 40_000,
    TableMaxWriteCapacityUnits: 40_000,
  })
  expect(await run('DescribeEndpoints', {})).toMatchObject({ Endpoints: [{ CachePeriodInMinutes: 1440 }] })
})
