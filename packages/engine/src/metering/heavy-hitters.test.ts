import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HeavyHitters } from './heavy-hitters.ts'

const valuesOf = (key: number): readonly { readonly N: string }[] => [{ N: String(key) }]

describe('the most used keys', () => {
  test('are exact while there are few', () => {
    const keys = new HeavyHitters(4)
    for (const key of [1, 2, 1, 3, 1, 2]) keys.add(key, 1, key, valuesOf)
    expect(keys.top(2)).toEqual([
      { hash: 1, values: [{ N: '1' }], amount: 3, overestimate: 0 },
      { hash: 2, values: [{ N: '2' }], amount: 2, overestimate: 0 },
    ])
  })

  test('are found among any number of others, and counted by their amounts', () => {
    const keys = new HeavyHitters(64)
    for (let n = 0; n < 100_000; n++) {
      keys.add(1_000 + n, 1, n, valuesOf)
      if (n % 10 === 0) keys.add(7, 5, 7, valuesOf)
    }
    const [hottest, next] = keys.top(2)
    expect(hottest?.values).toEqual([{ N: '7' }])
    expect(hottest?.amount).toBeGreaterThanOrEqual(50_000)
    expect((hottest?.amount ?? 0) - (hottest?.overestimate ?? 0)).toBeLessThanOrEqual(50_000)
    // The others were each used once: none of them is known to be hot.
    expect(next).toBeUndefined()
  })

  test('are never counted too low, nor by more than the overestimate too high', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 9 }))), (uses) => {
        const keys = new HeavyHitters(8)
        const exact = new Map<number, number>()
        for (const [key, amount] of uses) {
          keys.add(key, amount, key, valuesOf)
          exact.set(key, (exact.get(key) ?? 0) + amount)
        }
        for (const { hash, amount, overestimate } of keys.top(8)) {
          expect(amount).toBeGreaterThanOrEqual(exact.get(hash) ?? 0)
          expect(amount - overestimate).toBeLessThanOrEqual(exact.get(hash) ?? 0)
        }
      }),
    )
  })

  test('begin anew when they are cleared', () => {
    const keys = new HeavyHitters(2)
    keys.add(1, 1, 1, valuesOf)
    keys.clear()
    expect(keys.isEmpty).toBe(true)
    keys.add(2, 1, 2, valuesOf)
    expect(keys.top(9)).toHaveLength(1)
  })
})
