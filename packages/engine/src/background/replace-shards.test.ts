import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ShardHeat } from '../changes/shard-heat.ts'
import { hourMs, scope, StreamTable, type WireRecord, type WireShard } from '../streams/testing/stream-table.ts'
import { rollOverShards, splitHotShards } from './replace-shards.ts'

const never = { aborted: false }
let db: StreamTable

beforeEach(async () => {
  db = await StreamTable.open()
})

afterEach(() => db.close())

function expectEachItemInOrder(records: readonly WireRecord[], changesPerItem: ReadonlyMap<string, number>): void {
  const seen = new Map<string, number>()
  for (const { dynamodb } of records) {
    const pk = dynamodb.Keys['pk']?.S ?? ''
    const value = Number(dynamodb.NewImage?.['value']?.N)
    expect(value).toBe((seen.get(pk) ?? 0) + 1)
    seen.set(pk, value)
  }
  expect(seen).toEqual(changesPerItem)
}

/** As so much would that is written all over them. */
function heatAll(): void {
  for (const { heat, fromHash, toHash } of db.engine.catalog.find(scope, 'orders')?.changeLog?.openShards ?? []) {
    for (let n = 0; n < 100; n++) {
      heat.count(fromHash, 2 ** 22)
      heat.count(toHash - 1, 2 ** 22)
    }
  }
}

describe('hot shards', () => {
  test('are heated once by each change, however often it is decided upon, and by nothing else', async () => {
    await db.create('orders')
    const counted = vi.spyOn(ShardHeat.prototype, 'count')
    try {
      await Promise.all(Array.from({ length: 30 }, (_, item) => db.put('orders', `item ${item}`, item)))
      expect(counted).toHaveBeenCalledTimes(30)
      const refused = db.run('PutItem', {
        TableName: 'orders',
        Item: { pk: { S: 'item 1' }, value: { N: '0' } },
        ConditionExpression: 'attribute_not_exists(pk)',
      })
      await expect(refused).rejects.toMatchObject({ code: 'ConditionalCheckFailedException' })
      await db.put('orders', 'item 1', 1)
      expect(counted).toHaveBeenCalledTimes(30)
    } finally {
      counted.mockRestore()
    }
  })

  test('are split under load, and each item keeps its order from parent to child', async () => {
    const arn = await db.create('orders')
    const changes = new Map<string, number>()
    const writers = Array.from({ length: 64 }, async (_, writer) => {
      const pk = `item ${writer}`
      for (let value = 1; value <= 250; value++) {
        await db.put('orders', pk, value)
        changes.set(pk, value)
      }
    })
    const writing = { goesOn: true }
    const all = Promise.all(writers).finally(() => (writing.goesOn = false))
    while (writing.goesOn) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      // Slower than the day, so that whatever the store does is much.
      db.clock.nowMs += 1
      await splitHotShards(db.engine)
    }
    await all
    const shards = await db.allShards(arn)
    expect(shards.length).toBeGreaterThan(4)
    expectEachItemInOrder(await db.readAll(arn), changes)

    const names = shards.map(({ ShardId }) => ShardId)
    expect(names).toEqual(names.toSorted())
    const children = shards.filter(({ ParentShardId }) => ParentShardId !== undefined)
    for (const { ParentShardId: parent, SequenceNumberRange: child } of children) {
      const range = shards.find(({ ShardId }) => ShardId === parent)?.SequenceNumberRange
      expect(range?.EndingSequenceNumber).toBeDefined()
      const first = await db.describe(arn, { ShardFilter: { Type: 'CHILD_SHARDS', ShardId: parent } })
      expect(first.Shards).toHaveLength(2)
      expect(child.StartingSequenceNumber >= (range?.StartingSequenceNumber ?? '')).toBe(true)
    }
  })

  test('are not split for the sake of a single item', async () => {
    const arn = await db.create('orders')
    await Promise.all(Array.from({ length: 4_000 }, (_, value) => db.put('orders', 'celebrity', value)))
    await splitHotShards(db.engine)
    expect((await db.describe(arn)).Shards).toHaveLength(4)
  })

  test('are split no further than there is use in it', async () => {
    const arn = await db.create('orders')
    for (let round = 0; round < 5; round++) {
      heatAll()
      await splitHotShards(db.engine)
    }
    const isOpen = (shard: WireShard): boolean => shard.SequenceNumberRange.EndingSequenceNumber === undefined
    expect((await db.allShards(arn)).filter(isOpen)).toHaveLength(32)
  })

  test('a shard that was read to its end says so, and one that is open never does', async () => {
    const arn = await db.create('orders')
    await Promise.all(Array.from({ length: 200 }, (_, n) => db.put('orders', `item ${n}`, 1)))
    heatAll()
    await splitHotShards(db.engine)
    expect(await db.allShards(arn)).toHaveLength(12)
    for (const { ShardId, SequenceNumberRange } of await db.allShards(arn)) {
      const latest = await db.records(await db.iterator(arn, ShardId, 'LATEST'))
      expect(latest.NextShardIterator === undefined).toBe(SequenceNumberRange.EndingSequenceNumber !== undefined)
    }
  })
})

describe('old shards', () => {
  test('are replaced by one child each after four hours', async () => {
    const arn = await db.create('orders')
    await db.put('orders', 'a', 1)
    await rollOverShards(db.engine, never)
    expect((await db.describe(arn)).Shards).toHaveLength(4)
    db.clock.nowMs += 4 * hourMs
    await rollOverShards(db.engine, never)
    await db.put('orders', 'a', 2)
    const { Shards: shards } = await db.describe(arn)
    expect(shards).toHaveLength(8)
    expect(shards.slice(4).map(({ ParentShardId }) => ParentShardId)).toEqual(
      shards.slice(0, 4).map(({ ShardId }) => ShardId),
    )
    expectEachItemInOrder(await db.readAll(arn), new Map([['a', 2]]))
  })
})
