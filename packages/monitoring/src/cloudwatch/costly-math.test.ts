import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTableInput, testScope } from '@hashrange/engine/test-engine'
import { openMonitoredEngine, type MonitoredEngine } from '../testing/monitored-engine.ts'

let db: MonitoredEngine

beforeAll(async () => {
  db = await openMonitoredEngine()
  await db.run('CreateTable', createTableInput('orders', { hash: 'pk' }))
  await db.run('PutItem', { TableName: 'orders', Item: { pk: { S: 'a' } } })
  db.advance(120_000)
})
afterAll(() => db.close())

const metric = (Id: string): object => ({
  Id,
  MetricStat: {
    Metric: {
      Namespace: 'AWS/DynamoDB',
      MetricName: 'ConsumedWriteCapacityUnits',
      Dimensions: [{ Name: 'TableName', Value: 'orders' }],
    },
    Period: 60,
    Stat: 'Sum',
  },
})

interface MetricData {
  readonly MetricDataResults: readonly {
    readonly Values: readonly number[]
    readonly Messages?: readonly { readonly Value: string }[]
  }[]
}

async function getMetricData(queries: readonly object[]): Promise<MetricData['MetricDataResults']> {
  const toS = db.engine.clock.now() / 1000
  const input = { StartTime: toS - 3600, EndTime: toS, MetricDataQueries: queries }
  const { MetricDataResults } = (await db.engine.execute(
    testScope,
    'GraniteServiceVersion20100801',
    'GetMetricData',
    input,
  )) as MetricData
  return MetricDataResults
}

const tooMany = 'the expressions of the request take too many values'

test('lists of lists end before they fill the memory', async () => {
  const doubled = Array.from({ length: 300 }, (_, index) => ({
    Id: `e${index}`,
    Expression: index === 0 ? '[m, m]' : `[e${index - 1}, e${index - 1}]`,
    ReturnData: index === 299,
  }))
  const results = await getMetricData([metric('m'), ...doubled])
  expect(results.map(({ Messages }) => Messages?.[0]?.Value)).toEqual([undefined, tooMany])
})

test('functions within functions are evaluated once each', async () => {
  const nested = (name: string, end = ''): string => `${`${name}(`.repeat(45)}m${`${end})`.repeat(45)}`
  const [sum, filled] = await getMetricData([
    { Id: 'a', Expression: nested('RUNNING_SUM') },
    { Id: 'b', Expression: nested('FILL', ', 0') },
    metric('m'),
  ])
  expect(sum?.Values).toContain(1)
  expect(filled?.Values.length).toBeGreaterThan(10)
})

test('as many metrics as there may be, in as many expressions as there may be, are not computed at any price', async () => {
  const Expression = `SUM([${Array.from({ length: 80 }, () => 'METRICS()').join(',')}])`
  const results = await getMetricData([
    ...Array.from({ length: 400 }, (_, index) => metric(`m${index}`)),
    ...Array.from({ length: 100 }, (_, index) => ({ Id: `e${index}`, Expression })),
  ])
  expect(results.at(400)?.Values).toEqual([32_000])
  expect(results.at(-1)?.Messages?.[0]?.Value).toBe(tooMany)
})
