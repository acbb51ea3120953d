import type { DatePrecision } from '../description.ts'

/** How many characters of `2026-06-10T14:32:00.000Z` a precision keeps, without the Z. */
const lengths: Readonly<Record<DatePrecision, number>> = {
  year: 4,
  month: 7,
  day: 10,
  hour: 13,
  minute: 16,
  second: 19,
  millisecond: 23,
}

const partial = /^\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d)?)?)?)?)?$/

/** The date in UTC, in one precision; undefined if it is no date. A time of day without an offset is taken as UTC, since
 *  what a server's local time is should not decide what is stored. */
export function toIsoDate(value: string | Date, precision: DatePrecision): string | undefined {
  if (typeof value === 'string') {
    if (!/^\d{4}-\d\d/.test(value) && !/^\d{4}$/.test(value)) return undefined
    if (/T\d\d$/.test(value)) return toIsoDate(`${value}:00Z`, precision)
    if (/T\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value)) return toIsoDate(`${value}Z`, precision)
    if (/T\d\dZ$/.test(value)) return toIsoDate(`${value.slice(0, -1)}:00Z`, precision)
  }
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return undefined
  const text = date.toISOString()
  // Years beyond 9999 are written with a sign, and would not sort.
  return /^\d{4}-/.test(text) ? truncateIsoDate(text, precision) : undefined
}

/** The point in time of a stored date, whatever its precision; undefined if it is no date. */
export function fromIsoDate(text: string): Date | undefined {
  const date = new Date(/T\d\dZ$/.test(text) ? `${text.slice(0, -1)}:00Z` : text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The beginning of an ISO date in UTC. Times keep their Z, dates have none. */
export function truncateIsoDate(text: string, precision: DatePrecision): string {
  const kept = text.slice(0, lengths[precision])
  return lengths[precision] > 10 ? `${kept}Z` : kept
}

/** A bound of a range: `2026-01` stands for everything that starts with it, and is used as it is. */
export function toIsoBound(value: string | Date, precision: DatePrecision): string | undefined {
  if (typeof value === 'string' && partial.test(value) && value.length <= lengths[precision]) return value
  return toIsoDate(value, precision)
}
