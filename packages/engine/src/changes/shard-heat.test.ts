import { describe, expect, test } from 'vitest'
import { ShardHeat } from './shard-heat.ts'

const middle = 100

function heated(changes: number, sizeBytes: number, hashOf: (count: number) => number): ShardHeat {
  const heat = new ShardHeat(middle)
  for (let count = 0; count < changes; count++) heat.count(hashOf(count), sizeBytes)
  return heat
}

const spread = (count: number): number => (count % 2) * middle

describe('a shard is too hot', () => {
  test('with more than 3,000 changes in a window of three seconds', () => {
    expect(heated(3_000, 100, spread).isTooHot(0)).toBe(false)
    expect(heated(3_002, 100, spread).isTooHot(0)).toBe(true)
  })

  test('with more than 3 MiB in a window', () => {
    expect(heated(10, 2 ** 18, spread).isTooHot(0)).toBe(false)
    expect(heated(14, 2 ** 18, spread).isTooHot(0)).toBe(true)
  })

  test('only if both halves of its range have a part in it', () => {
    expect(heated(8_000, 100, () => 0).isTooHot(0)).toBe(false)
    expect(heated(8_000, 100, () => middle).isTooHot(0)).toBe(false)
    expect(heated(8_000, 100, (count) => (count % 8 === 0 ? middle : 0)).isTooHot(0)).toBe(true)
  })

  test('no longer once the window has passed', () => {
    const heat = heated(2_000, 100, spread)
    expect(heat.isTooHot(0)).toBe(false)
    expect(heat.isTooHot(3_000)).toBe(false)
    for (let count = 0; count < 2_000; count++) heat.count(spread(count), 100)
    expect(heat.isTooHot(4_000)).toBe(false)
  })

  test('by its rate, even if it was not asked about for long', () => {
    const heat = heated(0, 0, spread)
    heat.isTooHot(0)
    for (let count = 0; count < 9_000; count++) heat.count(spread(count), 100)
    expect(heat.isTooHot(10_000)).toBe(false)
  })
})
