/** A time in which the clock was never set back: from `fromSteadyMs` of steady time on, steady time is `leadMs` ahead of the
 *  calendar. */
export interface ClockEra {
  readonly fromSteadyMs: number
  readonly leadMs: number
}

/** All eras that are known, in order; there is always one. */
export type ClockEras = readonly ClockEra[]

/** A clock that was never set back: both times are the same. */
export const firstEra: ClockEras = [{ fromSteadyMs: 0, leadMs: 0 }]

/** What the clock goes back by less than this, it merely stands still for. */
export const stepMs = 1_000

/** How far steady time is ahead of the calendar now. */
export function leadOf(eras: ClockEras): number {
  return eras.at(-1)?.leadMs ?? 0
}

/** A clock has been set back to `nowMs`, when steady time had come to `steadyMs`. */
export interface SetBack {
  readonly nowMs: number
  readonly steadyMs: number
}

/** The eras after that: steady time goes on. If they say so already, or nearly so, nothing changes. */
export function setBack(eras: ClockEras, { nowMs, steadyMs }: SetBack): ClockEras {
  if (nowMs + leadOf(eras) >= steadyMs - stepMs) return eras
  const fromSteadyMs = Math.floor(steadyMs) + 1
  return [...eras, { fromSteadyMs, leadMs: fromSteadyMs - Math.floor(nowMs) }].slice(-mostEras)
}

/** More are only needed if the clock is set back every hour for a month. Moments before the first that is kept are not known. */
const mostEras = 1_000

/** The last moment of steady time at which the calendar said `atMs`, or had not come to it. A calendar that was set back has come to
 *  some moments twice: the later one counts. Where it was set forward, the moments it left out are those before. */
export function steadyAt(eras: ClockEras, atMs: number): number {
  let endMs = Number.POSITIVE_INFINITY
  for (const { fromSteadyMs, leadMs } of eras.toReversed()) {
    if (fromSteadyMs - leadMs <= atMs) return Math.min(atMs + leadMs, endMs)
    endMs = fromSteadyMs - 1
  }
  return atMs + (eras[0]?.leadMs ?? 0)
}

/** What the calendar said. */
export function timeAt(eras: ClockEras, steadyMs: number): number {
  const era = eras.findLast(({ fromSteadyMs }) => fromSteadyMs <= steadyMs) ?? eras[0]
  return steadyMs - (era?.leadMs ?? 0)
}

/** The earliest that the calendar has said since. */
export function earliestTimeSince(eras: ClockEras, steadyMs: number): number {
  const begins = eras.filter(({ fromSteadyMs }) => fromSteadyMs > steadyMs)
  return Math.min(timeAt(eras, steadyMs), ...begins.map(({ fromSteadyMs, leadMs }) => fromSteadyMs - leadMs))
}

/** From when on of steady time it is known what the calendar said. */
export function knownSince(eras: ClockEras): number {
  return eras[0]?.fromSteadyMs ?? 0
}
