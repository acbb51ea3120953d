/** Units that are refilled at a rate, and saved up to a capacity while nobody uses them. As in the service, a request
 *  is admitted while anything is left, and its real cost is taken afterwards: the level may fall below zero, and
 *  nobody is admitted until that is paid back. Time comes from outside and only counts forwards. */
export class TokenBucket {
  #unitsPerSecond: number
  #capacity: number
  #level: number
  #atMs: number

  constructor(unitsPerSecond: number, capacity: number, level: number, nowMs: number) {
    this.#unitsPerSecond = unitsPerSecond
    this.#capacity = capacity
    this.#level = level
    this.#atMs = nowMs
  }

  get unitsPerSecond(): number {
    return this.#unitsPerSecond
  }

  isOpen(nowMs: number): boolean {
    const elapsedMs = nowMs - this.#atMs
    if (elapsedMs > 0) {
      const level = this.#level + (this.#unitsPerSecond * elapsedMs) / 1000
      this.#level = level < this.#capacity ? level : this.#capacity
      this.#atMs = nowMs
    }
    return this.#level > 0
  }

  take(units: number): void {
    this.#level -= units
  }

  /** Returns what was taken and not used, as far as it fits. */
  giveBack(units: number): void {
    this.#level = Math.min(this.#capacity, this.#level + units)
  }

  level(nowMs: number): number {
    this.isOpen(nowMs)
    return this.#level
  }

  /** What was saved is kept, as far as it fits. */
  resize(unitsPerSecond: number, capacity: number, nowMs: number): void {
    this.isOpen(nowMs)
    this.#unitsPerSecond = unitsPerSecond
    this.#capacity = capacity
    this.#level = Math.min(this.#level, capacity)
  }
}
