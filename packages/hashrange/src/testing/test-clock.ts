import type { Clock } from '@hashrange/engine'

/** A clock that stands still until it is moved. */
export class TestClock implements Clock {
  #nowMs: number

  constructor(start: Date | string | number) {
    this.#nowMs = new Date(start).getTime()
    if (Number.isNaN(this.#nowMs))
      throw new Error(`${String(start)} is not a time. Give a Date, or text such as 2026-01-15.`)
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#nowMs
  }

  get date(): Date {
    return new Date(this.#nowMs)
  }

  /** Time never goes back: what was stored would lie in the future. */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new Error(`The clock cannot be moved by ${milliseconds} ms.`)
    this.#nowMs += milliseconds
  }
}
