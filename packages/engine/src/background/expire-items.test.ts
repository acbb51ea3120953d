import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { indexesOf, OwnedEngine, sorted, type Plain } from '../backups/testing/owned-engine.ts'
import { changeLogKey, keySpace, spaceRange } from '../layout/key-space.ts'
import { decodeChangeRecord } from '../changes/change-record.ts'

let owned: OwnedEngine

beforeEach(async () => {
  // No sweep but those of the tests, however long they take.
  owned = await OwnedEngine.open(undefined, undefined, { expirySweepMs: 3_600_000 })
})

afterEach(() => owned.engine.close())

const nowSeconds = (): number => owned.clock.nowMs / 1000

const item = (pk: string, expiry?: Plain): Plain => ({
  pk: { S: pk },
  sk: { N: '1' },
  rank: { N: '7' },
  team: { S: 'red' },
  ...(expiry !== undefined && { expiry }),
})

const put = (pk: string, expiry?: Plain): Promise<Plain> =>
  owned.run('PutItem', { TableName: 'music', Item: item(pk, expiry) })

const timeToLive = (Enabled: boolean, AttributeName = 'expiry'): Promise<Plain> =>
  owned.run('UpdateTimeToLive', { TableName: 'music', TimeToLiveSpecification: { Enabled, AttributeName } })

const names = async (): Promise<unknown[]> =>
  (await owned.scanAll('music')).map(({ pk }) => (pk as { S: string }).S).toSorted()

async function entriesIn(range: { from: Buffer; to: Buffer }): Promise<number> {
  let count = 0
  await owned.engine.store.view((snapshot) =>
    snapshot.range(range, () => {
      count++
      return true
    }),
  )
  return count
}

describe('a sweep', () => {
  beforeEach(async () => {
    await owned.createTable('music')
    await timeToLive(true)
    await owned.engine.background.idle()
  })

  test('removes items whose moment has passed, and only those', async () => {
    await put('past', { N: String(nowSeconds() - 1) })
    await put('fraction', { N: `${nowSeconds() - 2}.75` })
    await put('now', { N: String(nowSeconds()) })
    await put('future', { N: String(nowSeconds() + 60) })
    await put('milliseconds', { N: String(owned.clock.nowMs) })
    await put('six years', { N: String(nowSeconds() - 6 * 365 * 86_400) })
    await put('text', { S: String(nowSeconds() - 1) })
    await put('huge', { N: '1E+100' })
    await put('negative', { N: '-5' })
    await put('none')
    expect(await names()).toHaveLength(10)
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: 2, expiredItems: 2 })
    expect(await names()).toEqual([
      'future',
      'huge',
      'milliseconds',
      'negative',
      'none',
      'now',
      'six years',
      'text',
    ])
    owned.clock.nowMs += 61_000
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: 2, expiredItems: 2 })
  })

  test('during which the clock is set back forgets no item', async () => {
    const startMs = owned.clock.nowMs
    for (let n = 0; n < 120; n++) await put(`item ${n}`, { N: String(nowSeconds() + 60 + n) })
    // Ahead by an hour whenever it is looked at first, and back after that.
    let looks = 0
    let wrongMs = 3_600_000
    Object.defineProperty(owned.clock, 'nowMs', { get: () => startMs + (looks++ % 2 === 0 ? wrongMs : 0) })
    for (let sweep = 0; sweep < 5; sweep++) await owned.engine.expireItems()
    wrongMs = 0
    Object.defineProperty(owned.clock, 'nowMs', { value: startMs + 3_600_000 })
    await owned.engine.expireItems()
    expect(await names()).toEqual([])
  })

  test('follows an item that is given more time, or less, or none', async () => {
    for (const pk of ['later', 'sooner', 'never', 'gone']) await put(pk, { N: String(nowSeconds() + 100) })
    const update = (pk: string, UpdateExpression: string, value?: string): Promise<Plain> =>
      owned.run('UpdateItem', {
        TableName: 'music',
        Key: { pk: { S: pk }, sk: { N: '1' } },
        UpdateExpression,
        ...(value !== undefined && { ExpressionAttributeValues: { ':v': { N: value } } }),
      })
    await update('later', 'SET expiry = :v', String(nowSeconds() + 1_000))
    await update('sooner', 'SET expiry = :v', String(nowSeconds() + 10))
    await update('never', 'REMOVE expiry')
    await owned.run('DeleteItem', { TableName: 'music', Key: { pk: { S: 'gone' }, sk: { N: '1' } } })
    owned.clock.nowMs += 50_000
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: 1, expiredItems: 1 })
    owned.clock.nowMs += 100_000
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: 0, expiredItems: 0 })
    expect(await names()).toEqual(['later', 'never'])
    const { definition } = owned.engine.requireTable({ accountId: '123456789012', region: 'eu-west-1' }, 'music')
    expect(await entriesIn(spaceRange(keySpace.itemExpiry, definition.timeToLive?.expiryIndexId ?? 0))).toBe(1)
  })

  test('takes index entries and counts with the item', async () => {
    for (let at = 0; at < 120; at++) await put(`p${at}`, { N: String(nowSeconds() + (at % 2 === 0 ? 10 : 1_000)) })
    owned.clock.nowMs += 20_000
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: 60, expiredItems: 60 })
    const left = await owned.scanAll('music')
    expect(left).toHaveLength(60)
    for (const [index, entries] of Object.entries(indexesOf(left))) {
      expect(sorted(await owned.scanAll('music', index))).toEqual(entries)
    }
    expect(await owned.ask('DescribeTable', { TableName: 'music' })).toMatchObject({ ItemCount: 60 })
  })

  test('leaves a change in the log that says who made it', async () => {
    await owned.run('UpdateContinuousBackups', {
      TableName: 'music',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    await put('past', { N: String(nowSeconds() - 1) })
    await owned.engine.expireItems()
    const { definition } = owned.engine.requireTable({ accountId: '123456789012', region: 'eu-west-1' }, 'music')
    const records: unknown[] = []
    for (const { shardId } of definition.shards ?? []) {
      const bounds = {
        from: changeLogKey(definition.tableId, shardId),
        to: changeLogKey(definition.tableId, shardId + 1),
      }
      await owned.engine.store.view((snapshot) =>
        snapshot.range(bounds, (_key, value) => {
          const { event, expired } = decodeChangeRecord(value)
          records.push({ event, expired })
          return true
        }),
      )
    }
    expect(records).toEqual([
      { event: 'INSERT', expired: false },
      { event: 'REMOVE', expired: true },
    ])
  })

  test('costs what it removes, not what the table holds', async () => {
    const count = Number(process.env['HASHRANGE_TTL_ITEMS'] ?? 4_000)
    const soon = nowSeconds() + 10
    for (let at = 0; at < count; at += 1_000) {
      const batches = Array.from({ length: 40 }, (_, batch) => batch * 25 + at)
      await Promise.all(
        batches.map((from) =>
          owned.run('BatchWriteItem', {
            RequestItems: {
              music: Array.from({ length: 25 }, (_, offset) => ({
                PutRequest: {
                  Item: item(`p${from + offset}`, {
                    N: String((from + offset) % 100 === 0 ? soon : soon + 1_000_000 + from),
                  }),
                },
              })),
            },
          }),
        ),
      )
    }
    owned.clock.nowMs += 20_000
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: count / 100, expiredItems: count / 100 })
    expect(await owned.ask('DescribeTable', { TableName: 'music' })).toMatchObject({ ItemCount: count * 0.99 })
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: 0, expiredItems: 0 })
  }, 600_000)
})

describe('UpdateTimeToLive', () => {
  beforeEach(() => owned.createTable('music'))

  test('covers the items that are there already, while others are written', async () => {
    for (let at = 0; at < 500; at++) await put(`old${at}`, { N: String(nowSeconds() + 10) })
    expect(await timeToLive(true)).toEqual({ TimeToLiveSpecification: { AttributeName: 'expiry', Enabled: true } })
    // The service does not tell how far it is.
    expect(await owned.ask('DescribeTimeToLive', { TableName: 'music' })).toEqual({
      AttributeName: 'expiry',
      TimeToLiveStatus: 'ENABLED',
    })
    const writing = Promise.all(
      Array.from({ length: 500 }, (_, at) =>
        at % 2 === 0
          ? put(`new${at}`, { N: String(nowSeconds() + 10) })
          : put(`old${at}`, { N: String(nowSeconds() + 1_000) }),
      ),
    )
    await owned.engine.background.idle()
    await writing
    owned.clock.nowMs += 20_000
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: 500, expiredItems: 500 })
    expect(await names()).toHaveLength(250)
  })

  test('turned off, forgets everything about it', async () => {
    await put('a', { N: String(nowSeconds() + 10) })
    await timeToLive(true)
    await owned.engine.background.idle()
    const id = owned.engine.catalog.find({ accountId: '123456789012', region: 'eu-west-1' }, 'music')?.definition
      .timeToLive?.expiryIndexId
    expect(await entriesIn(spaceRange(keySpace.itemExpiry, id ?? 0))).toBe(1)
    await timeToLive(false)
    await owned.engine.background.idle()
    expect(await entriesIn(spaceRange(keySpace.itemExpiry, id ?? 0))).toBe(0)
    expect(await owned.ask('DescribeTimeToLive', { TableName: 'music' })).toEqual({ TimeToLiveStatus: 'DISABLED' })
    owned.clock.nowMs += 20_000
    expect(await owned.engine.expireItems()).toEqual({ visitedEntries: 0, expiredItems: 0 })
  })

  test.each([
    ['turning off what is off', [], [false, 'expiry'], 'TimeToLive is already disabled'],
    ['turning on what is on', [[true, 'expiry']], [true, 'expiry'], 'TimeToLive is already enabled'],
    [
      'another attribute',
      [[true, 'expiry']],
      [true, 'other'],
      'TimeToLive is active on a different AttributeName: current AttributeName is expiry',
    ],
    [
      'turning off by another attribute',
      [[true, 'expiry']],
      [false, 'other'],
      'TimeToLive is active on a different AttributeName: current AttributeName is expiry',
    ],
  ] as const)('refuses %s', async (_what, before, [enabled, attributeName], message) => {
    for (const [on, name] of before) await timeToLive(on, name)
    await expect(timeToLive(enabled, attributeName)).rejects.toMatchObject({ code: 'ValidationException', message })
  })
})

test('a dropped table leaves no expiries behind', async () => {
  await owned.createTable('music')
  await timeToLive(true)
  await put('a', { N: '2000000000' })
  await owned.engine.background.idle()
  await owned.run('DeleteTable', { TableName: 'music' })
  await owned.engine.background.idle()
  expect(await entriesIn({ from: Buffer.of(keySpace.itemExpiry), to: Buffer.of(keySpace.itemExpiry + 1) })).toBe(0)
})
