import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceError } from '@hashrange/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testScope } from '@hashrange/engine/test-engine'
import { openMonitoredEngine, type MonitoredEngine } from '../testing/monitored-engine.ts'

type Plain = Readonly<Record<string, unknown>>

const dimension = 'dynamodb:table:WriteCapacityUnits'
const target = { ServiceNamespace: 'dynamodb', ResourceId: 'table/orders', ScalableDimension: dimension }
const minuteMs = 60_000

let own: MonitoredEngine

beforeEach(async () => {
  own = await openMonitoredEngine()
  // On the minute, so that whole minutes are metered.
  own.advance(55_000)
  await createTable('orders')
})

afterEach(async () => {
  expect(own.backgroundErrors).toEqual([])
  await own.close()
})

function createTable(TableName: string, more: object = {}): Promise<unknown> {
  return own.run('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 50 },
    ...more,
  })
}

async function scaling<T = Plain>(operation: string, body: unknown): Promise<T> {
  return (await own.engine.execute(testScope, 'AnyScaleFrontendService', operation, body)) as T
}

async function cloudWatch<T = Plain>(operation: string, body: unknown): Promise<T> {
  return (await own.engine.execute(testScope, 'GraniteServiceVersion20100801', operation, body)) as T
}

async function refusal(operation: string, body: unknown): Promise<string> {
  return scaling(operation, body).then(
    () => 'accepted',
    (error: ServiceError) => `${error.code}: ${error.message}`,
  )
}

async function register(minCapacity = 10, maxCapacity = 1000, more: object = {}): Promise<void> {
  await scaling('RegisterScalableTarget', {
    ...target,
    MinCapacity: minCapacity,
    MaxCapacity: maxCapacity,
    ...more,
  })
  await own.engine.background.idle()
}

function putPolicy(more: object = {}): Promise<Plain> {
  return scaling('PutScalingPolicy', {
    ...target,
    PolicyName: 'orders-write-scaling',
    PolicyType: 'TargetTrackingScaling',
    TargetTrackingScalingPolicyConfiguration: {
      TargetValue: 70,
      PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
      ...more,
    },
  })
}

async function capacity(): Promise<number> {
  const { Table } = await own.run<{ Table: { ProvisionedThroughput: { WriteCapacityUnits: number } } }>(
    'DescribeTable',
    { TableName: 'orders' },
  )
  return Table.ProvisionedThroughput.WriteCapacityUnits
}

/** Writes so many units a second for some minutes, in items as large as they may be: half by putting them, half by
 *  deleting them again. */
async function load(unitsPerSecond: number, minutes: number): Promise<number[]> {
  const capacities: number[] = []
  const half = unitsPerSecond * 30
  let times = 1
  while (half % times !== 0 || half / times > 390) times++
  const body = { S: 'x'.repeat((half / times) * 1024 - 20) }
  for (let minute = 0; minute < minutes; minute++) {
    for (let time = 0; time < times; time++) {
      await own.run('PutItem', { TableName: 'orders', Item: { pk: { S: 'one' }, body } })
      await own.run('DeleteItem', { TableName: 'orders', Key: { pk: { S: 'one' } } })
    }
    own.advance(minuteMs)
    await own.evaluateAlarms()
    capacities.push(await capacity())
  }
  return capacities
}

async function activities(): Promise<readonly Plain[]> {
  const { ScalingActivities } = await scaling<{ ScalingActivities: readonly Plain[] }>(
    'DescribeScalingActivities',
    {
      ServiceNamespace: 'dynamodb',
      IncludeNotScaledActivities: true,
    },
  )
  return ScalingActivities
}

describe('a table with a target tracking policy', () => {
  test('scales out after two minutes above its target, to where the load is at the target', async () => {
    await register()
    await putPolicy()
    expect(await load(70, 3)).toEqual([50, 100, 100])
    const [activity] = await activities()
    expect(activity).toMatchObject({
      Description: 'Setting write capacity units to 100.',
      StatusCode: 'Successful',
      StatusMessage: 'Successfully set write capacity units to 100. Change successfully fulfilled by dynamodb.',
      ResourceId: 'table/orders',
    })
    expect(activity?.['Cause']).toMatch(
      /^monitor alarm TargetTracking-table\/orders-AlarmHigh-[0-9a-f-]{36} in state ALARM triggered policy orders-write-scaling$/,
    )
  })

  test('scales in after fifteen minutes well below its target, not below its minimum', async () => {
    await register(20, 1000)
    await putPolicy()
    await load(70, 2)
    const capacities = await load(7, 16)
    expect(capacities.slice(0, 14)).toEqual(Array(14).fill(100))
    expect(capacities.at(-1)).toBe(20)
  })

  test('stays where it is between the target and the margin below it', async () => {
    await register()
    await putPolicy()
    expect(new Set(await load(30, 20))).toEqual(new Set([50]))
  })

  test('does not scale in for want of any traffic, as on AWS', async () => {
    await register()
    await putPolicy()
    for (let minute = 0; minute < 30; minute++) {
      own.advance(minuteMs)
      await own.evaluateAlarms()
    }
    expect(await capacity()).toBe(50)
  })

  test('stops at its maximum, and says once why it does not go on', async () => {
    await register(10, 60)
    await putPolicy()
    expect(await load(70, 5)).toEqual([50, 60, 60, 60, 60])
    const notScaled = (await activities()).filter(({ StatusCode }) => StatusCode === 'NotScaled')
    expect(notScaled).toMatchObject([
      { NotScaledReasons: [{ Code: 'AlreadyAtMaxCapacity', MaxCapacity: 60, CurrentCapacity: 60 }] },
    ])
  })

  test('waits for its cooldown before it scales the same way again', async () => {
    await register()
    await putPolicy({ ScaleOutCooldown: 300 })
    expect(await load(70, 2)).toEqual([50, 100])
    expect(await load(140, 5)).toEqual([100, 100, 100, 100, 200])
  })

  test('does not scale in where that is disabled or suspended', async () => {
    await register(10, 1000, { SuspendedState: { DynamicScalingInSuspended: true } })
    await putPolicy()
    expect((await load(1, 17)).at(-1)).toBe(50)
    await register(10, 1000, { SuspendedState: { DynamicScalingInSuspended: false } })
    const { Alarms } = await putPolicy({ DisableScaleIn: true })
    expect(Alarms).toHaveLength(3)
    expect((await load(1, 17)).at(-1)).toBe(50)
  })

  test('respects the limit of decreases, and tells of it', async () => {
    await register(1, 1000)
    await putPolicy()
    for (const units of [49, 48, 47, 46]) {
      await own.run('UpdateTable', {
        TableName: 'orders',
        ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: units },
      })
    }
    expect((await load(1, 18)).at(-1)).toBe(46)
    const [failed, ...others] = await activities()
    expect(failed).toMatchObject({ StatusCode: 'Failed', Description: 'Setting write capacity units to 2.' })
    expect(failed?.['StatusMessage']).toMatch(/Reason: Subscriber limit exceeded: Provisioned throughput decreases/)
    expect(others).toEqual([])
  })
})

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
        await own.run('PutItem', { TableName: 'indexed', Item })
      }
      own.advance(minuteMs)
      await own.evaluateAlarms()
    }
    const { Table } = await own.run<{ Table: Plain }>('DescribeTable', { TableName: 'indexed' })
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
    await own.run('UpdateTable', { TableName: 'orders', BillingMode: 'PAY_PER_REQUEST' })
    expect(await load(70, 3)).toEqual([0, 0, 0])
    expect(await activities()).toEqual([])
  })
})

test('targets, policies, alarms and activities are there when the database is opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hashrange-scaling-'))
  await own.close()
  own = await openMonitoredEngine(folder)
  own.advance(55_000)
  await createTable('orders')
  await register()
  await putPolicy()
  await load(70, 1)
  await own.close()
  own = await openMonitoredEngine(folder)
  own.advance(55_000 + minuteMs)
  expect(await load(70, 1)).toEqual([100])
  expect(await activities()).toMatchObject([{ Description: 'Setting write capacity units to 100.' }])
  await own.close()
  await rm(folder, { recursive: true })
  own = await openMonitoredEngine()
})

describe('the alarms of a policy', () => {
  test('are four, visible in CloudWatch, and follow what is provisioned', async () => {
    await register()
    const { Alarms, PolicyARN } = await putPolicy()
    const names = (Alarms as { AlarmName: string }[]).map(({ AlarmName }) =>
      AlarmName.replace(/-[0-9a-f-]{36}$/, ''),
    )
    expect(names).toEqual(
      ['AlarmHigh', 'AlarmLow', 'ProvisionedCapacityHigh', 'ProvisionedCapacityLow'].map(
        (kind) => `TargetTracking-table/orders-${kind}`,
      ),
    )
    const thresholds = async (): Promise<unknown[]> =>
      (await cloudWatch<{ MetricAlarms: Plain[] }>('DescribeAlarms', {})).MetricAlarms.map((alarm) => [
        alarm['Threshold'],
        alarm['EvaluationPeriods'],
        alarm['ComparisonOperator'],
      ])
    expect(await thresholds()).toEqual([
      [2100, 2, 'GreaterThanThreshold'],
      [1500, 15, 'LessThanThreshold'],
      [50, 3, 'GreaterThanThreshold'],
      [50, 3, 'LessThanThreshold'],
    ])
    await own.run('UpdateTable', {
      TableName: 'orders',
      ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 100 },
    })
    expect(await thresholds()).toEqual([
      [4200, 2, 'GreaterThanThreshold'],
      [3000, 15, 'LessThanThreshold'],
      [100, 3, 'GreaterThanThreshold'],
      [100, 3, 'LessThanThreshold'],
    ])
    expect(PolicyARN).toMatch(
      /^arn:aws:autoscaling:eu-west-1:123456789012:scalingPolicy:[0-9a-f-]{36}:resource\/dynamodb\/table\/orders:policyName\/orders-write-scaling$/,
    )
  })

  test('go with the policy, and the policy with its target', async () => {
    await register()
    await putPolicy()
    await scaling('DeregisterScalableTarget', target)
    expect(await cloudWatch('DescribeAlarms', {})).toMatchObject({ MetricAlarms: [] })
    expect(await scaling('DescribeScalingPolicies', { ServiceNamespace: 'dynamodb' })).toMatchObject({
      ScalingPolicies: [],
    })
  })

  test('stay as they are when the same policy is put again', async () => {
    await register()
    expect(await putPolicy()).toEqual(await putPolicy())
  })
})

describe('scheduled actions', () => {
  test('change the bounds when their time comes, and the capacity with them', async () => {
    await register()
    await scaling('PutScheduledAction', {
      ...target,
      ScheduledActionName: 'morning',
      Schedule: 'cron(0 8 * * ? *)',
      ScalableTargetAction: { MinCapacity: 80, MaxCapacity: 200 },
    })
    await own.runScheduledActions()
    expect(await capacity()).toBe(50)
    own.advance(5 * 3_600_000)
    await own.runScheduledActions()
    expect(await capacity()).toBe(80)
    await own.runScheduledActions()
    expect((await activities()).map(({ Description, Cause }) => [Description, Cause])).toEqual(
      expect.arrayContaining([
        ['Setting write capacity units to 80.', 'minimum capacity was set to 80'],
        ['Setting min capacity to 80 and max capacity to 200', 'scheduled action name morning was triggered'],
      ]),
    )
    expect(await activities()).toHaveLength(2)
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
