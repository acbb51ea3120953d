import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTableInput, openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'
import { metricsRange, partitionModelKey, partitionModelRange } from '../layout/metering-keys.ts'
import { MetricStore } from './metric-store.ts'
import { Recorder } from './recorder.ts'
import { resolutions } from './resolutions.ts'

let database: TestEngine
let recorder: Recorder
let store: MetricStore

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const names = Array.from({ length: 20 }, (_, n) => `Table${n}`)

beforeEach(async () => {
  database = await openTestEngine()
  store = new MetricStore(database.store, '00000000-0000-4000-8000-000000000001')
  recorder = new Recorder(database.engine.capacity.meters, store, database.engine)
  for (const name of names) {
    await database.run('CreateTable', createTableInput(name, { hash: 'pk:S' }))
    await database.run('PutItem', { TableName: name, Item: { pk: { S: 'a' } } })
  }
})

afterEach(() => database.close())

const now = (): number => database.engine.clock.now()
const metersInMemory = (): number => [...database.engine.capacity.meters.all()].length
const rows = async (): Promise<readonly number[]> =>
  Promise.all(resolutions.map(({ code }) => database.countKeys(metricsRange(code))))

test('what has been idle is forgotten in memory, and stays known', async () => {
  expect(metersInMemory()).toBe(20)
  database.advance(minuteMs)
  await recorder.flush(now())
  expect(metersInMemory()).toBe(20)
  expect(await rows()).toEqual([20, 20, 20, 20])
  database.advance(11 * minuteMs)
  await recorder.flush(now())
  expect(metersInMemory()).toBe(0)
  const metric = { name: 'ConsumedWriteCapacityUnits', dimensions: { TableName: 'Table7' } } as const
  const points = await database.engine.metrics.series(testScope, metric, now() - 60 * minuteMs, now(), minuteMs)
  expect(points).toMatchObject([{ sum: 1 }])
  await database.run('PutItem', { TableName: 'Table7', Item: { pk: { S: 'a' } } })
  expect(metersInMemory()).toBe(1)
})

test('a minute is stored once it is over, in every resolution', async () => {
  await recorder.flush(now())
  expect(await rows()).toEqual([0, 0, 0, 0])
  database.advance(minuteMs)
  await recorder.flush(now())
  await database.run('PutItem', { TableName: 'Table7', Item: { pk: { S: 'b' } } })
  database.advance(minuteMs)
  await recorder.flush(now())
  await recorder.flush(now())
  const [minutes, fives, hours, days] = await rows()
  expect([minutes, hours, days]).toEqual([21, 20, 20])
  expect(fives).toBeLessThanOrEqual(21)
})

test('what was kept for long enough is removed', async () => {
  database.advance(minuteMs)
  await recorder.flush(now())
  database.advance(4 * dayMs)
  await recorder.trim(now(), { aborted: false })
  expect(await rows()).toEqual([0, 20, 20, 20])
  database.advance(15 * dayMs)
  await recorder.trim(now(), { aborted: false })
  expect(await rows()).toEqual([0, 0, 20, 20])
})

test('rows of several servers are added up', async () => {
  database.advance(minuteMs)
  await recorder.flush(now())
  const other = new MetricStore(database.store, '00000000-0000-4000-8000-000000000002')
  const name = { scope: testScope, tableName: 'Table7', indexName: undefined }
  const [finest] = resolutions
  if (finest === undefined) throw new Error('there is a finest resolution')
  const [mine] = await store.read(name, finest, 0, now())
  if (mine === undefined) throw new Error('a minute was stored')
  await other.add([{ name, minute: mine.startMs / minuteMs, row: mine.row }])
  const metric = { name: 'ConsumedWriteCapacityUnits', dimensions: { TableName: 'Table7' } } as const
  const points = await database.engine.metrics.series(testScope, metric, now() - 60 * minuteMs, now(), minuteMs)
  expect(points).toMatchObject([{ sum: 2, sampleCount: 2 }])
})

test('nothing is remembered of the partitions of what was dropped', async () => {
  const { run, countKeys, engine } = database
  const models = (): Promise<number> => countKeys(partitionModelRange())
  await run('CreateTable', createTableInput('Indexed', { hash: 'pk:S', global: { byA: { hash: ['a:S'] } } }))
  const item = { TableName: 'Indexed', Item: { pk: { S: 'x' }, a: { S: 'y' } } }
  await run('PutItem', item)
  database.advance(minuteMs)
  await recorder.flush(now())
  expect(await models()).toBe(names.length + 2)
  await run('UpdateTable', {
    TableName: 'Indexed',
    GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byA' } }],
  })
  await engine.background.idle()
  await run('PutItem', item)
  database.advance(minuteMs)
  await recorder.flush(now())
  expect(await models()).toBe(names.length + 1)
  // As if another server had dropped the table, and this one did not know yet.
  await engine.catalog.drop(engine.requireTable(testScope, 'Indexed'))
  engine.purge()
  await engine.background.idle()
  database.advance(minuteMs)
  await recorder.flush(now())
  expect(await models()).toBe(names.length)
})

test('what an earlier version remembered of them is removed', async () => {
  const key = partitionModelKey(4_711)
  const value = Buffer.from(JSON.stringify({ boundaries: [], read: {}, write: {}, atMs: 0 }))
  await database.store.transact([], () => ({ writes: [{ kind: 'put', key, value }], answer: undefined }))
  await recorder.flush(now(), true)
  await recorder.trim(now(), { aborted: false })
  expect(await database.countKeys(partitionModelRange())).toBe(names.length)
})
