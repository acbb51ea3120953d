import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import { leadOf, setBack, stepMs } from './clock-eras.ts'
import { readClockRecord, recordSetBack, recordTrim, type ClockRecord } from './clock-record.ts'
import { ClockView } from './clock-view.ts'
import type { ClockOffset, Moment, StoreClock } from './store-clock.ts'

/** A clock that is passed in: its owner, usually a test, says what time it is, and is trusted at once. */
export class OwnedClock implements StoreClock {
  readonly #store: Store
  readonly #clock: Clock
  #record: ClockRecord
  #steadyMs: number
  /** What must still be written about it. */
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

  /** Reads what other servers have recorded, which share the store but not necessarily the clock. */
  async refresh(): Promise<void> {
    await this.tick()
    const { eras, trimmed } = await readClockRecord(this.#store)
    const isAhead = leadOf(eras) > leadOf(this.#record.eras)
    this.#record = { eras: isAhead ? eras : this.#record.eras, trimmed }
  }

  /** Resolves when the changes of the clock are written. */
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
    // The caller gets the failure.
    written.catch(() => undefined)
    this.#unwritten = written
  }
}
