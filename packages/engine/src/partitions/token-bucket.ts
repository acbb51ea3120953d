/** Units that are refilled at a rate, and saved up to a capacity while nobody uses them. As in the service, a request
 *  is admitted while anything is left, and its real cost is taken afterwards: the level may fall below zero, and
 *  nobody is admitted until that is paid back. Time comes from outside and only counts forwards.
 *
 *  If several servers share the units, this is one server's share of them (see sharing/). */
export class TokenBucket {
  /** Of all servers together. */
  #unitsPerSecond: number
  #capacity: number
  #share = 1
  /** Of this server. */
  #ownUnitsPerSecond: number
  #ownCapacity: number
  #level: number
  #atMs: number
  #taken = 0
  #refused = 0

  constructor(unitsPerSecond: number, capacity: number, level: number, nowMs: number) {
    this.#unitsPerSecond = unitsPerSecond
    this.#capacity = capacity
    this.#ownUnitsPerSecond = unitsPerSecond
    this.#ownCapacity = capacity
    this.#level = level
    this.#atMs = nowMs
  }

  /** What all servers together may take. */
  get unitsPerSecond(): number {
    return this.#unitsPerSecond
  }

  get capacity(): number {
    return this.#capacity
  }

  /** The part of it that belongs to this server. */
  get share(): number {
    return this.#share
  }

  /** What was taken in all, and not given back. */
  get taken(): number {
    return this.#taken
  }

  /** What was asked for in all, whether it was admitted or not. */
  get wanted(): number {
    return this.#taken + this.#refused
  }

  isOpen(nowMs: number): boolean {
    const elapsedMs = nowMs - this.#atMs
    if (elapsedMs > 0) {
      const level = this.#level + (this.#ownUnitsPerSecond * elapsedMs) / 1000
      this.#level = level < this.#ownCapacity ? level : this.#ownCapacity
      this.#atMs = nowMs
    }
    return this.#level > 0
  }

  take(units: number): void {
    this.#level -= units
    this.#taken += units
  }

  /** Returns what was taken and not used, as far as it fits. */
  giveBack(units: number): void {
    this.#level = Math.min(this.#ownCapacity, this.#level + units)
    this.#taken -= units
  }

  /** A request was not admitted that wanted at least this much. */
  refuse(units: number): void {
    this.#refused += units
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
    this.#fit(this.#share, this.#level)
  }

  /** Sets the part of it that belongs to this server, and how much of that is left. */
  shareTo(share: number, level: number, nowMs: number): void {
    this.isOpen(nowMs)
    this.#fit(share, level)
  }

  #fit(share: number, level: number): void {
    this.#share = share
    this.#ownUnitsPerSecond = this.#unitsPerSecond * share
    this.#ownCapacity = this.#capacity * share
    this.#level = Math.min(level, this.#ownCapacity)
  }
}
