import { CalendarTime } from './calendar-time.ts'
import { parseCron, type CalendarDay, type Cron } from './cron.ts'

/** When a scheduled action runs: `at(2026-11-15T08:00:00)`, `rate(1 hour)` or `cron(0 8 * * ? *)`. */
export type Schedule =
  | { readonly kind: 'at'; readonly atMs: number }
  | { readonly kind: 'rate'; readonly everyMs: number }
  | { readonly kind: 'cron'; readonly cron: Cron; readonly calendar: CalendarTime }

/** Undefined if the text is not a schedule. Throws a RangeError for an unknown time zone. */
export function parseSchedule(text: string, timezone = 'UTC'): Schedule | undefined {
  const [, kind, content = ''] = /^(at|rate|cron)\((.*)\)$/.exec(text.trim()) ?? []
  const calendar = new CalendarTime(timezone)
  switch (kind) {
    case 'at':
      return parseMoment(content, calendar)
    case 'rate':
      return parseRate(content)
    case 'cron': {
      const cron = parseCron(content)
      return cron && { kind, cron, calendar }
    }
    case undefined:
    default:
      return undefined
  }
}

/** The next moment after `afterMs`, if there is one. A rate counts from `fromMs`. */
export function nextRun(schedule: Schedule, afterMs: number, fromMs: number): number | undefined {
  switch (schedule.kind) {
    case 'at':
      return schedule.atMs > afterMs ? schedule.atMs : undefined
    case 'rate': {
      if (afterMs < fromMs) return fromMs
      const count = Math.floor((afterMs - fromMs) / schedule.everyMs) + 1
      return fromMs + count * schedule.everyMs
    }
    case 'cron':
    default:
      return nextCronRun(schedule.cron, schedule.calendar, Math.max(afterMs, fromMs - 1))
  }
}

/** Four years contain every possible day of the calendar. */
const longestSearchDays = 4 * 366 + 1

function nextCronRun(cron: Cron, calendar: CalendarTime, afterMs: number): number | undefined {
  let day = calendar.dayAt(afterMs)
  for (let searched = 0; searched < longestSearchDays && day.year <= cron.lastYear; searched++) {
    if (cron.matchesDay(day)) {
      for (const hour of cron.hours) {
        for (const minute of cron.minutes) {
          const timeMs = calendar.timeAt(day, hour, minute)
          if (timeMs > afterMs) return timeMs
        }
      }
    }
    day = dayAfter(day)
  }
  return undefined
}

function dayAfter({ year, month, day }: CalendarDay): CalendarDay {
  const next = new Date(Date.UTC(year, month - 1, day + 1))
  return { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() }
}

function parseMoment(text: string, calendar: CalendarTime): Schedule | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/.exec(text.trim())
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  const isReal = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12
  if (!isReal || hour > 23 || minute > 59 || second > 59) return undefined
  return { kind: 'at', atMs: calendar.timeAt({ year, month, day }, hour, minute, second) }
}

const unitsMs = new Map([
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
])

/** `rate(1 hour)`, `rate(5 minutes)`: the unit is singular where the value is 1. */
function parseRate(text: string): Schedule | undefined {
  const [, value, unit = ''] = /^([1-9]\d{0,8})\s+([a-z]+)$/.exec(text.trim()) ?? []
  const unitMs = unitsMs.get(value === '1' ? unit : unit.replace(/s$/, ''))
  if (unitMs === undefined || (value !== '1' && !unit.endsWith('s'))) return undefined
  return { kind: 'rate', everyMs: Number(value) * unitMs }
}
