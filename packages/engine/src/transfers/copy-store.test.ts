import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Engine } from '../engine.ts'
import { openLmdbStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { scope, StreamTable } from '../streams/testing/stream-table.ts'
import { copyStore, type CopiedStore } from './copy-store.ts'

let folder: string
let source: Store
let target: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-copy-'))
  const db = await StreamTable.open({ store: await openLmdbStore({ path: folder }) })
  await db.create('orders')
  await Promise.all(Array.from({ length: 700 }, (_, n) => db.put('orders', `item ${n}`, n)))
  await db.close()
  source = await openLmdbStore({ path: folder })
  target = await openTestStore()
})

afterEach(async () => {
  await source.close()
  await target.close()
  rmSync(folder, { recursive: true, force: true })
})

function copy(
  from: Store,
  to: Store,
  { stopAfter = Infinity, name = 'source' }: { stopAfter?: number; name?: string } = {},
): Promise<CopiedStore> {
  let done = 0
  return copyStore({
    from,
    to,
    source: name,
    stopping: {
      get aborted() {
        return done >= stopAfter
      },
    },
    onStep: () => undefined,
    onProgress: (entries) => (done += entries),
  })
}

describe('a copied store', () => {
  test('has the same tables, items, counts and streams, and goes on from there', async () => {
    expect(await copy(source, target)).toMatchObject({ isComplete: true })
    const db = await StreamTable.open({ store: target })
    const described = await db.run<{ Table: { ItemCount: number; LatestStreamArn: string } }>('DescribeTable', {
      TableName: 'orders',
    })
    expect(described.Table.ItemCount).toBe(700)
    await db.put('orders', 'item 0', 'changed'.length)
    const records = await db.readAll(described.Table.LatestStreamArn)
    expect(records).toHaveLength(701)
    const ofItem = records.filter(({ dynamodb }) => dynamodb.Keys['pk']?.S === 'item 0')
    expect(ofItem.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY'])
    const [first = '', second = ''] = ofItem.map(({ dynamodb }) => dynamodb.SequenceNumber)
    expect(second > first).toBe(true)
  })

  test('goes back as it came', async () => {
    await copy(source, target)
    const back = await openLmdbStore({ memory: true })
    expect(await copy(target, back)).toMatchObject({ isComplete: true })
    const engine = await Engine.open({ store: back })
    expect(engine.catalog.names(scope)).toEqual(['orders'])
    await engine.close()
  })
})

describe('a copy that is interrupted', () => {
  test('is opened by nobody, and goes on where it was', async () => {
    const first = await copy(source, target, { stopAfter: 400 })
    expect(first.isComplete).toBe(false)
    await expect(Engine.open({ store: target })).rejects.toThrow('is an unfinished copy')
    let entriesAgain = 0
    const second = await copyStore({
      from: source,
      to: target,
      source: 'source',
      stopping: { aborted: false },
      onStep: (step, before) => {
        if (step === 'copy') entriesAgain = before
      },
      onProgress: () => undefined,
    })
    expect(entriesAgain).toBe(first.entries)
    expect(second).toMatchObject({ isComplete: true })
  })

  test('is not mixed with another', async () => {
    await copy(source, target, { stopAfter: 400 })
    await expect(copy(source, target, { name: randomUUID() })).rejects.toThrow('another source')
  })
})

test('a target that holds data is refused, and so is a source without any', async () => {
  const db = await Engine.open({ store: target })
  await expect(copy(source, target)).rejects.toThrow('already holds data')
  const empty = await openLmdbStore({ memory: true })
  await expect(copy(empty, await openLmdbStore({ memory: true }))).rejects.toThrow('nothing to copy')
  await db.background.stop()
})

describe('a source that is changed while it is copied', () => {
  const orders = async (store: Store): Promise<{ readonly items: unknown; readonly count: number }> => {
    const db = await StreamTable.open({ store })
    const { Table } = await db.run<{ Table: { ItemCount: number } }>('DescribeTable', { TableName: 'orders' })
    const { Items } = await db.run<{ Items: unknown }>('Scan', { TableName: 'orders' })
    await db.engine.background.stop()
    return { items: Items, count: Table.ItemCount }
  }

  test('is copied as it is in the end: what has come, changed and gone', async () => {
    await copy(source, target, { stopAfter: 400 })
    const db = await StreamTable.open({ store: source })
    for (let n = 0; n < 700; n += 7) await db.put('orders', `item ${n}`, -n)
    for (let n = 700; n < 750; n++) await db.put('orders', `item ${n}`, n)
    for (let n = 3; n < 700; n += 7) {
      await db.run('DeleteItem', { TableName: 'orders', Key: { pk: { S: `item ${n}` } } })
    }
    await db.run('CreateTable', {
      TableName: 'another',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    })
    await db.engine.background.stop()
    expect(await copy(source, target)).toMatchObject({ isComplete: true })
    expect(await orders(target)).toEqual(await orders(source))
  })

  test('is told to be quiet if it never is', async () => {
    let n = 0
    const changing: Store = {
      view: async (read) => {
        const value = Buffer.from(String(n++))
        const key = Buffer.of(0x04, 0, 0, 0, 1)
        await source.transact([], () => ({ writes: [{ kind: 'put', key, value }], answer: undefined }))
        return source.view(read)
      },
      openSnapshot: () => source.openSnapshot(),
      transact: (keys, decide) => source.transact(keys, decide),
      close: () => source.close(),
    }
    await expect(copy(changing, target)).rejects.toThrow('Stop the programs that use it')
    await expect(Engine.open({ store: target })).rejects.toThrow('is an unfinished copy')
    expect(await copy(source, target)).toMatchObject({ isComplete: true })
  })
})
