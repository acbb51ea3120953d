import type { RangeName, TimeRange } from '@hashrange/workbench/answers'

const secondMs = 1000
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** By the name that the page uses. Seconds are available for five minutes; after that the finest is a minute. */
export const rangeLengths = {
  '5m': { lengthMs: 5 * minuteMs, periodMs: secondMs },
  '1h': { lengthMs: hourMs, periodMs: minuteMs },
  '24h': { lengthMs: dayMs, periodMs: 10 * minuteMs },
  '7d': { lengthMs: 7 * dayMs, periodMs: hourMs },
  '30d': { lengthMs: 30 * dayMs, periodMs: 6 * hourMs },
} as const satisfies Readonly<Record<RangeName, { readonly lengthMs: number; readonly periodMs: number }>>

export function isRangeName(name: unknown): name is RangeName {
  return typeof name === 'string' && Object.hasOwn(rangeLengths, name)
}

/** The range that ends now. It begins and ends with whole periods, the last of which is not over. */
export function rangeUpTo(nowMs: number, name: RangeName): TimeRange {
  const { lengthMs, periodMs } = rangeLengths[name]
  const toMs = (Math.floor(nowMs / periodMs) + 1) * periodMs
  return { fromMs: toMs - lengthMs, toMs, periodMs }
}

/** The same range with another period, for what is not kept by the second. */
export function byMinutes({ fromMs, toMs, periodMs }: TimeRange): TimeRange {
  if (periodMs >= minuteMs) return { fromMs, toMs, periodMs }
  return { fromMs: Math.floor(fromMs / minuteMs) * minuteMs, toMs, periodMs: minuteMs }
}

/** The starts of its periods. */
export function periodsOf({ fromMs, toMs, periodMs }: TimeRange): readonly number[] {
  const count = Math.max(0, Math.ceil((toMs - fromMs) / periodMs))
  return Array.from({ length: count }, (_, position) => fromMs + position * periodMs)
}
