import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addStoredBuckets, LatencyHistogram, storedBuckets } from './latency-histogram.ts'

test('a quantile is at most an eighth off', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.001, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (latencies, p) => {
        const histogram = new LatencyHistogram()
        for (const latency of latencies) histogram.add(latency)
        const exact = latencies.toSorted((a, b) => a - b)[Math.ceil(p * latencies.length) - 1] ?? 0
        const found = histogram.quantile(p)
        expect(found).toBeGreaterThanOrEqual(exact * 0.85 - 0.001)
        expect(found).toBeLessThanOrEqual(exact * 1.15 + 0.001)
      },
    ),
  )
})

test('what was stored is what was counted', () => {
  const histogram = new LatencyHistogram()
  for (const latency of [0.0001, 0.5, 0.5, 3, 40_000_000]) histogram.add(latency)
  const restored = new LatencyHistogram()
  addStoredBuckets(restored, storedBuckets(histogram))
  expect(restored.counts).toEqual(histogram.counts)
})

test('samples that were not taken are counted like the one before', () => {
  const histogram = new LatencyHistogram()
  histogram.add(2)
  for (let n = 0; n < 7; n++) histogram.repeat()
  histogram.add(100)
  expect(histogram).toMatchObject({ count: 9, sum: 116, minimum: 2, maximum: 100 })
  expect(histogram.quantile(0.5)).toBeCloseTo(2, 0)
})

test('buckets add up to a bound', () => {
  const histogram = new LatencyHistogram()
  for (const latency of [0.2, 0.9, 1.5, 8]) histogram.add(latency)
  expect([1, 2.5, 10].map((bound) => histogram.countUpTo(bound))).toEqual([2, 3, 4])
})
