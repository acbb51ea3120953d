import { partitionLimits } from './partition-limits.ts'

/** How much throughput an on-demand table has: at first its warm throughput, later twice its previous peak, up to the
 *  account's quota. A peak is the most that was used in one second. It counts as previous half an hour after traffic
 *  first rose above the peak before. */
export class OnDemandGrowth {
  #floor: number
  #previousPeak: number
  #rising: { peak: number; sinceMs: number } | undefined
  #second = 0
  #secondUnits = 0
  #elsewhereUnitsPerSecond = 0

  constructor(floor: number, previousPeak = 0) {
    this.#floor = floor
    this.#previousPeak = previousPeak
  }

  get previousPeak(): number {
    return this.#previousPeak
  }

  /** The table's warm throughput was raised. */
  raiseFloor(floor: number): void {
    this.#floor = Math.max(floor, this.#floor)
  }

  /** What other servers have seen, and see now. */
  hearOf(previousPeak: number, unitsPerSecond: number): void {
    this.#previousPeak = Math.max(this.#previousPeak, previousPeak)
    this.#elsewhereUnitsPerSecond = unitsPerSecond
  }

  count(units: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.#second) {
      this.#settle()
      this.#second = second
      this.#secondUnits = 0
    }
    this.#secondUnits += units
  }

  capacity(nowMs: number): number {
    if (Math.floor(nowMs / 1000) > this.#second) this.#settle()
    if (this.#rising !== undefined && nowMs - this.#rising.sinceMs >= partitionLimits.doublingMs) {
      this.#previousPeak = this.#rising.peak
      this.#rising = undefined
    }
    return Math.max(this.#floor, Math.min(2 * this.#previousPeak, partitionLimits.accountUnitsPerTable))
  }

  #settle(): void {
    const units = this.#secondUnits + this.#elsewhereUnitsPerSecond
    if (units <= Math.max(this.#previousPeak, this.#floor / 2)) return
    this.#rising ??= { peak: 0, sinceMs: this.#second * 1000 }
    this.#rising.peak = Math.max(this.#rising.peak, units)
  }
}
