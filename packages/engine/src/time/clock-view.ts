import type { ClockEras } from './clock-eras.ts'
import { steadyAgo, type ClockRecord } from './clock-record.ts'

/** What a clock shows at one moment: a decision that runs again sees the same. */
export class ClockView {
  readonly nowMs: number
  readonly steadyMs: number
  readonly #settledMs: number
  readonly #record: ClockRecord

  constructor(nowMs: number, steadyMs: number, settledMs: number, record: ClockRecord) {
    this.nowMs = nowMs
    this.steadyMs = steadyMs
    this.#settledMs = settledMs
    this.#record = record
  }

  get eras(): ClockEras {
    return this.#record.eras
  }

  /** The moment of steady time that was certainly `ms` ago. */
  ago(ms: number): number {
    return steadyAgo(this.#record, this.#settledMs, ms)
  }
}
