import { keyPlacement } from '@hashrange/engine'
import { describe, expect, test } from 'vitest'
import { Placement, type ShardSpan } from './placement.ts'

describe('the place of a range', () => {
  const placement = new Placement(keyPlacement, 64, false)
  const spanOf = (from: readonly number[], to: readonly number[]): ShardSpan =>
    placement.shardsBetween(Buffer.from(from), Buffer.from(to))

  test('within one partition is one shard', () => {
    const partition = [0x10, 0, 0, 0, 1, 0xff, 0xfc, 1, 2]
    expect(spanOf(partition, [...partition.slice(0, 8), 3])).toEqual({ first: 63, last: 63, isOrdered: true })
  })

  test('of a part of a table is some shards, one behind the other', () => {
    expect(spanOf([0x10, 0, 0, 0, 1, 0x40], [0x10, 0, 0, 0, 1, 0x80])).toEqual({
      first: 16,
      last: 31,
      isOrdered: true,
    })
    expect(spanOf([0x10, 0, 0, 0, 1], [0x10, 0, 0, 0, 2])).toEqual({ first: 0, last: 63, isOrdered: true })
  })

  test('of one log, one table’s expiries or the catalog is one shard', () => {
    for (const [from, to] of [
      [
        [0x20, 0, 0, 0, 1, 0, 0, 0, 0xff, 1, 2],
        [0x20, 0, 0, 0, 1, 0, 0, 1, 0],
      ],
      [
        [0x16, 0, 0, 0, 1, 5, 5],
        [0x16, 0, 0, 0, 2],
      ],
      [[0x02], [0x03]],
    ] as const) {
      const { first, last } = spanOf(from, to)
      expect(first).toBe(last)
    }
  })

  test('of all logs of a table is anywhere', () => {
    expect(spanOf([0x20, 0, 0, 0, 1], [0x20, 0, 0, 0, 2])).toEqual({ first: 0, last: 63, isOrdered: false })
  })
})
