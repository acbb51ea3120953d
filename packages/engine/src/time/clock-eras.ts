/** A period in which the clock was never set back: from `fromSteadyMs` of steady time on, steady time is `leadMs`
 *  ahead of the calendar. */
export interface ClockEra {
  readonly fromSteadyMs: number
  readonly leadMs: number
}

/** All known eras, in order; there is always one. */
export type ClockEras = readonly ClockEra[]

/** A clock that was never set back: both times are the same. */
export const firstEra: ClockEras = [{ fromSteadyMs: 0, leadMs: 0 }]

/** If the clock goes back by less than this, it merely stands still. */
export const stepMs = 1_000

/** How far steady time is ahead of the calendar now. */
export function leadOf(eras: ClockEras): number {
  return eras.at(-1)?.leadMs ?? 0
}

/** A clock was set back to `nowMs` when steady time was `steadyMs`. */
export interface SetBack {
  readonly nowMs: number
  readonly steadyMs: number
}

/** The eras after that: steady time continues. If they already say so, or nearly so, nothing changes. */
export function setBack(eras: ClockEras, { nowMs, steadyMs }: SetBack): ClockEras {
  if (nowMs + leadOf(eras) >= steadyMs - stepMs) return eras
  const fromSteadyMs = Math.floor(steadyMs) + 1
  return [...eras, { fromSteadyMs, leadMs: fromSteadyMs - Math.floor(nowMs) }].slice(-mostEras)
}

/** More are only needed if the clock is set back every hour for a month. Moments before the first era are unknown. */
const mostEras = 1_000

/** The last moment of steady time at which the calendar said `atMs`, or had not reached it. A calendar that was set
 *  back has passed some moments twice: the later one counts. If it was set forward, the skipped moments are those
 *  before the jump. */
export function steadyAt(eras: ClockEras, atMs: number): number {
  let endMs = Number.POSITIVE_INFINITY
  for (const { fromSteadyMs, leadMs } of eras.toReversed()) {
    if (fromSteadyMs - leadMs <= atMs) return Math.min(atMs + leadMs, endMs)
    endMs = fromSteadyMs - 1
  }
  return atMs + (eras[0]?.leadMs ?? 0)
}

/** What the calendar showed. */
export function timeAt(eras: ClockEras, steadyMs: number): number {
  const era = eras.findLast(({ fromSteadyMs }) => fromSteadyMs <= steadyMs) ?? eras[0]
  return steadyMs - (era?.leadMs ?? 0)
}

/** The earliest time that the calendar has shown since. */
export function earliestTimeSince(eras: ClockEras, steadyMs: number): number {
  const begins = eras.filter(({ fromSteadyMs }) => fromSteadyMs > steadyMs)
  return Math.min(timeAt(eras, steadyMs), ...begins.map(({ fromSteadyMs, leadMs }) => fromSteadyMs - leadMs))
}

/** The moment of steady time from which the calendar is known. */
export function knownSince(eras: ClockEras): number {
  return eras[0]?.fromSteadyMs ?? 0
}
