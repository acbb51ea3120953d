import { afterEach, beforeEach, expect, test } from 'vitest'
import { toPlain } from '@hashrange/engine'
import { testScope } from '@hashrange/engine/test-engine'
import { openMonitoredEngine, type MonitoredEngine } from '../../testing/monitored-engine.ts'

const ohio = 'us-east-2'

let own: MonitoredEngine

const run = async (region: string, operation: string, input: object): Promise<unknown> =>
  toPlain(await own.engine.execute({ ...testScope, region }, 'DynamoDB_20120810', operation, input))

beforeEach(async () => {
  own = await openMonitoredEngine()
  for (const region of [testScope.region, ohio]) {
    await run(region, 'CreateTable', {
      TableName: 'Music',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
  }
  await run(ohio, 'CreateGlobalTable', {
    GlobalTableName: 'Music',
    ReplicationGroup: [{ RegionName: testScope.region }, { RegionName: ohio }],
  })
})

afterEach(() => own.close())

const settings = {
  MinimumUnits: 1,
  MaximumUnits: 10,
  ScalingPolicyUpdate: { TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 } },
}

test('writes are set for all replicas, reads for one', async () => {
  await own.run('UpdateGlobalTableSettings', {
    GlobalTableName: 'Music',
    GlobalTableProvisionedWriteCapacityUnits: 9,
    GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate: settings,
    ReplicaSettingsUpdate: [{ RegionName: ohio, ReplicaProvisionedReadCapacityUnits: 7 }],
  })
  expect(await own.run('DescribeGlobalTableSettings', { GlobalTableName: 'Music' })).toMatchObject({
    GlobalTableName: 'Music',
    ReplicaSettings: [
      {
        RegionName: testScope.region,
        ReplicaProvisionedReadCapacityUnits: 5,
        ReplicaProvisionedWriteCapacityUnits: 9,
        ReplicaProvisionedWriteCapacityAutoScalingSettings: { MinimumUnits: 1, MaximumUnits: 10 },
      },
      {
        RegionName: ohio,
        ReplicaProvisionedReadCapacityUnits: 7,
        ReplicaProvisionedWriteCapacityUnits: 9,
        ReplicaProvisionedWriteCapacityAutoScalingSettings: { MinimumUnits: 1, MaximumUnits: 10 },
      },
    ],
  })
  expect(await own.run('DescribeTableReplicaAutoScaling', { TableName: 'Music' })).toMatchObject({
    TableAutoScalingDescription: {
      Replicas: [
        { RegionName: testScope.region, ReplicaProvisionedWriteCapacityAutoScalingSettings: { MaximumUnits: 10 } },
        { RegionName: ohio, ReplicaProvisionedWriteCapacityAutoScalingSettings: { MaximumUnits: 10 } },
      ],
    },
  })
})

test('what is unknown is refused', async () => {
  const refusals = [
    await own.refusal('DescribeGlobalTableSettings', { GlobalTableName: 'Other' }),
    await own.refusal('UpdateGlobalTableSettings', {
      GlobalTableName: 'Other',
      GlobalTableBillingMode: 'PROVISIONED',
    }),
    await own.refusal('UpdateGlobalTableSettings', {
      GlobalTableName: 'Music',
      ReplicaSettingsUpdate: [{ RegionName: 'eu-north-1', ReplicaProvisionedReadCapacityUnits: 7 }],
    }),
    await own.refusal('UpdateGlobalTableSettings', {
      GlobalTableName: 'Music',
      GlobalTableGlobalSecondaryIndexSettingsUpdate: [{ IndexName: 'none', ProvisionedWriteCapacityUnits: 7 }],
    }),
  ]
  expect(refusals.map(({ code }) => code)).toEqual([
    'GlobalTableNotFoundException',
    'GlobalTableNotFoundException',
    'ReplicaNotFoundException',
    'IndexNotFoundException',
  ])
})
