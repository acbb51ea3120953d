import { afterEach, beforeEach, expect, test } from 'vitest'
import { testScope } from '@hashrange/engine/test-engine'
import { openMonitoredEngine, type MonitoredEngine } from '../../testing/monitored-engine.ts'

let own: MonitoredEngine

beforeEach(async () => {
  own = await openMonitoredEngine()
  await own.run('CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'team', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-team',
        KeySchema: [{ AttributeName: 'team', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      },
    ],
  })
})

afterEach(() => own.close())

const settings = {
  MinimumUnits: 1,
  MaximumUnits: 10,
  ScalingPolicyUpdate: { TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 } },
}
const disabled = { AutoScalingDisabled: true, ScalingPolicies: [] }

function describeReplicas(): Promise<object> {
  return own.run('DescribeTableReplicaAutoScaling', { TableName: 'orders' })
}

test('a table that was never set has auto scaling disabled, for each of its indexes too', async () => {
  expect(await describeReplicas()).toEqual({
    TableAutoScalingDescription: {
      TableName: 'orders',
      TableStatus: 'ACTIVE',
      Replicas: [
        {
          RegionName: testScope.region,
          GlobalSecondaryIndexes: [
            {
              IndexName: 'by-team',
              IndexStatus: 'ACTIVE',
              ProvisionedReadCapacityAutoScalingSettings: disabled,
              ProvisionedWriteCapacityAutoScalingSettings: disabled,
            },
          ],
          ReplicaProvisionedReadCapacityAutoScalingSettings: disabled,
          ReplicaProvisionedWriteCapacityAutoScalingSettings: disabled,
          ReplicaStatus: 'ACTIVE',
        },
      ],
    },
  })
})

test('what is set here are targets and policies of auto scaling, and the other way round', async () => {
  await own.run('UpdateTableReplicaAutoScaling', {
    TableName: 'orders',
    ProvisionedWriteCapacityAutoScalingUpdate: settings,
    GlobalSecondaryIndexUpdates: [{ IndexName: 'by-team', ProvisionedWriteCapacityAutoScalingUpdate: settings }],
    ReplicaUpdates: [{ RegionName: testScope.region, ReplicaProvisionedReadCapacityAutoScalingUpdate: settings }],
  })
  const policies = await own.engine.execute(testScope, 'AnyScaleFrontendService', 'DescribeScalingPolicies', {
    ServiceNamespace: 'dynamodb',
  })
  expect(policies).toMatchObject({
    ScalingPolicies: [
      { PolicyName: 'DynamoDBReadCapacityUtilization:table/orders' },
      { PolicyName: 'DynamoDBWriteCapacityUtilization:table/orders' },
      { PolicyName: 'DynamoDBWriteCapacityUtilization:table/orders/index/by-team' },
    ],
  })
  expect(await describeReplicas()).toMatchObject({
    TableAutoScalingDescription: {
      Replicas: [
        {
          GlobalSecondaryIndexes: [
            {
              ProvisionedReadCapacityAutoScalingSettings: disabled,
              ProvisionedWriteCapacityAutoScalingSettings: {},
            },
          ],
          ReplicaProvisionedReadCapacityAutoScalingSettings: {
            MinimumUnits: 1,
            MaximumUnits: 10,
            ScalingPolicies: [
              {
                PolicyName: 'DynamoDBReadCapacityUtilization:table/orders',
                TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
              },
            ],
          },
        },
      ],
    },
  })
})

test('a policy of another name replaces the one before', async () => {
  for (const PolicyName of ['one', 'two']) {
    await own.run('UpdateTableReplicaAutoScaling', {
      TableName: 'orders',
      ProvisionedWriteCapacityAutoScalingUpdate: {
        ...settings,
        ScalingPolicyUpdate: { ...settings.ScalingPolicyUpdate, PolicyName },
      },
    })
  }
  expect(await describeReplicas()).toMatchObject({
    TableAutoScalingDescription: {
      Replicas: [
        { ReplicaProvisionedWriteCapacityAutoScalingSettings: { ScalingPolicies: [{ PolicyName: 'two' }] } },
      ],
    },
  })
})

test('disabling takes the target away', async () => {
  await own.run('UpdateTableReplicaAutoScaling', {
    TableName: 'orders',
    ProvisionedWriteCapacityAutoScalingUpdate: settings,
  })
  await own.run('UpdateTableReplicaAutoScaling', {
    TableName: 'orders',
    ProvisionedWriteCapacityAutoScalingUpdate: { AutoScalingDisabled: true },
  })
  expect(
    await own.engine.execute(testScope, 'AnyScaleFrontendService', 'DescribeScalableTargets', {
      ServiceNamespace: 'dynamodb',
    }),
  ).toMatchObject({ ScalableTargets: [] })
})

test.each([
  [
    { ProvisionedWriteCapacityAutoScalingUpdate: { MinimumUnits: 1 } },
    "Failed to update settings for global table with name: ‘orders’: Parameters 'MaximumUnits', 'ScalingPolicyUpdate' are required unless auto scaling is being disabled.",
  ],
  [
    { GlobalSecondaryIndexUpdates: [{ IndexName: 'nope', ProvisionedWriteCapacityAutoScalingUpdate: settings }] },
    'Failed to update settings for global table with name: ‘orders’ because the global secondary indexes with names: ‘[nope]’ do not exist.',
  ],
  [
    { ReplicaUpdates: [{ RegionName: 'eu-west-1' }] },
    'Failed to update settings for global table with name: ‘orders’ because at least one update parameter must be specified for region: ‘eu-west-1’.',
  ],
  [
    { ProvisionedWriteCapacityAutoScalingUpdate: { ...settings, MinimumUnits: 11 } },
    'Maximum capacity cannot be less than minimum capacity',
  ],
])('%j is refused', async (update, message) => {
  const refused = await own.refusal('UpdateTableReplicaAutoScaling', { TableName: 'orders', ...update })
  expect(refused.message).toBe(message)
})
