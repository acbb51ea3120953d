import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import { leadOf, setBack, stepMs } from './clock-eras.ts'
import { readClockRecord, recordSetBack, recordTrim, type ClockRecord } from './clock-record.ts'
import { ClockView } from './clock-view.ts'
import type { ClockOffset, Moment, StoreClock } from './store-clock.ts'

/** A clock that is handed in: whoever owns it, mostly a test, says what time it is, and is believed at once. */
export class OwnedClock implements StoreClock {
  readonly #store: Store
  readonly #clock: Clock
  #record: ClockRecord
  #steadyMs: number
  /** What is still to be written of it. */
  #unwritten: Promise<void> = Promise.resolve()

  constructor(store: Store, clock: Clock, record: ClockRecord) {
    this.#store = store
    this.#clock = clock
    this.#record = record
    this.#steadyMs = clock.now() + leadOf(record.eras)
  }

  now(): number {
    const nowMs = this.#clock.now()
    const steadyMs = nowMs + leadOf(this.#record.eras)
    if (steadyMs >= this.#steadyMs) this.#steadyMs = steadyMs
    else if (steadyMs < this.#steadyMs - stepMs) this.#goBack(nowMs)
    return nowMs
  }

  steady(): number {
    this.now()
    return this.#steadyMs
  }

  moment(): Moment {
    const nowMs = this.now()
    return { nowMs, steadyMs: this.#steadyMs }
  }

  settled(): number {
    return this.now()
  }

  ago(ms: number): number {
    return this.look().ago(ms)
  }

  async noteTrim(keptMs: number, toSteadyMs: number): Promise<void> {
    const { trimmed } = await recordTrim(this.#store, { keptMs, toSteadyMs })
    this.#record = { ...this.#record, trimmed }
  }

  look(): ClockView {
    const nowMs = this.now()
    return new ClockView(nowMs, this.#steadyMs, nowMs, this.#record)
  }

  get offset(): ClockOffset {
    return { serverAheadMs: 0, errorMs: 0 }
  }

  /** Learns of what other servers were told, which share the store and not necessarily the clock. */
  async refresh(): Promise<void> {
    await this.tick()
    const { eras, trimmed } = await readClockRecord(this.#store)
    const isAhead = leadOf(eras) > leadOf(this.#record.eras)
    this.#record = { eras: isAhead ? eras : this.#record.eras, trimmed }
  }

  /** Settles when what has happened to the clock is written. */
  tick(): Promise<void> {
    this.now()
    return this.#unwritten
  }

  #goBack(nowMs: number): void {
    const back = { nowMs, steadyMs: this.#steadyMs }
    const eras = setBack(this.#record.eras, back)
    this.#record = { ...this.#record, eras }
    this.#steadyMs = nowMs + leadOf(eras)
    const written = this.#unwritten.then(async () => {
      await recordSetBack(this.#store, back)
    })
    // Whoever asks for it learns of a failure.
    written.catch(() => undefined)
    this.#unwritten = written
  }
}
