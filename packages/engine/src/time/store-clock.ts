import type { Clock } from '../clock.ts'
import type { ClockView } from './clock-view.ts'

/** The time of a store, which all of its servers share. docs/decisions/0012 explains why there are two kinds.
 *  Calendar time is what people name: when an item expires, which moment to restore. It can be set back and forward.
 *  Steady time never goes back: logs are numbered by it, and retention is measured by it. As long as nobody has set
 *  the clock back, they are the same. Nothing is awaited: readings are taken in the background. */
export interface StoreClock extends Clock {
  /** Milliseconds since 1970, calendar time. */
  now(): number
  /** Milliseconds of steady time. */
  steady(): number
  /** Both. */
  moment(): Moment
  /** Calendar time that has certainly passed: for deletions. A clock that was set forward is only trusted after a
   *  while. */
  settled(): number
  /** The moment of steady time that was certainly `ms` ago. */
  ago(ms: number): number
  /** Resolves when it is recorded that logs with the retention `keptMs` are removed up to there. */
  noteTrim(keptMs: number, toSteadyMs: number): Promise<void>
  /** All of it at one moment. */
  look(): ClockView
  /** How far the clock of this server is ahead of the store's, and the uncertainty of the store's time here. */
  readonly offset: ClockOffset
  /** Checks now what other servers may have recorded. */
  refresh(): Promise<void>
  /** Follows its source: call this about once a second. */
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
