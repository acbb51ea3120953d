import { describe, expect, test } from 'vitest'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { sequenceAt, timeOfSequence } from '../store/sequence.ts'
import { changeLogOf, shardOf, withLogClosed, withLogOf } from './change-log.ts'
import { replaceShard } from './replace-shard.ts'

const nowMs = 1_800_000_000_000

const table: TableDefinition = {
  tableId: 1,
  tableUuid: 'f0e1d2c3-0000-0000-0000-000000000000',
  accountId: '123456789012',
  region: 'eu-west-1',
  tableName: 'orders',
  status: 'ACTIVE',
  createdAtMs: nowMs,
  attributeTypes: { pk: 'S' },
  keySchema: { hash: ['pk'], range: [] },
  localIndexes: [],
  globalIndexes: [],
  billing: { mode: 'PAY_PER_REQUEST', throughput: { readUnits: 0, writeUnits: 0, decreasesToday: 0 } },
  deletionProtection: false,
  tags: {},
  stream: { enabled: true, viewType: 'NEW_IMAGE', label: 'first' },
}
const streamed = withLogOf(undefined, table, nowMs)

function expectFullCover(definition: TableDefinition): void {
  const open = (changeLogOf(definition)?.openShards ?? []).toSorted((a, b) => a.fromHash - b.fromHash)
  expect(open[0]?.fromHash).toBe(0)
  expect(open.at(-1)?.toHash).toBe(2 ** 32)
  open.slice(1).forEach((shard, position) => expect(shard.fromHash).toBe(open[position]?.toHash))
}

describe('replacing a shard', () => {
  test('by two halves leaves no gap and no overlap', () => {
    const split = replaceShard(replaceShard(streamed, 2, 2, nowMs), 5, 2, nowMs)
    expectFullCover(split)
    const open = changeLogOf(split)?.openShards ?? []
    expect(open).toHaveLength(6)
    expect(shardOf(open, 0xffff_ffff).shardId).toBe(3)
    expect(split.shards?.find(({ shardId }) => shardId === 7)).toMatchObject({
      parentShardId: 5,
      streamLabel: 'first',
    })
  })

  test('by one child keeps its range', () => {
    const rolled = replaceShard(streamed, 0, 1, nowMs + 5)
    expectFullCover(rolled)
    expect(rolled.shards?.[0]?.closedAt).toBe(sequenceAt(nowMs + 5).toString())
    expect(rolled.shards?.at(-1)).toMatchObject({ parentShardId: 0, fromHash: 0, toHash: 2 ** 30 })
  })

  test('does nothing to one that is closed or unknown', () => {
    const split = replaceShard(streamed, 2, 2, nowMs)
    expect(replaceShard(split, 2, 2, nowMs)).toBe(split)
    expect(replaceShard(split, 99, 2, nowMs)).toBe(split)
  })

  test('opens children no earlier than their parent, even if the clock has gone back', () => {
    const split = replaceShard(streamed, 0, 2, nowMs - 10_000)
    expect(timeOfSequence(BigInt(split.shards?.at(-1)?.openedAt ?? 0))).toBe(nowMs)
  })
})

describe('a table’s log', () => {
  test.each([
    ['a small provisioned table', 'PROVISIONED', 5, 5, 1],
    ['a larger provisioned table', 'PROVISIONED', 3_000, 1_500, 3],
    ['a table on demand', 'PAY_PER_REQUEST', 0, 0, 4],
    ['the largest provisioned table', 'PROVISIONED', 400_000, 400_000, 64],
  ] as const)('of %s begins with as many shards as the table has partitions', (_, mode, read, write, count) => {
    const throughput = { readUnits: read, writeUnits: write, decreasesToday: 0 }
    const definition = withLogOf(undefined, { ...table, billing: { mode, throughput } }, nowMs)
    expect(definition.shards).toHaveLength(count)
    expectFullCover(definition)
  })

  test('goes on being measured when its definition changes', () => {
    const log = changeLogOf(streamed)
    const after = changeLogOf(replaceShard(streamed, 0, 2, nowMs), log)
    expect(after?.openShards.find(({ shardId }) => shardId === 1)).toBe(log?.openShards[1])
  })

  test('remembers each stream that was disabled', () => {
    const disabled = withLogOf(
      streamed,
      { ...streamed, stream: { enabled: false, viewType: 'NEW_IMAGE', label: 'first' } },
      nowMs,
    )
    const again = withLogOf(
      disabled,
      { ...disabled, stream: { enabled: true, viewType: 'KEYS_ONLY', label: 'second' } },
      nowMs,
    )
    expect(again.pastStreams).toEqual([{ viewType: 'NEW_IMAGE', label: 'first', disabledAtMs: nowMs }])
    expect(again.shards).toHaveLength(8)
    expectFullCover(again)
    const dropped = withLogClosed(again, nowMs + 1)
    expect(dropped.pastStreams?.map(({ label }) => label)).toEqual(['first', 'second'])
    expect(dropped.shards?.every(({ closedAt }) => closedAt !== undefined)).toBe(true)
    expect(changeLogOf(dropped)).toBeUndefined()
  })
})
