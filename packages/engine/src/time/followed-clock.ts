import { StorageError } from '../store/storage-error.ts'
import type { Store } from '../store/store.ts'
import { leadOf, stepMs, type ClockEras } from './clock-eras.ts'
import { ClockEstimate, type ClockReading } from './clock-estimate.ts'
import type { ClockSources } from './clock-sources.ts'
import { setBackMessage, setForwardMessage } from './clock-messages.ts'
import { readClockRecord, recordSetBack, recordTrim, steadyAgo, type ClockRecord } from './clock-record.ts'
import { ClockView } from './clock-view.ts'
import { Holds } from './holds.ts'
import { ServerWatch } from './server-watch.ts'
import type { ClockOffset, Moment, StoreClock } from './store-clock.ts'

export interface FollowedClockOptions {
  readonly store: Store
  readonly sources: ClockSources
  readonly read: () => Promise<ClockReading>
  /** Called with a sentence that an operator should know. */
  readonly tell: (sentence: string) => void
}

/** Follows the clock of a store: that of the database's machine, or of this one. Between readings the time is
 *  counted, so that a wrong or jumping clock of this server has no influence. */
export class FollowedClock implements StoreClock {
  readonly #store: Store
  readonly #sources: ClockSources
  readonly #read: () => Promise<ClockReading>
  readonly #tell: (sentence: string) => void
  readonly #isElsewhere: boolean
  readonly #holds = new Holds()
  readonly #watch: ServerWatch
  #estimate: ClockEstimate
  #record: ClockRecord
  #leadMs: number
  /** The last time that was returned: time goes back by a recorded step, or not at all. */
  #latestMs: number
  /** A step that has been seen once. */
  #suspected: ClockReading | undefined
  #readAtMs: number
  #uptimeLeadMs: number
  #following: Promise<void> | undefined

  constructor({ store, sources, read, tell }: FollowedClockOptions, first: ClockReading, record: ClockRecord) {
    this.#store = store
    this.#sources = sources
    this.#read = read
    this.#tell = tell
    this.#isElsewhere = store.time !== undefined
    this.#estimate = new ClockEstimate(first)
    this.#record = record
    this.#leadMs = leadOf(record.eras)
    this.#latestMs = Math.floor(first.atMs)
    this.#readAtMs = first.counterMs
    this.#uptimeLeadMs = sources.uptime() - first.counterMs
    this.#watch = new ServerWatch(sources, tell)
    if (this.#isElsewhere) this.#watch.compare(this.offset)
  }

  now(): number {
    const nowMs = Math.floor(this.#estimate.at(this.#sources.counter()))
    if (nowMs > this.#latestMs) this.#latestMs = nowMs
    return this.#latestMs
  }

  steady(): number {
    return this.now() + this.#leadMs
  }

  moment(): Moment {
    const nowMs = this.now()
    return { nowMs, steadyMs: nowMs + this.#leadMs }
  }

  settled(): number {
    const counterMs = this.#sources.counter()
    const uncertainMs = this.#estimate.errorAt(counterMs) + this.#holds.heldMs(counterMs)
    return Math.floor(this.now() - uncertainMs)
  }

  ago(ms: number): number {
    return steadyAgo(this.#record, this.settled(), ms)
  }

  async noteTrim(keptMs: number, toSteadyMs: number): Promise<void> {
    const { trimmed } = await recordTrim(this.#store, { keptMs, toSteadyMs })
    this.#record = { ...this.#record, trimmed }
  }

  look(): ClockView {
    const { nowMs, steadyMs } = this.moment()
    return new ClockView(nowMs, steadyMs, this.settled(), this.#record)
  }

  get offset(): ClockOffset {
    const counterMs = this.#sources.counter()
    return {
      serverAheadMs: this.#sources.wall() - this.#estimate.at(counterMs),
      errorMs: this.#estimate.errorAt(counterMs),
    }
  }

  refresh(): Promise<void> {
    return this.#isShared ? this.#follow() : Promise.resolve()
  }

  /** Call this about once a second. A remote clock is read every few seconds, and at once if something seems to have
   *  happened. */
  async tick(): Promise<void> {
    const isDue =
      !this.#isElsewhere ||
      this.#suspected !== undefined ||
      this.#watch.hasJumped() ||
      this.#sources.counter() - this.#readAtMs >= readEveryMs
    if (!isDue) return
    try {
      await this.#follow()
    } catch (error) {
      // Requests report a store that cannot be reached; the time is counted meanwhile.
      if (!(error instanceof StorageError)) throw error
    }
    if (this.#isElsewhere) this.#watch.compare(this.offset)
  }

  get #isShared(): boolean {
    return this.#store.shared === true
  }

  /** One reading at a time. */
  #follow(): Promise<void> {
    this.#following ??= this.#readOn().finally(() => {
      this.#following = undefined
    })
    return this.#following
  }

  async #readOn(): Promise<void> {
    const sleptMs = this.#sleptMs()
    const reading = await this.#read()
    this.#readAtMs = reading.counterMs
    if (this.#isShared) {
      const record = await readClockRecord(this.#store)
      if (areNews(this.#record.eras, record.eras)) return this.#adopt(reading, record)
      this.#record = record
    }
    const byMs = this.#estimate.stepTo(reading)
    if (byMs === 0) {
      this.#suspected = undefined
      this.#estimate.take(reading)
    } else if (isCredible(reading) && this.#isConfirmed(reading, byMs, sleptMs))
      await this.#set(reading, byMs, sleptMs)
  }

  /** How long the counter has stood still since the last call, because the machine slept. */
  #sleptMs(): number {
    const leadMs = this.#sources.uptime() - this.#sources.counter()
    const sleptMs = leadMs - this.#uptimeLeadMs
    this.#uptimeLeadMs = leadMs
    return sleptMs > stepMs ? sleptMs : 0
  }

  /** A step counts when it has been seen twice: a clock that jumps back and forth is not followed. If this machine
   *  stood still, time elsewhere has continued: a remote clock that seems to be ahead is followed at once. */
  #isConfirmed(reading: ClockReading, byMs: number, sleptMs: number): boolean {
    if (byMs > 0 && (this.#isElsewhere || Math.abs(byMs - sleptMs) <= stepMs)) return true
    const before = this.#suspected
    const offsetMs = (one: ClockReading): number => one.atMs - one.counterMs
    const isSame =
      before !== undefined && Math.abs(offsetMs(reading) - offsetMs(before)) <= stepMs + reading.errorMs
    if (isSame && reading.counterMs - before.counterMs >= confirmMs) return true
    if (!isSame) this.#suspected = reading
    return false
  }

  async #set(reading: ClockReading, byMs: number, sleptMs: number): Promise<void> {
    if (byMs < 0) {
      await this.#adopt(reading, this.#record)
      this.#tell(setBackMessage(this.#isElsewhere, -byMs))
      return
    }
    this.#takeAnew(reading)
    const unexplainedMs = byMs - sleptMs
    if (unexplainedMs <= stepMs) return
    this.#holds.hold(unexplainedMs, reading.counterMs)
    this.#tell(setForwardMessage(this.#isElsewhere, byMs))
  }

  /** Uses a reading and eras that other servers may have added. Steady time must not go back. */
  async #adopt(reading: ClockReading, record: ClockRecord): Promise<void> {
    const steadyMs = this.steady()
    const nowMs = reading.atMs + this.#sources.counter() - reading.counterMs
    if (nowMs + leadOf(record.eras) < steadyMs - stepMs) {
      return this.#adopt(reading, await recordSetBack(this.#store, { nowMs, steadyMs }))
    }
    const byMs = this.#estimate.stepTo(reading)
    if (byMs < 0) this.#holds.release(-byMs)
    else if (byMs > 0) this.#holds.hold(byMs, reading.counterMs)
    this.#record = record
    this.#takeAnew(reading)
    this.#leadMs = Math.max(leadOf(record.eras), steadyMs - this.#latestMs)
  }

  #takeAnew(reading: ClockReading): void {
    this.#suspected = undefined
    this.#estimate = new ClockEstimate(reading)
    this.#latestMs = Math.floor(this.#estimate.at(this.#sources.counter()))
  }
}

const readEveryMs = 10_000
const confirmMs = 500

/** Sequences have room for two centuries, and a later clock is wrong in any case. */
export function isCredible({ atMs }: ClockReading): boolean {
  return atMs >= 0 && atMs < Date.UTC(2200, 0)
}

function areNews(known: ClockEras, eras: ClockEras): boolean {
  return known.at(-1)?.fromSteadyMs !== eras.at(-1)?.fromSteadyMs || known.length !== eras.length
}
