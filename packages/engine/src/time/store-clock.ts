import type { Clock } from '../clock.ts'
import type { ClockView } from './clock-view.ts'

/** The time of a store, which all of its servers share. docs/decisions/0012 says why there are two kinds of it.
 *
 *  Calendar time is what people name: when an item expires, which moment is restored. It can be set back and forth. Steady time
 *  never goes back: logs are numbered by it, and whatever is kept for so long is measured by it. As long as nobody has
 *  set the clock back, they are the same.
 *
 *  Nobody is asked on the way: whatever a reading takes is done in the background. */
export interface StoreClock extends Clock {
  /** Milliseconds since 1970, by the calendar. */
  now(): number
  /** Milliseconds of steady time. */
  steady(): number
  /** Both. */
  moment(): Moment
  /** Calendar time that has passed for certain: for what deletes. A clock that was set forward is believed after a while only. */
  settled(): number
  /** The moment of steady time that was `ms` ago for certain. */
  ago(ms: number): number
  /** Settles when it is remembered that logs which are kept for `keptMs` are removed up to there. */
  noteTrim(keptMs: number, toSteadyMs: number): Promise<void>
  /** All of it at one look. */
  look(): ClockView
  /** How far the clock of this server is ahead of the store's, and how far the store's time may be off here. */
  readonly offset: ClockOffset
  /** Looks now for what other servers may have learnt. */
  refresh(): Promise<void>
  /** Follows whatever it goes by: to be called about once a second. */
  tick(): Promise<void>
}

export interface Moment {
  readonly nowMs: number
  readonly steadyMs: number
}

export interface ClockOffset {
  readonly serverAheadMs: number
  readonly errorMs: number
}
