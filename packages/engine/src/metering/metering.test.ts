import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'

let database: TestEngine

beforeEach(async () => {
  database = await openTestEngine()
  await database.run(
    'CreateTable',
    createTableInput('Orders', { hash: 'pk:S', range: 'sk:S', global: { byDay: { hash: ['day:S'] } } }),
  )
})

afterEach(() => database.close())

const now = (): number => database.engine.clock.now()

describe('metering', () => {
  test('counts units of tables and indexes, and latencies of operations', async () => {
    for (let n = 0; n < 5; n++) {
      await database.run('PutItem', {
        TableName: 'Orders',
        Item: { pk: { S: 'USER#1' }, sk: { S: `${n}` }, day: { S: 'monday' } },
      })
    }
    await database.run('GetItem', { TableName: 'Orders', Key: { pk: { S: 'USER#1' }, sk: { S: '1' } } })
    const { metrics } = database.engine
    const sums = await Promise.all(
      [
        { name: 'ConsumedWriteCapacityUnits', dimensions: { TableName: 'Orders' } },
        {
          name: 'ConsumedWriteCapacityUnits',
          dimensions: { TableName: 'Orders', GlobalSecondaryIndexName: 'byDay' },
        },
        { name: 'ConsumedReadCapacityUnits', dimensions: { TableName: 'Orders' } },
        { name: 'SuccessfulRequestLatency', dimensions: { TableName: 'Orders', Operation: 'PutItem' } },
      ].map(async (metric) => {
        const [point] = await metrics.series(testScope, metric as never, now() - 3_600_000, now() + 60_000, 60_000)
        return [point?.sampleCount, point?.sum]
      }),
    )
    expect(sums.slice(0, 3)).toEqual([
      [5, 5],
      [5, 5],
      [1, 0.5],
    ])
    expect(sums[3]?.[0]).toBe(5)
    console.log(JSON.stringify(metrics.heat(testScope), null, 1).slice(0, 3000))
    console.log(await metrics.list(testScope))
  })
})
