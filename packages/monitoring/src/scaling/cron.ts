/** A cron expression in AWS's form, `minutes hours day-of-month month day-of-week year`, read from a calendar without
 *  a time zone: `calendar-time.ts` turns its moments into times. */
export interface Cron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly matchesDay: (day: CalendarDay) => boolean
  readonly lastYear: number
}

export interface CalendarDay {
  readonly year: number
  /** From 1 on. */
  readonly month: number
  readonly day: number
}

/** Undefined if it is not a cron expression. */
export function parseCron(text: string): Cron | undefined {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 6) return undefined
  const [minutes = '', hours = '', days = '', months = '', weekdays = '', years = ''] = fields
  // One of the two days must be left open, because both cannot be given at once.
  if ((days === '?') === (weekdays === '?')) return undefined
  try {
    const yearSet = new Set(numbersIn(years, 1970, 2199))
    const monthSet = new Set(numbersIn(named(months, monthNames, 1), 1, 12))
    const isDay = days === '?' ? dayOfWeekMatcher(named(weekdays, dayNames, 1)) : dayOfMonthMatcher(days)
    return {
      minutes: numbersIn(minutes, 0, 59),
      hours: numbersIn(hours, 0, 23),
      matchesDay: (day) => yearSet.has(day.year) && monthSet.has(day.month) && isDay(day),
      lastYear: Math.max(...yearSet),
    }
  } catch (error) {
    if (error instanceof NotCron) return undefined
    throw error
  }
}

class NotCron extends Error {}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

function named(field: string, names: readonly string[], first: number): string {
  return field.replace(/[A-Za-z]{3}/g, (name) => {
    const index = names.indexOf(name.toUpperCase())
    if (index < 0) throw new NotCron()
    return String(index + first)
  })
}

/** `*`, `5`, `1-5`, `0/15`, `1-20/5`, and several of these separated by commas: each number once, in order. */
function numbersIn(field: string, least: number, most: number): readonly number[] {
  const numbers = new Set<number>()
  for (const part of field.split(',')) {
    const [, range = '', step] = /^(\*|\d{1,4}(?:-\d{1,4})?)(?:\/(\d{1,4}))?$/.exec(part) ?? []
    if (range === '') throw new NotCron()
    const [from, to] = boundsOf(range, least, most, step !== undefined)
    const stride = step === undefined ? 1 : Number(step)
    if (stride < 1 || from < least || to > most || from > to) throw new NotCron()
    for (let number = from; number <= to; number += stride) numbers.add(number)
  }
  return [...numbers].toSorted((one, other) => one - other)
}

function boundsOf(range: string, least: number, most: number, isStepped: boolean): [number, number] {
  if (range === '*') return [least, most]
  const [from = '', to] = range.split('-')
  if (to !== undefined) return [Number(from), Number(to)]
  return [Number(from), isStepped ? most : Number(from)]
}

/** `L` is the last day, `15W` the weekday nearest to the 15th. */
function dayOfMonthMatcher(field: string): (day: CalendarDay) => boolean {
  if (field === 'L') return ({ year, month, day }) => day === daysIn(year, month)
  const weekday = /^(\d{1,2})W$/.exec(field)?.[1]
  if (weekday !== undefined) {
    const wanted = Number(weekday)
    if (wanted < 1 || wanted > 31) throw new NotCron()
    return ({ year, month, day }) => day === nearestWeekday(year, month, wanted)
  }
  const days = new Set(numbersIn(field, 1, 31))
  return ({ day }) => days.has(day)
}

/** 1 is Sunday. `L` is Saturday, `6L` the month's last Friday, `2#1` its first Monday. */
function dayOfWeekMatcher(field: string): (day: CalendarDay) => boolean {
  if (field === 'L') return (day) => weekdayOf(day) === 7
  const [, last] = /^([1-7])L$/.exec(field) ?? []
  if (last !== undefined) {
    return (day) => weekdayOf(day) === Number(last) && day.day + 7 > daysIn(day.year, day.month)
  }
  const [, weekday, nth] = /^([1-7])#([1-5])$/.exec(field) ?? []
  if (weekday !== undefined) {
    return (day) => weekdayOf(day) === Number(weekday) && Math.ceil(day.day / 7) === Number(nth)
  }
  const days = new Set(numbersIn(field, 1, 7))
  return (day) => days.has(weekdayOf(day))
}

function weekdayOf({ year, month, day }: CalendarDay): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function nearestWeekday(year: number, month: number, wanted: number): number {
  const last = daysIn(year, month)
  if (wanted > last) return -1
  const weekday = weekdayOf({ year, month, day: wanted })
  if (weekday === 7) return wanted > 1 ? wanted - 1 : wanted + 2
  if (weekday === 1) return wanted < last ? wanted + 1 : wanted - 2
  return wanted
}
