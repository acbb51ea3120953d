import { ServiceError } from '@hashrange/core'
import { heatReport } from '@hashrange/engine'
import { testScope } from '@hashrange/engine/test-engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMonitoredEngine, type MonitoredEngine } from '../testing/monitored-engine.ts'

/** What a client may put where a number is expected. `1e999` is read as infinity; NaN comes in CBOR. */
const hostile: readonly unknown[] = [
  -Infinity,
  -1e308,
  -(2 ** 63),
  -1,
  -0.5,
  0,
  Number.MIN_VALUE,
  0.5,
  40_001,
  2 ** 31,
  1e8,
  1e12 + 1,
  1e15,
  2 ** 63,
  1e308,
  Infinity,
  Number.NaN,
  '5',
  '',
  true,
  {},
  [],
  [1],
]

const units = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
const warm = { ReadUnitsPerSecond: 13_000, WriteUnitsPerSecond: 5_000 }
const onDemand = { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 10 }
const attributes = ['a', 'b'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' }))
const key = [{ AttributeName: 'a', KeyType: 'HASH' }]
const index = {
  IndexName: 'by-b',
  KeySchema: [{ AttributeName: 'b', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'ALL' },
}
const table = { KeySchema: key, AttributeDefinitions: attributes }
const provisioned = {
  ...table,
  ProvisionedThroughput: units,
  WarmThroughput: { ReadUnitsPerSecond: 6, WriteUnitsPerSecond: 6 },
  GlobalSecondaryIndexes: [{ ...index, ProvisionedThroughput: units }],
}
const paidPerRequest = {
  ...table,
  BillingMode: 'PAY_PER_REQUEST',
  WarmThroughput: warm,
  OnDemandThroughput: onDemand,
  GlobalSecondaryIndexes: [{ ...index, WarmThroughput: warm, OnDemandThroughput: onDemand }],
}
const updateIndex = (more: object): object => ({
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'by-b', ...more } }],
})
const policyUpdate = {
  TargetTrackingScalingPolicyConfiguration: { ScaleInCooldown: 1, ScaleOutCooldown: 1, TargetValue: 50 },
}
const scaled = { MinimumUnits: 1, MaximumUnits: 9, ScalingPolicyUpdate: policyUpdate }
const target = {
  ServiceNamespace: 'dynamodb',
  ResourceId: 'table/provisioned',
  ScalableDimension: 'dynamodb:table:WriteCapacityUnits',
}
const metric = {
  Namespace: 'AWS/DynamoDB',
  MetricName: 'ConsumedWriteCapacityUnits',
  Dimensions: [{ Name: 'TableName', Value: 'provisioned' }],
}
const alarm = {
  AlarmName: 'busy',
  EvaluationPeriods: 2,
  DatapointsToAlarm: 1,
  Threshold: 3,
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
}
const query = (Stat: string): object => ({
  Id: 'm1',
  MetricStat: { Metric: metric, Period: 60, Stat },
})
const nowSeconds = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000
const span = { StartTime: nowSeconds - 600, EndTime: nowSeconds }

type Request = readonly [target: string, operation: string, input: object]

const dynamo = (operation: string, input: object): Request => ['DynamoDB_20120810', operation, input]
const scaling = (operation: string, input: object): Request => ['AnyScaleFrontendService', operation, input]
const cloudWatch = (operation: string, input: object): Request => [
  'GraniteServiceVersion20100801',
  operation,
  input,
]

const requests: readonly Request[] = [
  dynamo('CreateTable', { TableName: 'new-provisioned', ...provisioned }),
  dynamo('CreateTable', { TableName: 'new-on-demand', ...paidPerRequest }),
  dynamo('UpdateTable', { TableName: 'provisioned', ProvisionedThroughput: units }),
  dynamo('UpdateTable', { TableName: 'provisioned', ...updateIndex({ ProvisionedThroughput: units }) }),
  dynamo('UpdateTable', { TableName: 'provisioned', WarmThroughput: warm }),
  dynamo('UpdateTable', { TableName: 'on-demand', WarmThroughput: warm }),
  dynamo('UpdateTable', { TableName: 'on-demand', OnDemandThroughput: onDemand }),
  dynamo('UpdateTable', { TableName: 'on-demand', ...updateIndex({ WarmThroughput: warm }) }),
  dynamo('UpdateTable', { TableName: 'on-demand', ...updateIndex({ OnDemandThroughput: onDemand }) }),
  dynamo('UpdateContinuousBackups', {
    TableName: 'on-demand',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 3 },
  }),
  dynamo('RestoreTableToPointInTime', {
    SourceTableName: 'on-demand',
    TargetTableName: 'restored',
    RestoreDateTime: nowSeconds,
    BillingModeOverride: 'PROVISIONED',
    ProvisionedThroughputOverride: units,
    GlobalSecondaryIndexOverride: [{ ...index, ProvisionedThroughput: units }],
  }),
  dynamo('RestoreTableToPointInTime', {
    SourceTableName: 'on-demand',
    TargetTableName: 'restored',
    UseLatestRestorableTime: true,
    OnDemandThroughputOverride: onDemand,
  }),
  dynamo('UpdateTableReplicaAutoScaling', {
    TableName: 'provisioned',
    ProvisionedWriteCapacityAutoScalingUpdate: scaled,
    GlobalSecondaryIndexUpdates: [{ IndexName: 'by-b', ProvisionedWriteCapacityAutoScalingUpdate: scaled }],
  }),
  dynamo('ListTables', { Limit: 3 }),
  dynamo('ListBackups', { Limit: 3, TimeRangeLowerBound: nowSeconds, TimeRangeUpperBound: nowSeconds + 1 }),
  dynamo('Scan', { TableName: 'on-demand', Limit: 3, Segment: 1, TotalSegments: 5 }),
  dynamo('Query', {
    TableName: 'on-demand',
    Limit: 3,
    KeyConditionExpression: 'a = :a',
    ExpressionAttributeValues: { ':a': { S: 'x' } },
  }),
  scaling('RegisterScalableTarget', { ...target, MinCapacity: 1, MaxCapacity: 5 }),
  scaling('PutScalingPolicy', {
    ...target,
    PolicyName: 'follow',
    PolicyType: 'TargetTrackingScaling',
    TargetTrackingScalingPolicyConfiguration: {
      TargetValue: 70,
      ScaleInCooldown: 0,
      ScaleOutCooldown: 0,
      PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
    },
  }),
  scaling('PutScheduledAction', {
    ...target,
    ScheduledActionName: 'nightly',
    Schedule: 'rate(1 minute)',
    StartTime: nowSeconds,
    EndTime: nowSeconds + 3_600,
    ScalableTargetAction: { MinCapacity: 1, MaxCapacity: 5 },
  }),
  scaling('DescribeScalingActivities', { ServiceNamespace: 'dynamodb', MaxResults: 3 }),
  cloudWatch('PutMetricAlarm', { ...alarm, ...metric, Statistic: 'Sum', Period: 60 }),
  cloudWatch('PutMetricAlarm', { ...alarm, AlarmName: 'queries', Metrics: [query('Sum')] }),
  cloudWatch('DescribeAlarms', { MaxRecords: 3 }),
  cloudWatch('DescribeAlarmHistory', { MaxRecords: 3, StartDate: nowSeconds - 1, EndDate: nowSeconds }),
  cloudWatch('GetMetricStatistics', { ...metric, ...span, Period: 60, Statistics: ['Sum'] }),
  cloudWatch('GetMetricData', { ...span, MaxDatapoints: 9, MetricDataQueries: [query('Sum')] }),
  cloudWatch('GetMetricData', { ...span, MetricDataQueries: [{ Id: 'e1', Expression: '1 / 0', Period: 60 }] }),
]

let database: MonitoredEngine
beforeAll(async () => {
  database = await openMonitoredEngine(undefined, { throttling: 'enforce' })
  await database.run('CreateTable', { TableName: 'provisioned', ...provisioned })
  await database.run('CreateTable', { TableName: 'on-demand', ...paidPerRequest })
  await database.run('UpdateContinuousBackups', {
    TableName: 'on-demand',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
})
afterAll(() => database.close())

test.each(requests)('%s %s takes any number, or refuses it in the words of the service', async (...request) => {
  const [prefix, operation, input] = request
  const bodies = hostile.flatMap((value) => [...withOneNumber(input, value), withAllNumbers(input, value)])
  for (const body of bodies) {
    await runOrRefuse(prefix, operation, body)
    // What is new is made room for, and what restores is waited for: a name that is taken refuses all that follows.
    for (const TableName of ['new-provisioned', 'new-on-demand', 'restored']) {
      await runOrRefuse('DynamoDB_20120810', 'DeleteTable', { TableName })
    }
  }
  await runOrRefuse(prefix, operation, input)
  await expectToServe()
})

/** Whatever was taken must be lived with. */
async function expectToServe(): Promise<void> {
  for (const TableName of ['provisioned', 'on-demand']) {
    await database.run('DescribeTable', { TableName })
    await runOrRefuse('DynamoDB_20120810', 'PutItem', { TableName, Item: { a: { S: 'x' }, b: { S: 'y' } } })
  }
  // Infinity and NaN are null in JSON.
  expect(JSON.stringify(await heatReport(database.engine, testScope))).not.toContain(':null')
  database.advance(61_000)
  await database.evaluateAlarms()
  await database.runScheduledActions()
  await database.engine.background.idle()
  expect(database.backgroundErrors).toEqual([])
}

async function runOrRefuse(prefix: string, operation: string, body: unknown): Promise<void> {
  try {
    await database.engine.execute(testScope, prefix, operation, body)
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw new Error(`${operation} with ${JSON.stringify(body)} failed`, { cause: error })
    }
  }
}

/** The input with one of its numbers replaced, in turn. */
function* withOneNumber(input: unknown, value: unknown): Iterable<unknown> {
  if (typeof input === 'number') yield value
  if (typeof input !== 'object' || input === null) return
  for (const [name, member] of Object.entries(input)) {
    for (const changed of withOneNumber(member, value)) yield withMember(input, name, changed)
  }
}

function withAllNumbers(input: unknown, value: unknown): unknown {
  if (typeof input === 'number') return value
  if (typeof input !== 'object' || input === null) return input
  let changed: object = input
  for (const [name, member] of Object.entries(input)) {
    changed = withMember(changed, name, withAllNumbers(member, value))
  }
  return changed
}

function withMember(input: object, name: string, member: unknown): object {
  return Array.isArray(input) ? input.with(Number(name), member) : { ...input, [name]: member }
}
