import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOf } from './share-of.ts'

const units = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 }))

test('the shares of all servers are one whole, and nobody has none', () => {
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 6 }), units, (demands, unitsPerSecond) => {
      const shares = demands.map((demand, position) =>
        shareOf(
          demand,
          demands.filter((_, other) => other !== position),
          unitsPerSecond,
        ),
      )
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6)
      for (const share of shares) expect(share).toBeGreaterThan(0)
    }),
  )
})

test.each([
  { demand: 0, others: [], share: 1 },
  { demand: 0, others: [0, 0], share: 1 / 3 },
  // A hundred is asked of each of three, and no more is there: a third.
  { demand: 100, others: [100, 100], share: 1 / 3 },
  // What nobody asks for is divided evenly.
  { demand: 500, others: [100], unitsPerSecond: 900, share: (500 + 150) / 900 },
  // Too much is asked: nine tenths by what is asked, a tenth evenly.
  { demand: 900, others: [300], share: 0.9 * 0.75 + 0.05 },
  { demand: 0, others: [900], share: 0.05 },
])('$demand beside $others: $share', ({ demand, others, share, unitsPerSecond }) => {
  expect(shareOf(demand, others, unitsPerSecond ?? 300)).toBeCloseTo(share)
})
