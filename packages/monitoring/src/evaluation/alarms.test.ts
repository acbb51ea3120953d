import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceError } from '@hashrange/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, testScope } from '@hashrange/engine/test-engine'
import { openMonitoredEngine, type MonitoredEngine } from '../testing/monitored-engine.ts'
import type { AlarmNotification } from '../api/alarm-notifier.ts'

type Plain = Readonly<Record<string, unknown>>

const url = 'https://hooks.example/alarms'
let folder: string
let own: MonitoredEngine
let notified: { readonly url: string; readonly notification: AlarmNotification }[]

async function open(): Promise<void> {
  own = await openMonitoredEngine(folder, {
    notifier: {
      refusalOf: (to) => (to.startsWith('https://hooks.example/') ? undefined : 'it is not listed'),
      notify: (to, notification) => {
        notified.push({ url: to, notification })
        return Promise.resolve()
      },
    },
  })
  // On the minute, so that whole minutes are metered.
  own.advance(55_000)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-alarms-'))
  notified = []
  await open()
  await own.run('CreateTable', createTableInput('orders', { hash: 'pk:S' }))
})

afterEach(async () => {
  expect(own.backgroundErrors).toEqual([])
  await own.close()
  await rm(folder, { recursive: true })
})

async function cloudWatch<T = Plain>(operation: string, body: unknown): Promise<T> {
  return (await own.engine.execute(testScope, 'GraniteServiceVersion20100801', operation, body)) as T
}

const alarm = {
  AlarmName: 'busy',
  AlarmActions: [url],
  Namespace: 'AWS/DynamoDB',
  MetricName: 'ConsumedWriteCapacityUnits',
  Dimensions: [{ Name: 'TableName', Value: 'orders' }],
  Statistic: 'Sum',
  Period: 60,
  EvaluationPeriods: 2,
  Threshold: 3,
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
}

async function minute(writes: number): Promise<string> {
  for (let written = 0; written < writes; written++) {
    await own.run('PutItem', { TableName: 'orders', Item: { pk: { S: 'one' } } })
  }
  own.advance(60_000)
  await own.evaluateAlarms()
  await own.engine.background.idle()
  return stateOf()
}

async function stateOf(name = 'busy'): Promise<string> {
  const { MetricAlarms } = await cloudWatch<{ MetricAlarms: { StateValue: string }[] }>('DescribeAlarms', {
    AlarmNames: [name],
  })
  return MetricAlarms[0]?.StateValue ?? 'none'
}

describe('an alarm', () => {
  test('goes off after as many periods as it evaluates, notifies once, and comes back', async () => {
    await cloudWatch('PutMetricAlarm', { ...alarm, OKActions: [url] })
    expect(await minute(0)).toBe('INSUFFICIENT_DATA')
    expect(await minute(3)).toBe('INSUFFICIENT_DATA')
    expect(await minute(4)).toBe('ALARM')
    expect(await minute(5)).toBe('ALARM')
    expect(notified.map(({ notification }) => notification.Subject)).toEqual(['ALARM: "busy" in eu-west-1'])
    expect(await minute(1)).toBe('OK')
    expect(notified.map(({ notification }) => notification.Subject)).toEqual([
      'ALARM: "busy" in eu-west-1',
      'OK: "busy" in eu-west-1',
    ])
    const [first] = notified
    expect(JSON.parse(first?.notification.Message ?? '')).toMatchObject({
      NewStateReason:
        'Threshold Crossed: 2 out of the last 2 datapoints [4.0 (02/01/26 03:07:00), 3.0 (02/01/26 03:06:00)] were greater than or equal to the threshold (3.0) (minimum 2 datapoints for OK -> ALARM transition).',
    })
  })

  test('evaluates as many of its periods as it is told to', async () => {
    await cloudWatch('PutMetricAlarm', { ...alarm, EvaluationPeriods: 3, DatapointsToAlarm: 2 })
    expect([await minute(5), await minute(1), await minute(5)]).toEqual(['INSUFFICIENT_DATA', 'OK', 'ALARM'])
  })

  test('takes missing data for what it is told to', async () => {
    await cloudWatch('PutMetricAlarm', { ...alarm, TreatMissingData: 'breaching' })
    expect(await minute(0)).toBe('ALARM')
    await cloudWatch('PutMetricAlarm', { ...alarm, TreatMissingData: 'notBreaching' })
    expect(await minute(0)).toBe('OK')
  })

  test('watches what math makes of metrics', async () => {
    const { Namespace, MetricName, Dimensions } = alarm
    await cloudWatch('PutMetricAlarm', {
      AlarmName: 'busy',
      EvaluationPeriods: 1,
      Threshold: 0.1,
      ComparisonOperator: 'GreaterThanThreshold',
      Metrics: [
        {
          Id: 'm1',
          MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: 60, Stat: 'Sum' },
          ReturnData: false,
        },
        { Id: 'perSecond', Expression: 'm1 / PERIOD(m1)' },
      ],
    })
    expect([await minute(6), await minute(7)]).toEqual(['OK', 'ALARM'])
  })

  test('calls nobody while its actions are disabled', async () => {
    await cloudWatch('PutMetricAlarm', alarm)
    await cloudWatch('DisableAlarmActions', { AlarmNames: ['busy'] })
    await minute(5)
    expect(await minute(5)).toBe('ALARM')
    expect(notified).toEqual([])
  })

  test('that was set by hand goes back where it belongs', async () => {
    await cloudWatch('PutMetricAlarm', alarm)
    await minute(1)
    expect(await minute(1)).toBe('OK')
    await cloudWatch('SetAlarmState', { AlarmName: 'busy', StateValue: 'ALARM', StateReason: 'a test' })
    expect(await stateOf()).toBe('ALARM')
    expect(await minute(1)).toBe('OK')
  })

  test('keeps its state, its tags and its history when the database is opened again', async () => {
    await cloudWatch('PutMetricAlarm', { ...alarm, Tags: [{ Key: 'team', Value: 'shop' }] })
    await minute(5)
    await minute(5)
    await own.close()
    await open()
    expect(await stateOf()).toBe('ALARM')
    expect(
      await cloudWatch('ListTagsForResource', {
        ResourceARN: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:busy',
      }),
    ).toEqual({ Tags: [{ Key: 'team', Value: 'shop' }] })
    const { AlarmHistoryItems } = await cloudWatch<{ AlarmHistoryItems: Plain[] }>('DescribeAlarmHistory', {})
    expect(AlarmHistoryItems.map(({ HistoryItemType }) => HistoryItemType)).toEqual(
      expect.arrayContaining(['ConfigurationUpdate', 'StateUpdate', 'Action']),
    )
  })

  test.each([
    [{ ...alarm, EvaluationPeriods: 1441 }, 'Metrics cannot be checked across more than a day'],
    [{ ...alarm, AlarmActions: ['ftp://somewhere'] }, 'Invalid arn syntax: ftp://somewhere'],
    [
      { ...alarm, OKActions: ['http://169.254.169.254/'] },
      'The action http://169.254.169.254/ would not be called: it is not listed',
    ],
    [{ ...alarm, Period: 45 }, 'Period must be 10, 20, 30 or a multiple of 60'],
    [{ ...alarm, DatapointsToAlarm: 3 }, 'DatapointsToAlarm must be less than or equal to EvaluationPeriods'],
    [{ ...alarm, TreatMissingData: 'guess' }, 'Option guess is not supported'],
    [{ ...alarm, Statistic: undefined }, 'The parameter Statistic is required.'],
    [{ ...alarm, AlarmName: 'a\0b' }, 'must not contain ASCII control characters'],
    [{ ...alarm, ComparisonOperator: 'Greater' }, 'Member must satisfy enum value set'],
  ])('%j is refused', async (input, message) => {
    const refused = await cloudWatch('PutMetricAlarm', input).then(
      () => 'accepted',
      (error: ServiceError) => error.message,
    )
    expect(refused).toContain(message)
  })

  test('is listed by prefix, state and page', async () => {
    for (const AlarmName of ['a1', 'a2', 'a3', 'b1']) await cloudWatch('PutMetricAlarm', { ...alarm, AlarmName })
    const page = { AlarmNamePrefix: 'a', MaxRecords: 2 }
    const first = await cloudWatch<{ MetricAlarms: Plain[]; NextToken: string }>('DescribeAlarms', page)
    expect(first.MetricAlarms.map(({ AlarmName }) => AlarmName)).toEqual(['a1', 'a2'])
    const second = await cloudWatch('DescribeAlarms', { ...page, NextToken: first.NextToken })
    expect(second).toMatchObject({ MetricAlarms: [{ AlarmName: 'a3' }], NextToken: undefined })
    expect(await cloudWatch('DescribeAlarms', { StateValue: 'OK' })).toMatchObject({ MetricAlarms: [] })
    await expect(cloudWatch('DescribeAlarms', { NextToken: 'nonsense' })).rejects.toMatchObject({
      code: 'InvalidNextToken',
    })
  })
})
