import { stepMs } from './clock-eras.ts'

/** What a clock showed, and when, by a counter of this process that nobody can set. */
export interface ClockReading {
  readonly atMs: number
  /** The uncertainty of that. */
  readonly errorMs: number
  readonly counterMs: number
}

/** How much a counter may run faster or slower than a clock: more than any that is not broken. */
const driftPerMs = 0.0005

/** The current time of a clock, computed from earlier readings without asking it. */
export class ClockEstimate {
  #offsetMs: number
  #errorMs: number
  #counterMs: number

  constructor({ atMs, errorMs, counterMs }: ClockReading) {
    this.#offsetMs = atMs - counterMs
    this.#errorMs = errorMs
    this.#counterMs = counterMs
  }

  at(counterMs: number): number {
    return counterMs + this.#offsetMs
  }

  /** The uncertainty of that: it grows until the next reading. */
  errorAt(counterMs: number): number {
    return this.#errorMs + Math.max(0, counterMs - this.#counterMs) * driftPerMs
  }

  /** By how much the clock has been set since, according to a reading; zero if it has not been. */
  stepTo(reading: ClockReading): number {
    const byMs = reading.atMs - this.at(reading.counterMs)
    return Math.abs(byMs) <= stepMs + reading.errorMs + this.errorAt(reading.counterMs) ? 0 : byMs
  }

  /** Adds a reading of a clock that has not been set since: the better of the two counts, and the worse one still
   *  limits the uncertainty. */
  take(reading: ClockReading): void {
    const { atMs, errorMs, counterMs } = reading
    const byMs = atMs - this.at(counterMs)
    const knownErrorMs = this.errorAt(counterMs)
    if (errorMs <= knownErrorMs) {
      this.#offsetMs += byMs
      this.#errorMs = errorMs
      this.#counterMs = counterMs
    } else if (Math.abs(byMs) > errorMs) this.#offsetMs += byMs - Math.sign(byMs) * errorMs
  }
}
