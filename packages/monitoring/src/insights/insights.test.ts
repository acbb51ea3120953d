import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, testScope } from '@hashrange/engine/test-engine'
import { openMonitoredEngine, type MonitoredEngine } from '../testing/monitored-engine.ts'

type Plain = Readonly<Record<string, unknown>>

let own: MonitoredEngine

beforeEach(async () => {
  own = await openMonitoredEngine()
  own.advance(55_000)
  await own.run(
    'CreateTable',
    createTableInput('orders', { hash: 'pk:S', range: 'sk:N', global: { 'by-team': { hash: ['team:S'] } } }),
  )
})

afterEach(() => own.close())

function update(more: object): Promise<Plain> {
  return own.run('UpdateContributorInsights', { TableName: 'orders', ...more })
}

async function rules(more: object = {}): Promise<readonly string[]> {
  const described = await own.run<{ ContributorInsightsRuleList?: string[] }>('DescribeContributorInsights', {
    TableName: 'orders',
    ...more,
  })
  return described.ContributorInsightsRuleList ?? []
}

async function report(RuleName: string): Promise<Plain> {
  const now = own.engine.clock.now() / 1000
  return (await own.engine.execute(testScope, 'GraniteServiceVersion20100801', 'GetInsightRuleReport', {
    RuleName,
    StartTime: now - 600,
    EndTime: now + 60,
    Period: 60,
    Metrics: ['UniqueContributors', 'MaxContributorValue', 'Sum'],
  })) as Plain
}

describe('Contributor Insights', () => {
  test('are off until they are turned on, which changes once', async () => {
    expect(await own.run('DescribeContributorInsights', { TableName: 'orders' })).toEqual({
      TableName: 'orders',
      ContributorInsightsStatus: 'DISABLED',
    })
    expect(await update({ ContributorInsightsAction: 'DISABLE' })).toEqual({
      TableName: 'orders',
      ContributorInsightsStatus: 'DISABLED',
    })
    expect(await update({ ContributorInsightsAction: 'ENABLE' })).toEqual({
      TableName: 'orders',
      ContributorInsightsStatus: 'ENABLING',
      ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
    })
    const made = await rules()
    const madeAtMs = own.engine.clock.now()
    expect(made).toEqual(
      ['PKC', 'SKC', 'PKT', 'SKT'].map((k) => `DynamoDBContributorInsights-${k}-orders-${madeAtMs}`),
    )
    own.advance(1000)
    expect(await update({ ContributorInsightsAction: 'ENABLE' })).toMatchObject({
      ContributorInsightsStatus: 'ENABLED',
    })
    expect(await rules()).toEqual(made)
    expect(
      await update({ ContributorInsightsAction: 'ENABLE', ContributorInsightsMode: 'THROTTLED_KEYS' }),
    ).toMatchObject({ ContributorInsightsStatus: 'ENABLING', ContributorInsightsMode: 'THROTTLED_KEYS' })
    expect(await rules()).toEqual(made.slice(2))
    expect(await update({ ContributorInsightsAction: 'DISABLE' })).toMatchObject({
      ContributorInsightsStatus: 'DISABLING',
    })
    expect(await own.run('DescribeContributorInsights', { TableName: 'orders' })).toEqual({
      TableName: 'orders',
      ContributorInsightsStatus: 'DISABLED',
      ContributorInsightsMode: 'THROTTLED_KEYS',
      LastUpdateDateTime: own.engine.clock.now() / 1000,
    })
  })

  test('are each table’s and each global index’s own, and go with it', async () => {
    await update({ ContributorInsightsAction: 'ENABLE' })
    await update({ ContributorInsightsAction: 'ENABLE', IndexName: 'by-team' })
    expect(await rules({ IndexName: 'by-team' })).toEqual([
      expect.stringMatching(/^DynamoDBContributorInsights-PKC-orders-by-team-\d+$/),
      expect.stringMatching(/^DynamoDBContributorInsights-PKT-orders-by-team-\d+$/),
    ])
    const first = await own.run<Plain>('ListContributorInsights', { MaxResults: 1 })
    expect(first).toMatchObject({
      ContributorInsightsSummaries: [{ TableName: 'orders', ContributorInsightsStatus: 'ENABLED' }],
    })
    expect(await own.run('ListContributorInsights', { MaxResults: 1, NextToken: first['NextToken'] })).toEqual({
      ContributorInsightsSummaries: [
        {
          TableName: 'orders',
          IndexName: 'by-team',
          ContributorInsightsStatus: 'ENABLED',
          ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
        },
      ],
    })
    await own.run('DeleteTable', { TableName: 'orders' })
    expect(await own.run('ListContributorInsights', {})).toEqual({ ContributorInsightsSummaries: [] })
    await own.run('CreateTable', createTableInput('orders', { hash: 'pk:S' }))
    expect(await rules()).toEqual([])
  })

  test('stay on, whole keys included, when the database is opened again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hashrange-insights-'))
    await own.close()
    own = await openMonitoredEngine(folder)
    await own.run('CreateTable', createTableInput('orders', { hash: 'pk:S', range: 'sk:N' }))
    await update({ ContributorInsightsAction: 'ENABLE' })
    const before = await rules()
    await own.close()
    own = await openMonitoredEngine(folder)
    expect(await rules()).toEqual(before)
    await own.run('PutItem', { TableName: 'orders', Item: { pk: { S: 'a' }, sk: { N: '1' } } })
    expect(await report(before[1] ?? '')).toMatchObject({ Contributors: [{ Keys: ['a', '1'] }] })
    await own.close()
    await rm(folder, { recursive: true })
    own = await openMonitoredEngine()
  })

  test('refuse tables and indexes that are not there', async () => {
    const refused = await own.refusal('DescribeContributorInsights', { TableName: 'nothing' })
    expect([refused.code, refused.message]).toEqual([
      'ResourceNotFoundException',
      'Requested resource not found: Table: nothing not found',
    ])
    const index = await own.refusal('UpdateContributorInsights', {
      TableName: 'orders',
      IndexName: 'nope',
      ContributorInsightsAction: 'ENABLE',
    })
    expect(index.message).toBe('Requested resource not found: Index: nope not found for table: orders')
  })

  test('report the keys that were used most, by partition key and by whole key', async () => {
    await update({ ContributorInsightsAction: 'ENABLE' })
    await update({ ContributorInsightsAction: 'ENABLE', IndexName: 'by-team' })
    for (const [pk, sk, times] of [
      ['celebrity', 1, 6],
      ['celebrity', 2, 3],
      ['nobody', 1, 1],
    ] as const) {
      for (let time = 0; time < times; time++) {
        const Item = { pk: { S: pk }, sk: { N: String(sk) }, team: { S: 'red' }, at: { N: String(time) } }
        await own.run('PutItem', { TableName: 'orders', Item })
      }
    }
    const [byKey = '', byItem = '', throttled = ''] = await rules()
    expect(await report(byKey)).toMatchObject({
      KeyLabels: ['pk'],
      AggregateValue: 10,
      ApproximateUniqueCount: 2,
      Contributors: [
        { Keys: ['celebrity'], ApproximateAggregateValue: 9, Datapoints: [{ ApproximateValue: 9 }] },
        { Keys: ['nobody'], ApproximateAggregateValue: 1 },
      ],
      MetricDatapoints: [{ UniqueContributors: 2, MaxContributorValue: 9, Sum: 10 }],
    })
    expect(await report(byItem)).toMatchObject({
      KeyLabels: ['pk', 'sk'],
      Contributors: [
        { Keys: ['celebrity', '1'], ApproximateAggregateValue: 6 },
        { Keys: ['celebrity', '2'], ApproximateAggregateValue: 3 },
        { Keys: ['nobody', '1'] },
      ],
    })
    expect(await report(throttled)).toMatchObject({ Contributors: [] })
    const [ofIndex = ''] = await rules({ IndexName: 'by-team' })
    expect(await report(ofIndex)).toMatchObject({ KeyLabels: ['team'], Contributors: [{ Keys: ['red'] }] })
    await expect(report('none')).rejects.toMatchObject({ code: 'ResourceNotFoundException' })
  })
})
