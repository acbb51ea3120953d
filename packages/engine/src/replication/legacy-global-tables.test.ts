import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'
const tokyo = 'ap-northeast-1'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
  for (const region of [dublin, ohio, tokyo]) {
    await regions.run(region, 'CreateTable', {
      TableName: 'Music',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
  }
})

afterEach(() => regions.close())

const create = { GlobalTableName: 'Music', ReplicationGroup: [{ RegionName: dublin }, { RegionName: ohio }] }

test('tables that exist become a global table of version 2017.11.29, and replicate', async () => {
  expect(await regions.run(dublin, 'CreateGlobalTable', create)).toEqual({
    GlobalTableDescription: {
      CreationDateTime: Date.UTC(2026, 0, 2) / 1000,
      GlobalTableArn: 'arn:aws:dynamodb::123456789012:global-table/Music',
      GlobalTableName: 'Music',
      GlobalTableStatus: 'CREATING',
      ReplicationGroup: [
        { RegionName: dublin, ReplicaStatus: 'ACTIVE' },
        { RegionName: ohio, ReplicaStatus: 'ACTIVE' },
      ],
    },
  })
  await regions.put(ohio, 'Music', { pk: { S: 'a' } })
  await regions.replicate()
  expect(await regions.get(dublin, 'Music', 'a')).toEqual({ pk: { S: 'a' } })
  expect(await regions.run(tokyo, 'DescribeGlobalTable', { GlobalTableName: 'Music' })).toMatchObject({
    GlobalTableDescription: { GlobalTableStatus: 'ACTIVE' },
  })
  expect(await regions.run(dublin, 'ListGlobalTables', {})).toEqual({
    GlobalTables: [{ GlobalTableName: 'Music', ReplicationGroup: [{ RegionName: dublin }, { RegionName: ohio }] }],
  })
  expect(await regions.run(dublin, 'ListGlobalTables', { RegionName: tokyo })).toEqual({ GlobalTables: [] })
})

test('an empty table joins, and one that leaves stays a table', async () => {
  await regions.run(dublin, 'CreateGlobalTable', create)
  await regions.run(dublin, 'UpdateGlobalTable', {
    GlobalTableName: 'Music',
    ReplicaUpdates: [{ Create: { RegionName: tokyo } }],
  })
  await regions.put(tokyo, 'Music', { pk: { S: 'a' } })
  await regions.replicate()
  expect(await regions.get(ohio, 'Music', 'a')).toBeDefined()
  await regions.run(ohio, 'UpdateGlobalTable', {
    GlobalTableName: 'Music',
    ReplicaUpdates: [{ Delete: { RegionName: dublin } }],
  })
  await regions.put(dublin, 'Music', { pk: { S: 'alone' } })
  await regions.replicate()
  expect(Object.keys(await regions.items(ohio, 'Music'))).toEqual(['a'])
  expect(Object.keys(await regions.items(dublin, 'Music')).toSorted()).toEqual(['a', 'alone'])
})

test('what is refused', async () => {
  expect(await regions.refusal(dublin, 'DescribeGlobalTable', { GlobalTableName: 'Music' })).toBe(
    "GlobalTableNotFoundException: Global table not found: Global table with name: 'Music' does not exist.",
  )
  await regions.put(tokyo, 'Music', { pk: { S: 'a' } })
  await regions.run(dublin, 'CreateGlobalTable', create)
  const refusals = [
    await regions.refusal(dublin, 'CreateGlobalTable', create),
    await regions.refusal(dublin, 'CreateGlobalTable', { ...create, GlobalTableName: 'Other' }),
    await regions.refusal(dublin, 'CreateGlobalTable', { ...create, ReplicationGroup: [] }),
    ...(await Promise.all(
      [
        { Create: { RegionName: ohio } },
        { Delete: { RegionName: tokyo } },
        { Create: { RegionName: tokyo } },
        {},
      ].map((update) =>
        regions.refusal(dublin, 'UpdateGlobalTable', { GlobalTableName: 'Music', ReplicaUpdates: [update] }),
      ),
    )),
  ]
  expect(refusals[1]).toBe(
    `TableNotFoundException: Table not found: Table: 'Other' not found in region: '${dublin}'.`,
  )
  expect(refusals.map((refusal) => refusal.split(':')[0])).toEqual([
    'GlobalTableAlreadyExistsException',
    'TableNotFoundException',
    'ValidationException',
    'ReplicaAlreadyExistsException',
    'ReplicaNotFoundException',
    'ValidationException',
    'ValidationException',
  ])
})
