import { testScope } from '@hashrange/engine/test-engine'
import { expect, test } from 'vitest'
import { openMonitoredEngine } from '../testing/monitored-engine.ts'

const Dimensions = [
  { Name: 'Operation', Value: 'ProcessTask' },
  { Name: 'ShardId', Value: 's1' },
]

test('metrics that clients put are listed, read and watched by alarms', async () => {
  const { engine, advance, evaluateAlarms, close } = await openMonitoredEngine()
  const call = async <T>(operation: string, input: object): Promise<T> =>
    (await engine.execute(testScope, 'GraniteServiceVersion20100801', operation, input)) as T
  const nowSeconds = (): number => engine.clock.now() / 1000
  const put = (MetricData: readonly object[]): Promise<unknown> =>
    call('PutMetricData', { Namespace: 'my-app', MetricData })
  await put([
    { MetricName: 'Time', Dimensions, Value: 4, Unit: 'Milliseconds' },
    {
      MetricName: 'Time',
      Dimensions: Dimensions.toReversed(),
      Values: [1, 10],
      Counts: [2, 1],
      Unit: 'Milliseconds',
    },
    { MetricName: 'Other', StatisticValues: { SampleCount: 3, Sum: 6, Minimum: 1, Maximum: 3 } },
  ])
  await put([{ MetricName: 'Time', Dimensions, Value: 100, Unit: 'Milliseconds' }])
  expect(await call('ListMetrics', { Namespace: 'my-app', RecentlyActive: 'PT3H' })).toMatchObject({
    Metrics: [
      { Namespace: 'my-app', MetricName: 'Other', Dimensions: [] },
      { Namespace: 'my-app', MetricName: 'Time' },
    ],
  })
  const asked = { Namespace: 'my-app', MetricName: 'Time', Dimensions }
  const times = { StartTime: nowSeconds() - 600, EndTime: nowSeconds() + 60 }
  const statistics = await call<{ Datapoints: readonly object[] }>('GetMetricStatistics', {
    ...asked,
    ...times,
    Period: 60,
    Statistics: ['Sum', 'SampleCount', 'Maximum', 'Minimum'],
  })
  expect(statistics.Datapoints).toMatchObject([
    { Sum: 116, SampleCount: 5, Maximum: 100, Minimum: 1, Unit: 'Milliseconds' },
  ])
  expect(
    await call('GetMetricData', {
      ...times,
      MetricDataQueries: [{ Id: 'a', MetricStat: { Metric: asked, Period: 300, Stat: 'Sum' } }],
    }),
  ).toMatchObject({ MetricDataResults: [{ Values: [116] }] })
  await call('PutMetricAlarm', {
    AlarmName: 'slow',
    ...asked,
    Statistic: 'Maximum',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 50,
    ComparisonOperator: 'GreaterThanThreshold',
  })
  advance(60_000)
  await evaluateAlarms()
  expect(await call('DescribeAlarms', {})).toMatchObject({ MetricAlarms: [{ StateValue: 'ALARM' }] })
  for (const [datum, code] of [
    [{ MetricName: 'Time' }, 'InvalidParameterCombinationException'],
    [{ MetricName: 'Zero\0', Value: 1 }, 'InvalidParameterValueException'],
    [{ MetricName: 'Old', Value: 1, Timestamp: 0 }, 'InvalidParameterValueException'],
  ] as const) {
    await expect(put([datum])).rejects.toMatchObject({ code })
  }
  await expect(call('PutMetricData', { Namespace: 'AWS/DynamoDB', MetricData: [] })).rejects.toBeDefined()
  await close()
})
