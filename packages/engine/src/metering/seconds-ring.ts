/** What is counted for each of the last 300 seconds. */
export const secondFields = {
  readUnits: 0,
  writeUnits: 1,
  readThrottles: 2,
  writeThrottles: 3,
  readWouldThrottles: 4,
  writeWouldThrottles: 5,
} as const

const fieldCount = 6
export const secondsKept = 300

/** A few numbers for each second of the last five minutes, in one array that is reused. */
export class SecondsRing {
  /** Allocated when there is something to count: most tables are idle. */
  #numbers: Float64Array | undefined
  #second = Number.NEGATIVE_INFINITY
  #offset = 0

  /** Makes `second` the current one. If time goes back, counting continues where it was. */
  advance(second: number): void {
    if (second <= this.#second) return
    const skipped = this.#numbers === undefined ? 0 : Math.min(second - this.#second, secondsKept)
    for (let ago = 0; ago < skipped; ago++) {
      const offset = offsetOf(second - ago)
      this.#numbers?.fill(0, offset, offset + fieldCount)
    }
    this.#second = second
    this.#offset = offsetOf(second)
  }

  add(field: number, amount: number): void {
    const numbers = (this.#numbers ??= new Float64Array(secondsKept * fieldCount))
    const at = this.#offset + field
    numbers[at] = (numbers[at] ?? 0) + amount
  }

  get second(): number {
    return this.#second
  }

  at(second: number, field: number): number {
    if (second > this.#second || second <= this.#second - secondsKept) return 0
    return this.#numbers?.[offsetOf(second) + field] ?? 0
  }

  /** The sum over the seconds from `from` up to `to`. */
  sum(field: number, from: number, to: number): number {
    let sum = 0
    for (let second = Math.max(from, to - secondsKept); second < to; second++) sum += this.at(second, field)
    return sum
  }
}

function offsetOf(second: number): number {
  return (((second % secondsKept) + secondsKept) % secondsKept) * fieldCount
}
