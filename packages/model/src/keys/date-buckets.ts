import type { DatePrecision } from '../description.ts'
import { toIsoDate, truncateIsoDate } from '../schema/iso-date.ts'

/** The texts of all periods from the one that holds `from` to the one that holds `to`, oldest first. A bound may be the beginning
 *  of a date: `2026-01` as the end is all of January. Undefined if there are more than `most`. */
export function dateBuckets(
  from: { readonly text: string; readonly isExcluded: boolean },
  to: { readonly text: string; readonly isExcluded: boolean },
  precision: DatePrecision,
  most: number,
): readonly string[] | undefined {
  const start = toIsoDate(from.text, 'millisecond')
  if (start === undefined) return []
  const buckets: string[] = []
  for (let time = new Date(bucketText(start, precision, true)); ; time = stepped(time, precision)) {
    const full = time.toISOString()
    const text = bucketText(full, precision)
    if (!isUpTo(text, full, to)) return buckets
    if (buckets.length === most) return undefined
    const isAfter = from.text.length < text.length ? text.slice(0, from.text.length) > from.text : true
    if (!from.isExcluded || isAfter) buckets.push(text)
  }
}

function isUpTo(text: string, start: string, to: { readonly text: string; readonly isExcluded: boolean }): boolean {
  const length = Math.min(text.length, to.text.length)
  if (text.slice(0, length) !== to.text.slice(0, length)) return text.slice(0, length) < to.text.slice(0, length)
  if (!to.isExcluded) return true
  // Before the first moment of a period, or before a longer one, is before all of it.
  const bound = toIsoDate(to.text, 'millisecond') ?? to.text
  return start < bound
}

function bucketText(iso: string, precision: DatePrecision, isWhole = false): string {
  const text = truncateIsoDate(iso.replace(/Z$/, ''), precision).replace(/Z$/, '')
  if (!isWhole) return text
  return `${text}${'0000-01-01T00:00:00.000'.slice(text.length)}Z`
}

const stepMs: Readonly<Partial<Record<DatePrecision, number>>> = {
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
}

function stepped(time: Date, precision: DatePrecision): Date {
  if (precision === 'year') return new Date(Date.UTC(time.getUTCFullYear() + 1, 0))
  if (precision === 'month') return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1))
  return new Date(time.getTime() + (stepMs[precision] ?? 1))
}
