import { expect, test } from 'vitest'
import { needsAwsCli } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'
import { awsCommand } from './aws-command.ts'

describeIf(needsAwsCli, 'CloudWatch with the AWS CLI', () => {
  const { endpoint } = servedDatabase()
  const dynamodb = awsCommand(endpoint)
  const cloudWatch = awsCommand(endpoint, 'cloudwatch')
  const table = 'readings'
  const watched = { namespace: 'AWS/DynamoDB', dimensions: `Name=TableName,Value=${table}` }

  function lastMinutes(): { readonly 'start-time': string; readonly 'end-time': string } {
    const at = (offsetMs: number): string => new Date(Date.now() + offsetMs).toISOString()
    return { 'start-time': at(-300_000), 'end-time': at(60_000) }
  }

  test('reads the metrics of what was written', async () => {
    await dynamodb('create-table', {
      'table-name': table,
      'attribute-definitions': 'AttributeName=pk,AttributeType=S',
      'key-schema': 'AttributeName=pk,KeyType=HASH',
      'billing-mode': 'PAY_PER_REQUEST',
    })
    for (const pk of ['a', 'b', 'c']) {
      await dynamodb('put-item', { 'table-name': table, item: { pk: { S: pk } } })
    }
    const listed = await cloudWatch('list-metrics', watched)
    expect(listed['Metrics']).toContainEqual({
      Namespace: 'AWS/DynamoDB',
      MetricName: 'ConsumedWriteCapacityUnits',
      Dimensions: [{ Name: 'TableName', Value: table }],
    })
    const statistics = await cloudWatch('get-metric-statistics', {
      ...watched,
      'metric-name': 'ConsumedWriteCapacityUnits',
      ...lastMinutes(),
      period: '300',
      statistics: 'Sum',
    })
    const sums = (statistics['Datapoints'] as { Sum: number }[]).map(({ Sum }) => Sum)
    expect(sums.reduce((sum, one) => sum + one, 0)).toBe(3)
  })

  test('computes with them', async () => {
    const metric = { Namespace: 'AWS/DynamoDB', MetricName: 'ConsumedWriteCapacityUnits' }
    const Dimensions = [{ Name: 'TableName', Value: table }]
    const { MetricDataResults } = await cloudWatch('get-metric-data', {
      ...lastMinutes(),
      'metric-data-queries': [
        {
          Id: 'm1',
          MetricStat: { Metric: { ...metric, Dimensions }, Period: 86_400, Stat: 'Sum' },
          ReturnData: false,
        },
        { Id: 'e1', Expression: 'm1 * 100', Label: 'hundredfold' },
      ],
    })
    const [result] = MetricDataResults as { Values: number[]; Label: string }[]
    expect(result?.Label).toBe('hundredfold')
    expect(result?.Values.reduce((sum, value) => sum + value, 0)).toBe(300)
  })

  test('sets alarms', async () => {
    await cloudWatch('put-metric-alarm', {
      'alarm-name': 'writes',
      // Of a table that is not there: nothing but the test changes the state.
      namespace: watched.namespace,
      dimensions: 'Name=TableName,Value=nothing',
      'metric-name': 'ConsumedWriteCapacityUnits',
      statistic: 'Sum',
      period: '60',
      'evaluation-periods': '1',
      threshold: '100',
      'comparison-operator': 'GreaterThanThreshold',
      'treat-missing-data': 'ignore',
    })
    await cloudWatch('set-alarm-state', {
      'alarm-name': 'writes',
      'state-value': 'ALARM',
      'state-reason': 'to see it',
    })
    expect(await cloudWatch('describe-alarms', { 'alarm-names': 'writes' })).toMatchObject({
      MetricAlarms: [{ AlarmName: 'writes', StateValue: 'ALARM', StateReason: 'to see it', Threshold: 100 }],
    })
    expect(await cloudWatch('describe-alarm-history', { 'alarm-name': 'writes' })).toMatchObject({
      AlarmHistoryItems: [
        { HistorySummary: 'Alarm updated from INSUFFICIENT_DATA to ALARM' },
        { HistorySummary: 'Alarm "writes" created' },
      ],
    })
    await cloudWatch('delete-alarms', { 'alarm-names': 'writes' })
    await expect(cloudWatch('delete-alarms', { 'alarm-names': 'writes' })).rejects.toThrow(
      'An error occurred (ResourceNotFound) when calling the DeleteAlarms operation',
    )
  })

  test('tells which keys are used most', async () => {
    await dynamodb('update-contributor-insights', {
      'table-name': table,
      'contributor-insights-action': 'ENABLE',
    })
    const { ContributorInsightsRuleList } = await dynamodb('describe-contributor-insights', { 'table-name': table })
    const [rule = ''] = ContributorInsightsRuleList as string[]
    expect(rule).toMatch(/^DynamoDBContributorInsights-PKC-readings-\d{13}$/)
    for (let time = 0; time < 3; time++) {
      await dynamodb('put-item', { 'table-name': table, item: { pk: { S: 'a' } } })
    }
    const report = await cloudWatch('get-insight-rule-report', {
      'rule-name': rule,
      ...lastMinutes(),
      period: '60',
      'max-contributor-count': '1',
    })
    expect(report).toMatchObject({ KeyLabels: ['pk'], Contributors: [{ Keys: ['a'] }] })
  })
})
