import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keySpace } from '../layout/key-space.ts'
import { hourMs, scope, StreamTable } from '../streams/testing/stream-table.ts'
import { rollOverShards } from './replace-shards.ts'
import { trimChangeLogs } from './trim-change-log.ts'

const never = { aborted: false }
let db: StreamTable

beforeEach(async () => {
  db = await StreamTable.open()
})

afterEach(() => db.close())

async function storedRecords(): Promise<number> {
  let count = 0
  const range = { from: Buffer.of(keySpace.changeLog), to: Buffer.of(keySpace.changeLog + 1) }
  await db.engine.store.view((snapshot) =>
    snapshot.range(range, () => {
      count++
      return true
    }),
  )
  return count
}

/** As the background does it each minute. */
async function tend(): Promise<void> {
  await rollOverShards(db.engine, never)
  await trimChangeLogs(db.engine, never)
}

describe('a change log', () => {
  test('forgets changes after a day, and the shards that are left empty', async () => {
    const arn = await db.create('orders')
    for (let hour = 0; hour < 60; hour++) {
      await db.put('orders', 'a', hour)
      await tend()
      db.clock.nowMs += hourMs
    }
    await tend()
    expect(await storedRecords()).toBeLessThanOrEqual(25)
    const records = await db.readAll(arn)
    expect(records.map(({ dynamodb }) => Number(dynamodb.NewImage?.['value']?.N))).toEqual(
      Array.from({ length: 24 }, (_, index) => 36 + index),
    )
    expect(db.engine.catalog.find(scope, 'orders')?.definition.shards?.length).toBeLessThanOrEqual(32)
  })

  test('is kept for as long as it was told', async () => {
    await db.close()
    db = await StreamTable.open({ streamRetentionMs: hourMs })
    const arn = await db.create('orders')
    await db.put('orders', 'a', 1)
    db.clock.nowMs += hourMs - 1
    expect(await db.readAll(arn)).toHaveLength(1)
    db.clock.nowMs += 2
    expect(await db.readAll(arn)).toHaveLength(0)
    db.clock.nowMs += hourMs
    await tend()
    expect(await storedRecords()).toBe(0)
  })

  test('is kept longer for recovery, but the stream does not show it', async () => {
    const arn = await db.create('orders')
    const table = db.engine.catalog.find(scope, 'orders')
    if (table === undefined) throw new Error('the table is missing')
    const recovery = { periodDays: 3, enabledAtMs: db.clock.nowMs }
    await db.engine.catalog.change(table, (definition) => ({ ...definition, recovery }))
    await db.put('orders', 'a', 1)
    db.clock.nowMs += 48 * hourMs
    await tend()
    expect(await storedRecords()).toBe(1)
    expect(await db.readAll(arn)).toEqual([])
    db.clock.nowMs += 25 * hourMs
    await tend()
    expect(await storedRecords()).toBe(0)
  })

  test('of a disabled stream goes a day later, and the stream with it', async () => {
    const arn = await db.create('orders')
    await db.put('orders', 'a', 1)
    await db.disable('orders')
    db.clock.nowMs += 23 * hourMs
    await tend()
    expect(await db.readAll(arn)).toHaveLength(1)
    db.clock.nowMs += 2 * hourMs
    await tend()
    expect(await db.arns()).toEqual([])
    expect(await storedRecords()).toBe(0)
    const definition = db.engine.catalog.find(scope, 'orders')?.definition
    expect(definition?.pastStreams).toBeUndefined()
    expect(definition?.shards).toEqual([])
  })

  test('of a dropped table goes a day later', async () => {
    const arn = await db.create('orders')
    await db.put('orders', 'a', 1)
    await db.run('DeleteTable', { TableName: 'orders' })
    await db.engine.background.idle()
    db.clock.nowMs += 23 * hourMs
    await tend()
    expect(await db.readAll(arn)).toHaveLength(1)
    db.clock.nowMs += 2 * hourMs
    await tend()
    expect(await storedRecords()).toBe(0)
    expect([...db.engine.catalog.dropped()]).toEqual([])
  })

  test('that only recovery needed goes at once when it is no longer needed', async () => {
    await db.create('orders')
    const table = db.engine.catalog.find(scope, 'orders')
    if (table === undefined) throw new Error('the table is missing')
    await db.disable('orders')
    const recovery = { periodDays: 3, enabledAtMs: db.clock.nowMs }
    await db.engine.catalog.change(table, (definition) => ({ ...definition, recovery }))
    await db.put('orders', 'a', 1)
    expect(await storedRecords()).toBe(1)
    await db.engine.catalog.change(table, (definition) => {
      const { recovery: _recovery, ...rest } = definition
      return rest
    })
    db.clock.nowMs += 1
    await tend()
    expect(await storedRecords()).toBe(0)
  })
})
