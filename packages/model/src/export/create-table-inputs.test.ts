import { open } from 'hashrange'
import { expect, test } from 'vitest'
import { shopDescription } from '../testing/shop-description.ts'
import { createTableInputs } from './create-table-inputs.ts'
import { setUpRequests } from './set-up-requests.ts'

test('the database makes the tables of a model, all of what it says included', async () => {
  await using db = await open()
  for (const { operation, input } of setUpRequests(shopDescription)) await db.execute(operation, input)
  const { Table } = await db.execute('DescribeTable', { TableName: 'shop' })
  expect(Table).toMatchObject({
    TableStatus: 'ACTIVE',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    DeletionProtectionEnabled: true,
    LocalSecondaryIndexes: [{ IndexName: 'byTotal', Projection: { ProjectionType: 'KEYS_ONLY' } }],
  })
  expect((Table as { GlobalSecondaryIndexes: { IndexName: string }[] }).GlobalSecondaryIndexes).toContainEqual(
    expect.objectContaining({
      IndexName: 'byRegion',
      KeySchema: [
        { AttributeName: 'region', KeyType: 'HASH' },
        { AttributeName: 'status', KeyType: 'HASH' },
        { AttributeName: 'total', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['entity', 'placedAt'] },
    }),
  )
  expect(await db.execute('DescribeTimeToLive', { TableName: 'shop' })).toMatchObject({
    TimeToLiveDescription: { AttributeName: 'expiresAt' },
  })
  expect(await db.execute('DescribeContinuousBackups', { TableName: 'shop' })).toMatchObject({
    ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' } },
  })
})

test('a provisioned table provisions its indexes too', () => {
  expect(createTableInputs(shopDescription)[1]).toMatchObject({
    TableName: 'shop-events',
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 5 },
    GlobalSecondaryIndexes: [{ ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 5 } }],
  })
})

test('each key attribute is defined once, and nothing else is', () => {
  const [input] = createTableInputs(shopDescription)
  expect(input?.AttributeDefinitions?.map(({ AttributeName }) => AttributeName).join()).toBe(
    'pk,sk,gsi1pk,gsi1sk,openpk,opensk,region,status,total,byTotalsk',
  )
})
