import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MetricName } from '../metering/metric-names.ts'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
  await regions.createGlobalTable('music', [dublin, ohio])
})

afterEach(() => regions.close())

const update = (region: string, input: object): Promise<unknown> =>
  regions.run(region, 'UpdateTable', { TableName: 'music', ...input })

const describeIn = async (region: string): Promise<unknown> =>
  (await regions.run(region, 'DescribeTable', { TableName: 'music' }))['Table']

test('indexes, time to live and capacity are the same in all replicas', async () => {
  await regions.put(dublin, 'music', { pk: { S: 'a' }, rank: { S: 'r' }, ends: { N: '1' } })
  await regions.replicate()
  await update(ohio, {
    AttributeDefinitions: [{ AttributeName: 'rank', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'ranks',
          KeySchema: [{ AttributeName: 'rank', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  })
  await regions.owned.engine.background.idle()
  for (const region of [dublin, ohio]) {
    expect(Object.keys(await regions.items(region, 'music', 'ranks'))).toEqual(['a'])
  }
  await regions.run(dublin, 'UpdateTimeToLive', {
    TableName: 'music',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'ends' },
  })
  await regions.owned.engine.background.idle()
  expect(await regions.run(ohio, 'DescribeTimeToLive', { TableName: 'music' })).toEqual({
    TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'ends' },
  })
  await update(dublin, { OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 20 } })
  expect(await describeIn(ohio)).toMatchObject({
    OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 20 },
  })
})

test('encryption with a key of KMS is turned on and off in all replicas', async () => {
  await update(ohio, { SSESpecification: { SSEType: 'KMS' } })
  expect(await describeIn(dublin)).toMatchObject({ SSEDescription: { Status: 'ENABLED', SSEType: 'KMS' } })
  await update(dublin, { SSESpecification: { Enabled: false } })
  expect(await describeIn(ohio)).not.toHaveProperty('SSEDescription')
})

test('deletion protection is each replica’s own, and so is what it was asked to have differently', async () => {
  await update(ohio, { DeletionProtectionEnabled: true })
  expect(await describeIn(dublin)).toMatchObject({ DeletionProtectionEnabled: false })
  expect(
    await regions.refusal(dublin, 'UpdateTable', {
      TableName: 'music',
      ReplicaUpdates: [{ Delete: { RegionName: ohio } }],
    }),
  ).toContain('because it has deletion protection enabled')
  await update(dublin, {
    ReplicaUpdates: [
      {
        Update: {
          RegionName: ohio,
          TableClassOverride: 'STANDARD_INFREQUENT_ACCESS',
          OnDemandThroughputOverride: { MaxReadRequestUnits: 7 },
        },
      },
    ],
  })
  await update(dublin, { OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 20 } })
  expect(await describeIn(ohio)).toMatchObject({
    TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
    OnDemandThroughput: { MaxReadRequestUnits: 7, MaxWriteRequestUnits: 20 },
  })
  expect(await describeIn(dublin)).toMatchObject({
    OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 20 },
    Replicas: [
      {
        RegionName: ohio,
        OnDemandThroughputOverride: { MaxReadRequestUnits: 7 },
        ReplicaTableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
      },
    ],
  })
  await update(ohio, { DeletionProtectionEnabled: false })
})

test('the replication of settings can be set without replicas, where it has no effect', async () => {
  const TableName = 'alone'
  await regions.run(dublin, 'CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  })
  const set = { TableName, GlobalTableSettingsReplicationMode: 'ENABLED' }
  await regions.run(dublin, 'UpdateTable', set)
  expect(await regions.run(dublin, 'DescribeTable', { TableName })).toMatchObject({
    Table: { GlobalTableSettingsReplicationMode: 'ENABLED' },
  })
  expect(
    await regions.refusal(dublin, 'UpdateTable', {
      TableName,
      GlobalTableSettingsReplicationMode: 'ENABLED_WITH_OVERRIDES',
    }),
  ).toContain('Only ENABLED and DISABLED settings replication are supported for a Regional Table.')
  expect(await regions.refusal(dublin, 'UpdateTable', { ...set, TableName: 'music' })).toContain('Regional Table')
  const { Table } = await regions.run(dublin, 'DescribeTable', { TableName: 'music' })
  expect(Table).toMatchObject({
    GlobalTableSettingsReplicationMode: 'ENABLED_WITH_OVERRIDES',
    Replicas: [{ GlobalTableSettingsReplicationMode: 'ENABLED_WITH_OVERRIDES' }],
  })
})

test('provisioned writes need a scaling policy before there are replicas', async () => {
  await regions.run(dublin, 'CreateTable', {
    TableName: 'fixed',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
  })
  expect(
    await regions.refusal(dublin, 'UpdateTable', {
      TableName: 'fixed',
      ReplicaUpdates: [{ Create: { RegionName: ohio } }],
    }),
  ).toBe('ValidationException: Table write capacity should either be Pay-Per-Request or AutoScaled.')
})

test('reads of one replica change where another has its own', async () => {
  const provisioned = (ReadCapacityUnits: number) => ({
    ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits: 5 },
  })
  const teams = { Update: { IndexName: 'teams', ...provisioned(5) } }
  await update(dublin, { BillingMode: 'PROVISIONED', ...provisioned(5), GlobalSecondaryIndexUpdates: [teams] })
  const own = { RegionName: ohio, ProvisionedThroughputOverride: { ReadCapacityUnits: 9 } }
  await update(dublin, { ReplicaUpdates: [{ Update: own }] })
  await update(dublin, provisioned(7))
  expect(await describeIn(dublin)).toMatchObject(provisioned(7))
  expect(await describeIn(ohio)).toMatchObject(provisioned(9))
})

test('replicated writes are metered where they arrive, and how late they were where they came from', async () => {
  const { engine, clock } = regions.owned
  await regions.put(dublin, 'music', { pk: { S: 'a' }, text: { S: 'x'.repeat(2_000) } })
  regions.advance(250)
  await regions.replicate()
  const sumOf = async (region: string, name: MetricName, more: object = {}): Promise<number> => {
    const metric = { name, dimensions: { TableName: 'music', ...more } }
    const scope = { accountId: '123456789012', region }
    const points = await engine.metrics.series(scope, metric, clock.nowMs - 60_000, clock.nowMs + 60_000, 60_000)
    return points.reduce((sum, point) => sum + point.sum, 0)
  }
  expect(await sumOf(ohio, 'ConsumedWriteCapacityUnits')).toBe(2)
  expect(await sumOf(dublin, 'ReplicationLatency', { ReceivingRegion: ohio })).toBe(250)
  const listed = await engine.metrics.list({ accountId: '123456789012', region: dublin })
  expect(listed).toContainEqual({
    name: 'ReplicationLatency',
    dimensions: { TableName: 'music', ReceivingRegion: ohio },
  })
})
