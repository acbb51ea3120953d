import { describe, expect, test } from 'vitest'
import { dimension, target, minuteMs, scaledOrders, type Plain } from '../testing/scaled-orders.ts'

const orders = scaledOrders()
const { createTable, scaling, refusal, register, putPolicy, load, activities } = orders

describe('what is scaled', () => {
  test('is an index as well, by what the index consumes', async () => {
    await createTable('indexed', {
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'team', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-team',
          KeySchema: [{ AttributeName: 'team', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
          ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 1 },
        },
      ],
    })
    const index = {
      ServiceNamespace: 'dynamodb',
      ResourceId: 'table/indexed/index/by-team',
      ScalableDimension: 'dynamodb:index:WriteCapacityUnits',
    }
    await scaling('RegisterScalableTarget', { ...index, MinCapacity: 1, MaxCapacity: 9 })
    await scaling('PutScalingPolicy', {
      ...index,
      PolicyName: 'team',
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 50,
        PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
      },
    })
    for (let minute = 0; minute < 2; minute++) {
      for (let written = 0; written < 60; written++) {
        const Item = { pk: { S: `${minute} ${written}` }, team: { S: 'red' } }
        await orders.engine().run('PutItem', { TableName: 'indexed', Item })
      }
      orders.engine().advance(minuteMs)
      await orders.engine().evaluateAlarms()
    }
    const { Table } = await orders.engine().run<{ Table: Plain }>('DescribeTable', { TableName: 'indexed' })
    expect(Table).toMatchObject({
      GlobalSecondaryIndexes: [{ ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 2 } }],
      ProvisionedThroughput: { WriteCapacityUnits: 50 },
    })
  })

  test('follows another metric, if a policy names one', async () => {
    await register()
    await scaling('PutScalingPolicy', {
      ...target,
      PolicyName: 'requests',
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 6,
        CustomizedMetricSpecification: {
          Namespace: 'AWS/DynamoDB',
          MetricName: 'ConsumedWriteCapacityUnits',
          Dimensions: [{ Name: 'TableName', Value: 'orders' }],
          Statistic: 'SampleCount',
        },
      },
    })
    // Twelve requests a minute, where six are wanted: twice the capacity, after three minutes.
    expect(await load(70, 3)).toEqual([50, 50, 100])
  })

  test('is left alone once it is paid for on demand', async () => {
    await register()
    await putPolicy()
    await orders.engine().run('UpdateTable', { TableName: 'orders', BillingMode: 'PAY_PER_REQUEST' })
    expect(await load(70, 3)).toEqual([0, 0, 0])
    expect(await activities()).toEqual([])
  })
})

describe('what the service refuses', () => {
  test.each([
    [
      'RegisterScalableTarget',
      { ...target, ResourceId: 'table/nothing', MinCapacity: 1, MaxCapacity: 2 },
      'ValidationException: DynamoDB table does not exist: table/nothing',
    ],
    [
      'RegisterScalableTarget',
      { ...target, ServiceNamespace: 'ecs', MinCapacity: 1, MaxCapacity: 2 },
      'ValidationException: Unsupported service namespace, resource type or scalable dimension',
    ],
    [
      'RegisterScalableTarget',
      { ...target, MinCapacity: 3, MaxCapacity: 2 },
      'ValidationException: Maximum capacity cannot be less than minimum capacity',
    ],
    [
      'PutScalingPolicy',
      { ...target, PolicyName: 'p', PolicyType: 'TargetTrackingScaling' },
      `ObjectNotFoundException: No scalable target registered for service namespace: dynamodb, resource ID: table/orders, scalable dimension: ${dimension}`,
    ],
    [
      'DeleteScalingPolicy',
      { ...target, PolicyName: 'p' },
      `ObjectNotFoundException: No scaling policy found for service namespace: dynamodb, resource ID: table/orders, scalable dimension: ${dimension}, policy name: p`,
    ],
    [
      'RegisterScalableTarget',
      { ...target, ScalableDimension: 'dynamodb:table:Speed' },
      expect.stringMatching(
        /^ValidationException: 1 validation error detected: Value 'dynamodb:table:Speed' at 'scalableDimension' failed to satisfy constraint: Member must satisfy enum value set: \[/,
      ),
    ],
  ])('%s %j', async (operation, body, expected) => {
    expect(await refusal(operation, body)).toEqual(expected)
  })

  test('a target value outside what the metric allows', async () => {
    await register()
    await expect(putPolicy({ TargetValue: 90.1 })).rejects.toThrow(
      "For predefined metric type DynamoDBWriteCapacityUtilization, target value must be between '10.0' and '90.0', but was '90.1'.",
    )
  })

  test('a second policy for the same metric', async () => {
    await register()
    await putPolicy()
    expect(
      await refusal('PutScalingPolicy', {
        ...target,
        PolicyName: 'another',
        PolicyType: 'TargetTrackingScaling',
        TargetTrackingScalingPolicyConfiguration: {
          TargetValue: 50,
          PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
        },
      }),
    ).toBe(
      'ValidationException: Only one TargetTrackingScaling policy for a given metric specification is allowed.',
    )
  })
})
