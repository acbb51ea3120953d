import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CloudWatch } from '@aws-sdk/client-cloudwatch'
import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const table = 'readings'
const minuteMs = 60_000

/** A clock that the test moves: metrics are of whole minutes. */
const clock = { nowMs: Date.UTC(2026, 10, 15, 12), now: () => clock.nowMs }

let database: Database
let cloudWatch: CloudWatch
let scaling: ApplicationAutoScaling

beforeAll(async () => {
  database = await open({ clock })
  const { endpoint } = await database.listen(0)
  const config = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  }
  cloudWatch = new CloudWatch(config)
  scaling = new ApplicationAutoScaling(config)
  await database.client.createTable({
    TableName: table,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 10 },
  })
  for (const count of [3, 0, 5]) {
    for (let written = 0; written < count; written++) {
      await database.client.putItem({ TableName: table, Item: { pk: { S: String(written) } } })
    }
    clock.nowMs += minuteMs
  }
})

afterAll(async () => {
  cloudWatch.destroy()
  scaling.destroy()
  await database.close()
})

const Dimensions = [{ Name: 'TableName', Value: table }]
const writes = { Namespace: 'AWS/DynamoDB', MetricName: 'ConsumedWriteCapacityUnits', Dimensions }
const times = { StartTime: new Date(Date.UTC(2026, 10, 15, 12)), EndTime: new Date(Date.UTC(2026, 10, 15, 12, 3)) }

describe('metrics with the AWS SDK', () => {
  test('are listed, by page and by dimension', async () => {
    const { Metrics = [] } = await cloudWatch.listMetrics({ Namespace: 'AWS/DynamoDB', Dimensions })
    expect(Metrics.map(({ MetricName }) => MetricName)).toContain('ConsumedWriteCapacityUnits')
    const others = await cloudWatch.listMetrics({ Dimensions: [{ Name: 'TableName', Value: 'another' }] })
    expect(others.Metrics).toEqual([])
  })

  test('have statistics', async () => {
    const { Datapoints = [], Label } = await cloudWatch.getMetricStatistics({
      ...writes,
      ...times,
      Period: 60,
      Statistics: ['Sum', 'SampleCount', 'Maximum'],
      ExtendedStatistics: ['p50'],
    })
    expect(Label).toBe('ConsumedWriteCapacityUnits')
    expect(Datapoints.map(({ Timestamp, Sum, SampleCount, Unit }) => [Timestamp, Sum, SampleCount, Unit])).toEqual([
      [new Date(Date.UTC(2026, 10, 15, 12, 0)), 3, 3, 'Count'],
      [new Date(Date.UTC(2026, 10, 15, 12, 2)), 5, 5, 'Count'],
    ])
    expect(Datapoints[0]?.ExtendedStatistics).toEqual({ p50: 1 })
  })

  test('can be computed with', async () => {
    const m = { MetricStat: { Metric: writes, Period: 60, Stat: 'Sum' } }
    const { MetricDataResults = [] } = await cloudWatch.getMetricData({
      ...times,
      ScanBy: 'TimestampAscending',
      MetricDataQueries: [
        { Id: 'm1', ...m },
        { Id: 'filled', Expression: 'FILL(m1, 0)' },
        { Id: 'perSecond', Expression: 'm1 / PERIOD(m1)' },
        { Id: 'total', Expression: 'SUM(m1)' },
        { Id: 'busy', Expression: 'IF(m1 > 4, m1, 0)' },
      ],
    })
    const values = Object.fromEntries(MetricDataResults.map(({ Id, Values }) => [Id, Values]))
    expect(values).toEqual({
      m1: [3, 5],
      filled: [3, 0, 5],
      perSecond: [0.05, 5 / 60],
      total: [8, 8],
      busy: [0, 5],
    })
  })

  test('are found by a search, as dashboards do', async () => {
    const { MetricDataResults = [] } = await cloudWatch.getMetricData({
      ...times,
      ScanBy: 'TimestampAscending',
      MetricDataQueries: [
        {
          Id: 'found',
          Expression: `REMOVE_EMPTY(SEARCH('{"AWS/DynamoDB","TableName"} MetricName="ConsumedWriteCapacityUnits"', 'Sum', 60))`,
        },
        {
          Id: 'named',
          MetricStat: { Metric: writes, Period: 60, Stat: 'Sum' },
          Label: "${PROP('Dim.TableName')}: ${MAX}",
        },
      ],
    })
    expect(MetricDataResults.map(({ Label, Values }) => [Label, Values])).toEqual([
      [table, [3, 5]],
      [`${table}: 5`, [3, 5]],
    ])
  })

  test('come in pages', async () => {
    const request = {
      ...times,
      MetricDataQueries: [{ Id: 'm1', MetricStat: { Metric: writes, Period: 60, Stat: 'Sum' } }],
      MaxDatapoints: 1,
    }
    const first = await cloudWatch.getMetricData(request)
    expect(first.MetricDataResults).toMatchObject([{ Values: [5], StatusCode: 'PartialData' }])
    const second = await cloudWatch.getMetricData({ ...request, NextToken: first.NextToken })
    expect(second.MetricDataResults).toMatchObject([{ Values: [3], StatusCode: 'Complete' }])
    expect(second.NextToken).toBeUndefined()
  })

  test('are refused as the service refuses them', async () => {
    await expect(
      cloudWatch.getMetricStatistics({ ...writes, ...times, Period: 7, Statistics: ['Sum'] }),
    ).rejects.toMatchObject({ name: 'InvalidParameterValueException' })
    await expect(
      cloudWatch.getMetricData({ ...times, MetricDataQueries: [{ Id: 'a', Expression: 'b + 1' }] }),
    ).rejects.toMatchObject({ name: 'ValidationException', $metadata: { httpStatusCode: 400 } })
    await expect(cloudWatch.deleteAlarms({ AlarmNames: ['none'] })).rejects.toMatchObject({
      name: 'ResourceNotFound',
    })
  })
})

describe('alarms with the AWS SDK', () => {
  let receiver: Server
  const received: { readonly headers: unknown; readonly body: Record<string, string> }[] = []
  /** What the receiver answers next. */
  const statuses: number[] = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
      request.on('end', () => {
        const status = statuses.shift() ?? 200
        if (status === 200) {
          received.push({ headers: request.headers, body: JSON.parse(text) as Record<string, string> })
        }
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  })

  afterAll(() => new Promise((resolve) => receiver.close(resolve)))

  test('call a webhook when their state changes, again if it fails, and only then', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alarms`
    await cloudWatch.putMetricAlarm({
      AlarmName: 'busy',
      AlarmActions: [url],
      ...writes,
      Dimensions: [{ Name: 'TableName', Value: 'none' }],
      Statistic: 'Sum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 4,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'ignore',
    })
    statuses.push(503)
    const alarm = { AlarmName: 'busy', StateValue: 'ALARM', StateReason: 'to see it' } as const
    await cloudWatch.setAlarmState(alarm)
    await expect.poll(() => received.length).toBe(1)
    await cloudWatch.setAlarmState(alarm)
    const { body, headers } = received[0] ?? {}
    expect(headers).toMatchObject({ 'x-amz-sns-message-type': 'Notification' })
    expect(body).toMatchObject({ Type: 'Notification', Subject: 'ALARM: "busy" in us-east-1' })
    expect(JSON.parse(body?.['Message'] ?? '')).toMatchObject({
      AlarmName: 'busy',
      NewStateValue: 'ALARM',
      OldStateValue: 'INSUFFICIENT_DATA',
      Trigger: { MetricName: 'ConsumedWriteCapacityUnits', Statistic: 'SUM', Threshold: 4 },
    })
    await expect
      .poll(async () => {
        const { AlarmHistoryItems = [] } = await cloudWatch.describeAlarmHistory({ AlarmName: 'busy' })
        return AlarmHistoryItems.filter(({ HistoryItemType }) => HistoryItemType === 'Action').length
      })
      .toBe(1)
    expect(received).toHaveLength(1)
  })
})

describe('auto scaling with the AWS SDK', () => {
  test('knows targets, policies and tags', async () => {
    const target = {
      ServiceNamespace: 'dynamodb',
      ResourceId: `table/${table}`,
      ScalableDimension: 'dynamodb:table:ReadCapacityUnits',
    } as const
    const { ScalableTargetARN: ResourceARN = '' } = await scaling.registerScalableTarget({
      ...target,
      MinCapacity: 5,
      MaxCapacity: 50,
      Tags: { team: 'sensors' },
    })
    await scaling.putScalingPolicy({
      ...target,
      PolicyName: 'reads',
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 50,
        PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBReadCapacityUtilization' },
      },
    })
    const { ScalableTargets = [] } = await scaling.describeScalableTargets({ ServiceNamespace: 'dynamodb' })
    expect(ScalableTargets).toMatchObject([{ ...target, MinCapacity: 5, CreationTime: new Date(clock.nowMs) }])
    expect((await scaling.listTagsForResource({ ResourceARN })).Tags).toEqual({ team: 'sensors' })
    const { MetricAlarms = [] } = await cloudWatch.describeAlarmsForMetric({
      Namespace: 'AWS/DynamoDB',
      MetricName: 'ConsumedReadCapacityUnits',
      Dimensions,
    })
    expect(MetricAlarms.map(({ Threshold }) => Threshold)).toEqual([300, 180])
    await expect(
      scaling.putScalingPolicy({ ...target, PolicyName: 'steps', PolicyType: 'StepScaling' }),
    ).rejects.toMatchObject({ name: 'ValidationException' })
  })
})

test('clients of these services work within the process as well', async () => {
  const embedded = new CloudWatch(database.clientConfig)
  const { MetricAlarms = [] } = await embedded.describeAlarms({ AlarmNamePrefix: 'TargetTracking' })
  expect(MetricAlarms).toHaveLength(4)
  const { ScalingPolicies } = await new ApplicationAutoScaling(database.clientConfig).describeScalingPolicies({
    ServiceNamespace: 'dynamodb',
  })
  expect(ScalingPolicies).toMatchObject([{ PolicyName: 'reads' }])
})

describe('GET /metrics', () => {
  test('is what Prometheus reads', async () => {
    const { endpoint } = await database.listen(0)
    const plain = await fetch(`${endpoint}/metrics`)
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await plain.text()
    expect(text).toContain(
      `hashrange_dynamodb_consumed_write_capacity_units_total{account="123456789012",region="us-east-1",table="${table}"} 8\n`,
    )
    expect(text).toContain('# TYPE hashrange_dynamodb_successful_request_latency_seconds histogram\n')
    const open = await fetch(`${endpoint}/metrics`, {
      headers: {
        accept: 'application/openmetrics-text; version=1.0.0, text/plain;q=0.5',
        origin: 'http://localhost:3000',
      },
    })
    expect(open.headers.get('content-type')).toMatch(/^application\/openmetrics-text/)
    expect(open.headers.get('access-control-allow-origin')).toBeNull()
    expect(await open.text()).toMatch(
      /# TYPE hashrange_dynamodb_consumed_write_capacity_units counter\n[\s\S]*# EOF\n$/,
    )
  })
})
