import type { CalendarDay } from './cron.ts'

/** The calendar of a time zone. */
export class CalendarTime {
  readonly #format: Intl.DateTimeFormat

  /** Throws a RangeError for an unknown time zone. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  dayAt(timeMs: number): CalendarDay {
    const local = new Date(timeMs + this.#offsetMs(timeMs))
    return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() }
  }

  /** The moment at which the zone's clocks show this time. If they show it twice, the first; if they skip it, the
   *  moment as far after the gap as the time is into it. */
  timeAt({ year, month, day }: CalendarDay, hour: number, minute: number, second = 0): number {
    const asIfUtc = Date.UTC(year, month - 1, day, hour, minute, second)
    const early = asIfUtc - this.#offsetMs(asIfUtc - 86_400_000)
    if (early + this.#offsetMs(early) === asIfUtc) return early
    const late = asIfUtc - this.#offsetMs(asIfUtc + 86_400_000)
    return late + this.#offsetMs(late) === asIfUtc ? late : early
  }

  #offsetMs(timeMs: number): number {
    const wholeMs = Math.floor(timeMs / 1000) * 1000
    const part = new Map(this.#format.formatToParts(wholeMs).map(({ type, value }) => [type, Number(value)]))
    const of = (name: Intl.DateTimeFormatPartTypes): number => part.get(name) ?? 0
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - wholeMs
  }
}
