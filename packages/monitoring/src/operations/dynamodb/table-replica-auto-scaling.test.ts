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

const ohio = 'us-east-2'

/** Writes must scale before there are replicas. */
async function addReplica(): Promise<void> {
  for (const [resource, dimension] of [
    ['table/orders', 'dynamodb:table:WriteCapacityUnits'],
    ['table/orders/index/by-team', 'dynamodb:index:WriteCapacityUnits'],
  ] as const) {
    const target = { ServiceNamespace: 'dynamodb', ResourceId: resource, ScalableDimension: dimension }
    const scale = async (operation: string, input: object): Promise<void> => {
      await own.engine.execute(testScope, 'AnyScaleFrontendService', operation, { ...target, ...input })
    }
    await scale('RegisterScalableTarget', { MinCapacity: 2, MaxCapacity: 9 })
    await scale('PutScalingPolicy', {
      PolicyName: `first:${resource}`,
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 50,
        PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
      },
    })
  }
  await own.run('UpdateTable', { TableName: 'orders', ReplicaUpdates: [{ Create: { RegionName: ohio } }] })
  await own.engine.background.idle()
}

const settings = {
  MinimumUnits: 1,
  MaximumUnits: 10,
  ScalingPolicyUpdate: { TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 } },
}
const disabled = { AutoScalingDisabled: true, ScalingPolicies: [] }

function describeReplicas(): Promise<object> {
  return own.run('DescribeTableReplicaAutoScaling', { TableName: 'orders' })
}

test('a table without replicas is no global table, which is told after what is wrong with the request', async () => {
  const none = { code: 'ResourceNotFoundException', message: "Global table with name: 'orders' does not exist." }
  const TableName = 'orders'
  expect(await own.refusal('DescribeTableReplicaAutoScaling', { TableName })).toMatchObject(none)
  expect(
    await own.refusal('UpdateTableReplicaAutoScaling', {
      TableName,
      ProvisionedWriteCapacityAutoScalingUpdate: settings,
    }),
  ).toMatchObject(none)
  expect(
    await own.refusal('UpdateTableReplicaAutoScaling', {
      TableName,
      ProvisionedWriteCapacityAutoScalingUpdate: { MinimumUnits: 1, MaximumUnits: 2 },
    }),
  ).toMatchObject({
    code: 'ValidationException',
    message:
      "Failed to update settings for global table with name: ‘orders’: Parameters 'ScalingPolicyUpdate' are required unless auto scaling is being disabled.",
  })
})

test('a new replica has no auto scaling for its reads, nor for those of its indexes', async () => {
  await addReplica()
  expect(await describeReplicas()).toMatchObject({
    TableAutoScalingDescription: {
      TableName: 'orders',
      TableStatus: 'ACTIVE',
      Replicas: [
        {
          RegionName: testScope.region,
          ReplicaProvisionedWriteCapacityAutoScalingSettings: { MinimumUnits: 2, MaximumUnits: 9 },
        },
        {
          RegionName: ohio,
          GlobalSecondaryIndexes: [
            {
              IndexName: 'by-team',
              IndexStatus: 'ACTIVE',
              ProvisionedReadCapacityAutoScalingSettings: disabled,
            },
          ],
          ReplicaProvisionedReadCapacityAutoScalingSettings: disabled,
          ReplicaStatus: 'ACTIVE',
        },
      ],
    },
  })
})

test('what is set here are targets and policies of auto scaling, and the other way round', async () => {
  await addReplica()
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
        { RegionName: ohio },
      ],
    },
  })
})

test('a policy of another name replaces the one before', async () => {
  await addReplica()
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
        { ReplicaProvisionedWriteCapacityAutoScalingSettings: { ScalingPolicies: [{ PolicyName: 'two' }] } },
      ],
    },
  })
})

test('disabling takes the target away', async () => {
  await addReplica()
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
  ).toMatchObject({ ScalableTargets: [{ ResourceId: 'table/orders/index/by-team' }] })
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
    { ReplicaUpdates: [{ RegionName: ohio }] },
    'Failed to update settings for global table with name: ‘orders’ because at least one update parameter must be specified for region: ‘us-east-2’.',
  ],
  [
    { ProvisionedWriteCapacityAutoScalingUpdate: { ...settings, MinimumUnits: 11 } },
    'Maximum capacity cannot be less than minimum capacity',
  ],
  [
    { ProvisionedWriteCapacityAutoScalingUpdate: { AutoScalingDisabled: true, MinimumUnits: 1, MaximumUnits: 2 } },
    "Failed to update settings for global table with name ‘orders’: Parameters 'MaximumUnits', 'MinimumUnits' must be left blank when disabling auto scaling.",
  ],
  [
    { ReplicaUpdates: [{ RegionName: 'ap-south-1', ReplicaProvisionedReadCapacityAutoScalingUpdate: settings }] },
    'Failed to update settings for global table with name: ‘orders’ because a replica does not exist in regions: ‘[ap-south-1]’.',
  ],
])('%j is refused', async (update, message) => {
  await addReplica()
  const refused = await own.refusal('UpdateTableReplicaAutoScaling', { TableName: 'orders', ...update })
  expect(refused.message).toBe(message)
})
