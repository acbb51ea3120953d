import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChangePlan, storedOf } from '../items/change-plan.ts'
import { keysOfChange } from '../items/keys-of-change.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { hourMs, scope, StreamTable, type WireRecord } from './testing/stream-table.ts'

let db: StreamTable

beforeEach(async () => {
  db = await StreamTable.open()
})

afterEach(() => db.close())

const valuesOf = (records: readonly WireRecord[]): (string | undefined)[] =>
  records.map(({ dynamodb }) => dynamodb.NewImage?.['value']?.N)

async function makeThreeChanges(viewType: string): Promise<readonly WireRecord[]> {
  const arn = await db.create('orders', viewType)
  await db.put('orders', 'a', 1)
  await db.put('orders', 'a', 22)
  await db.run('DeleteItem', { TableName: 'orders', Key: { pk: { S: 'a' } } })
  return db.readAll(arn)
}

describe('records', () => {
  const keys = { pk: { S: 'a' } }
  const first = { pk: { S: 'a' }, value: { N: '1' } }
  const second = { pk: { S: 'a' }, value: { N: '22' } }

  test('are shaped as the service shapes them', async () => {
    const [record] = await makeThreeChanges('NEW_AND_OLD_IMAGES')
    expect(record).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-west-1',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(db.clock.nowMs / 1000),
        Keys: keys,
        NewImage: first,
        SequenceNumber: expect.stringMatching(/^\d{21}$/) as unknown,
        SizeBytes: 3 + 10,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    })
  })

  test('with both images', async () => {
    expect(await makeThreeChanges('NEW_AND_OLD_IMAGES')).toMatchObject([
      { eventName: 'INSERT', dynamodb: { Keys: keys, NewImage: first } },
      { eventName: 'MODIFY', dynamodb: { Keys: keys, NewImage: second, OldImage: first, SizeBytes: 3 + 10 + 10 } },
      { eventName: 'REMOVE', dynamodb: { Keys: keys, OldImage: second } },
    ])
  })

  test('with the new image alone', async () => {
    const records = await makeThreeChanges('NEW_IMAGE')
    expect(records.map(({ dynamodb }) => dynamodb.NewImage)).toEqual([first, second, undefined])
    expect(records.every(({ dynamodb }) => dynamodb.OldImage === undefined)).toBe(true)
  })

  test('with the old image alone', async () => {
    const records = await makeThreeChanges('OLD_IMAGE')
    expect(records.map(({ dynamodb }) => dynamodb.OldImage)).toEqual([undefined, first, second])
    expect(records.every(({ dynamodb }) => dynamodb.NewImage === undefined)).toBe(true)
  })

  test('with keys alone', async () => {
    const records = await makeThreeChanges('KEYS_ONLY')
    expect(records.map(({ dynamodb }) => [dynamodb.Keys, dynamodb.SizeBytes])).toEqual([
      [keys, 3],
      [keys, 3],
      [keys, 3],
    ])
    expect(records.some(({ dynamodb }) => 'NewImage' in dynamodb || 'OldImage' in dynamodb)).toBe(false)
  })

  test('show keys alone even where recovery keeps more', async () => {
    const arn = await db.create('orders', 'KEYS_ONLY')
    const table = db.engine.catalog.find(scope, 'orders')
    if (table === undefined) throw new Error('the table is missing')
    await db.engine.catalog.change(table, (definition) => ({
      ...definition,
      recovery: { periodDays: 35, enabledAtMs: db.clock.nowMs },
    }))
    await db.put('orders', 'a', 1)
    const [record] = await db.readAll(arn)
    expect(record?.dynamodb).not.toHaveProperty('NewImage')
    expect(record?.dynamodb.SizeBytes).toBe(3)
  })

  test('there is none for a write that changes nothing', async () => {
    const arn = await db.create('orders')
    await db.put('orders', 'a', 1)
    await db.put('orders', 'a', 1)
    await db.put('orders', 'a', '1.0')
    await db.run('UpdateItem', {
      TableName: 'orders',
      Key: { pk: { S: 'a' } },
      UpdateExpression: 'SET #v = :v',
      ExpressionAttributeNames: { '#v': 'value' },
      ExpressionAttributeValues: { ':v': { N: '1' } },
    })
    await db.run('DeleteItem', { TableName: 'orders', Key: { pk: { S: 'missing' } } })
    expect(await db.readAll(arn)).toHaveLength(1)
  })

  test('there is none for a transaction that failed, and one for each of its changes otherwise', async () => {
    const arn = await db.create('orders')
    const put = (pk: string, condition?: string): object => ({
      Put: { TableName: 'orders', Item: { pk: { S: pk } }, ...(condition && { ConditionExpression: condition }) },
    })
    await db.run('TransactWriteItems', { TransactItems: [put('a'), put('b')] })
    await expect(
      db.run('TransactWriteItems', { TransactItems: [put('c'), put('a', 'attribute_not_exists(pk)')] }),
    ).rejects.toMatchObject({ code: 'TransactionCanceledException' })
    const records = await db.readAll(arn)
    expect(new Set(records.map(({ dynamodb }) => dynamodb.Keys['pk']?.S))).toEqual(new Set(['a', 'b']))
    expect(records).toHaveLength(2)
  })

  test('name the service for an item whose time had come', async () => {
    const arn = await db.create('orders')
    await db.put('orders', 'a', 1)
    const table = db.engine.catalog.find(scope, 'orders')
    if (table === undefined) throw new Error('the table is missing')
    const key = keyInTable(table, { pk: { S: 'a' } })
    const at = db.engine.clock.moment()
    await db.engine.store.transact(keysOfChange(table, key), ([value]) => {
      const plan = new ChangePlan({ at, expired: true })
      plan.add({ table, key, previous: storedOf(value), next: undefined }, undefined)
      return { writes: plan.writes, answer: undefined }
    })
    const [put, removal] = await db.readAll(arn)
    expect(put).not.toHaveProperty('userIdentity')
    expect(removal).toMatchObject({
      eventName: 'REMOVE',
      userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
    })
  })

  test('carry attribute names that mean something to JavaScript', async () => {
    const arn = await db.create('orders')
    const item = JSON.parse('{"pk":{"S":"a"},"__proto__":{"S":"x"},"constructor":{"N":"1"}}') as object
    await db.run('PutItem', { TableName: 'orders', Item: item })
    const [record] = await db.readAll(arn)
    expect(JSON.stringify(record?.dynamodb.NewImage)).toBe(JSON.stringify(item))
  })
})

describe('reading a shard', () => {
  async function oneItemsShard(): Promise<{ arn: string; shardId: string; records: readonly WireRecord[] }> {
    const arn = await db.create('orders')
    for (let value = 1; value <= 5; value++) await db.put('orders', 'a', value)
    for (const { ShardId } of (await db.describe(arn)).Shards) {
      const records = await db.readShard(arn, ShardId)
      if (records.length > 0) return { arn, shardId: ShardId, records }
    }
    throw new Error('no shard holds the records')
  }

  test('from its start, in pages', async () => {
    const { arn, shardId } = await oneItemsShard()
    expect(valuesOf(await db.readShard(arn, shardId, 2))).toEqual(['1', '2', '3', '4', '5'])
  })

  test('from its end', async () => {
    const { arn, shardId } = await oneItemsShard()
    const iterator = await db.iterator(arn, shardId, 'LATEST')
    const page = await db.records(iterator)
    expect(page.Records).toEqual([])
    await db.put('orders', 'a', 6)
    expect(valuesOf((await db.records(page.NextShardIterator ?? '')).Records)).toEqual(['6'])
    expect(valuesOf((await db.records(iterator)).Records)).toEqual(['6'])
  })

  test('at and after a sequence number', async () => {
    const { arn, shardId, records } = await oneItemsShard()
    const third = records[2]?.dynamodb.SequenceNumber ?? ''
    const at = await db.iterator(arn, shardId, 'AT_SEQUENCE_NUMBER', third)
    expect(valuesOf((await db.records(at)).Records)).toEqual(['3', '4', '5'])
    const after = await db.iterator(arn, shardId, 'AFTER_SEQUENCE_NUMBER', third)
    expect(valuesOf((await db.records(after)).Records)).toEqual(['4', '5'])
  })

  test('from where DescribeStream says that it starts', async () => {
    const { arn, shardId } = await oneItemsShard()
    const shard = (await db.describe(arn)).Shards.find(({ ShardId }) => ShardId === shardId)
    const start = shard?.SequenceNumberRange.StartingSequenceNumber
    const iterator = await db.iterator(arn, shardId, 'AT_SEQUENCE_NUMBER', start)
    expect((await db.records(iterator)).Records).toHaveLength(5)
  })

  test('a page holds no more than 1,000 records and about a megabyte', async () => {
    const arn = await db.create('orders', 'NEW_IMAGE')
    const text = 'x'.repeat(300_000)
    for (let count = 1; count <= 5; count++) {
      await db.run('PutItem', { TableName: 'orders', Item: { pk: { S: 'a' }, text: { S: `${text}${count}` } } })
    }
    for (const { ShardId } of (await db.describe(arn)).Shards) {
      const iterator = await db.iterator(arn, ShardId, 'TRIM_HORIZON')
      const page = await db.records(iterator)
      if (page.Records.length === 0) continue
      expect(page.Records).toHaveLength(3)
      expect((await db.records(page.NextShardIterator ?? '')).Records).toHaveLength(2)
    }
    await Promise.all(Array.from({ length: 1_200 }, (_, value) => db.put('orders', 'b', value)))
    const sizes = new Set<number>()
    for (const { ShardId } of (await db.describe(arn)).Shards) {
      sizes.add((await db.records(await db.iterator(arn, ShardId, 'LATEST'))).Records.length)
      const iterator = await db.iterator(arn, ShardId, 'TRIM_HORIZON')
      sizes.add((await db.records(iterator)).Records.length)
    }
    expect(Math.max(...sizes)).toBe(1_000)
  })

  test('sequence numbers rise within a millisecond, and when the clock goes back', async () => {
    const arn = await db.create('orders')
    for (let value = 1; value <= 5; value++) await db.put('orders', 'a', value)
    db.clock.nowMs -= hourMs
    for (let value = 6; value <= 9; value++) await db.put('orders', 'a', value)
    const records = await db.readAll(arn)
    const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber)
    expect(valuesOf(records)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(numbers).toEqual(numbers.toSorted())
    expect(new Set(numbers).size).toBe(9)
  })

  test('none is lost if the clock goes back before the first write', async () => {
    const arn = await db.create('orders')
    db.clock.nowMs -= 5_000
    await db.put('orders', 'a', 1)
    const [record] = await db.readAll(arn)
    expect(record?.eventName).toBe('INSERT')
    for (const { ShardId } of (await db.describe(arn)).Shards) {
      if ((await db.readShard(arn, ShardId)).length === 0) continue
      const at = await db.iterator(arn, ShardId, 'AT_SEQUENCE_NUMBER', record?.dynamodb.SequenceNumber)
      expect((await db.records(at)).Records).toHaveLength(1)
    }
  })
})

describe('streams', () => {
  test('a table has one from when it is enabled until it is disabled, and shows what happened between', async () => {
    const first = await db.create('orders')
    await db.put('orders', 'a', 1)
    db.clock.nowMs += 1_000
    await db.disable('orders')
    await db.put('orders', 'a', 2)
    db.clock.nowMs += 1_000
    const second = await db.enable('orders', 'NEW_IMAGE')
    await db.put('orders', 'a', 3)
    expect(await db.arns('orders')).toEqual([first, second])
    expect((await db.describe(first)).StreamStatus).toBe('DISABLED')
    expect((await db.describe(second)).StreamStatus).toBe('ENABLED')
    expect(valuesOf(await db.readAll(first))).toEqual(['1'])
    expect(valuesOf(await db.readAll(second))).toEqual(['3'])
  })

  test('the shards of a disabled stream are closed and come to an end', async () => {
    const arn = await db.create('orders')
    await db.put('orders', 'a', 1)
    await db.disable('orders')
    for (const { ShardId, SequenceNumberRange } of (await db.describe(arn)).Shards) {
      const { StartingSequenceNumber: start, EndingSequenceNumber: end = '' } = SequenceNumberRange
      expect(end >= start).toBe(true)
      const page = await db.records(await db.iterator(arn, ShardId, 'TRIM_HORIZON'))
      expect(page).not.toHaveProperty('NextShardIterator')
      const last = page.Records.at(-1)?.dynamodb.SequenceNumber
      if (last !== undefined) expect(end).toBe(last)
      expect(await db.records(await db.iterator(arn, ShardId, 'LATEST'))).toEqual({ Records: [] })
    }
  })

  test('one of a dropped table can be read for a day, apart from that of a new table of the same name', async () => {
    const first = await db.create('orders')
    await db.put('orders', 'a', 1)
    await db.run('DeleteTable', { TableName: 'orders' })
    db.clock.nowMs += 1_000
    const second = await db.create('orders')
    await db.put('orders', 'a', 2)
    expect(await db.arns('orders')).toEqual([first, second])
    expect((await db.describe(first)).StreamStatus).toBe('DISABLED')
    expect(valuesOf(await db.readAll(first))).toEqual(['1'])
    expect(valuesOf(await db.readAll(second))).toEqual(['2'])
    db.clock.nowMs += 24 * hourMs
    expect(await db.arns('orders')).toEqual([second])
    await expect(db.describe(first)).rejects.toMatchObject({ code: 'ResourceNotFoundException' })
  })

  test('are described with their key schema and the moment they were asked for', async () => {
    const StreamArn = await db.create('orders', 'KEYS_ONLY')
    expect(await db.stream('DescribeStream', { StreamArn, Limit: 1 })).toEqual({
      StreamDescription: {
        CreationRequestDateTime: db.clock.nowMs / 1000,
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        LastEvaluatedShardId: expect.stringMatching(/^shardId-\d{20}-[0-9a-f]{8}$/) as unknown,
        Shards: [
          {
            ShardId: expect.stringMatching(/^shardId-\d{20}-[0-9a-f]{8}$/) as unknown,
            SequenceNumberRange: { StartingSequenceNumber: expect.stringMatching(/^\d{21}$/) as unknown },
          },
        ],
        StreamArn,
        StreamLabel: '2026-01-02T03:04:05.678',
        StreamStatus: 'ENABLED',
        StreamViewType: 'KEYS_ONLY',
        TableName: 'orders',
      },
    })
  })

  test('are listed page by page', async () => {
    const arns = [await db.create('orders'), await db.create('payments'), await db.create('shipments')]
    const page = await db.stream<{ LastEvaluatedStreamArn?: string }>('ListStreams', { Limit: 2 })
    expect(page).toMatchObject({ Streams: [{ StreamArn: arns[0] }, { StreamArn: arns[1] }] })
    expect(page.LastEvaluatedStreamArn).toBe(arns[1])
    const rest = await db.stream('ListStreams', { ExclusiveStartStreamArn: page.LastEvaluatedStreamArn })
    expect(rest).toEqual({
      Streams: [{ StreamArn: arns[2], StreamLabel: '2026-01-02T03:04:05.678', TableName: 'shipments' }],
    })
    expect(await db.arns('music')).toEqual([])
  })

  test('and their records outlive a restart, also those of disabled streams and of dropped tables', async () => {
    const path = mkdtempSync(join(tmpdir(), 'hashrange-streams-'))
    try {
      let disk = await StreamTable.open({ store: await openTestStore({ path }) }, db.clock)
      const live = await disk.create('live')
      const disabled = await disk.create('disabled')
      const dropped = await disk.create('dropped')
      for (const tableName of ['live', 'disabled', 'dropped']) await disk.put(tableName, 'a', 1)
      await disk.disable('disabled')
      await disk.run('DeleteTable', { TableName: 'dropped' })
      const shards = (await disk.describe(live)).Shards
      const iterators = await Promise.all(shards.map(({ ShardId }) => disk.iterator(live, ShardId, 'TRIM_HORIZON')))
      await disk.close()
      disk = await StreamTable.open({ store: await openTestStore({ path }) }, db.clock)
      expect(await disk.arns()).toEqual([disabled, dropped, live])
      for (const arn of [live, disabled, dropped]) expect(valuesOf(await disk.readAll(arn))).toEqual(['1'])
      await disk.put('live', 'a', 2)
      expect(valuesOf(await disk.readAll(live))).toEqual(['1', '2'])
      const pages = await Promise.all(iterators.map((iterator) => disk.records(iterator)))
      expect(valuesOf(pages.flatMap(({ Records }) => Records))).toEqual(['1', '2'])
      await disk.close()
    } finally {
      rmSync(path, { recursive: true, force: true })
    }
  })

  test('can be enabled and disabled while writes go on: each shows an unbroken run of changes', async () => {
    const arns = [await db.create('orders')]
    let last = 0
    const writing = { goesOn: true }
    const write = async (): Promise<void> => {
      while (writing.goesOn) await db.put('orders', 'a', ++last)
    }
    const writer = write()
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      db.clock.nowMs += 1_000
      await db.disable('orders')
      await new Promise((resolve) => setTimeout(resolve, 5))
      arns.push(await db.enable('orders'))
    }
    writing.goesOn = false
    await writer
    let before = 0
    for (const arn of arns) {
      const values = valuesOf(await db.readAll(arn)).map(Number)
      const start = values[0]
      if (start === undefined) continue
      expect(start).toBeGreaterThan(before)
      expect(values).toEqual(values.map((_, position) => start + position))
      before = values.at(-1) ?? before
    }
    expect(before).toBeGreaterThan(0)
  })
})
