import { expect, test } from 'vitest'
import { stretchesOf } from './resolutions.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const nowMs = Date.UTC(2026, 5, 15, 12, 34, 56)

const rowsOf = (fromMs: number, toMs: number, periodMs: number): number =>
  stretchesOf(fromMs, toMs, nowMs, periodMs).reduce(
    (sum, one) => sum + Math.ceil((one.toMs - one.fromMs) / one.resolution.periodMs),
    0,
  )

test('a week by the hour is read by the hour, and what is no whole hour by the minute', () => {
  const fromMs = nowMs - 7 * dayMs
  expect(rowsOf(fromMs, nowMs + 1, hourMs)).toBeLessThan(7 * 24 + 12 + 2 * 60)
  expect(rowsOf(nowMs - dayMs, nowMs + 1, 10 * minuteMs)).toBeLessThan(24 * 12 + 10)
})

test.each([minuteMs, 5 * minuteMs, 7 * minuteMs, hourMs, 6 * hourMs, dayMs])(
  'stretches of periods of %i ms leave nothing out, tell nothing twice, and have whole periods',
  (periodMs) => {
    for (const pastMs of [17 * minuteMs, 26 * hourMs, 20 * dayMs, 400 * dayMs]) {
      const fromMs = Math.floor((nowMs - pastMs) / minuteMs) * minuteMs
      const stretches = stretchesOf(fromMs, nowMs, nowMs, periodMs)
      expect(stretches[0]?.fromMs).toBe(fromMs)
      expect(stretches.at(-1)?.toMs).toBe(nowMs)
      for (const [position, one] of stretches.entries()) {
        const next = stretches[position + 1]
        if (next === undefined) continue
        expect(next.fromMs).toBe(one.toMs)
        expect(one.toMs % one.resolution.periodMs).toBe(0)
      }
    }
  },
)
