/** How often API destinations may be called. Each has as many calls in hand as its limit for a second says, and what is
 *  used comes back with time. */
export class InvocationRates {
  readonly #nowMs: () => number
  readonly #left = new Map<string, { readonly calls: number; readonly atMs: number }>()

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Throws `TooEarly` if it is not time for another call. */
  assertMayCall(arn: string, perSecond: number): void {
    const calls = this.#callsLeft(arn, perSecond)
    if (calls < 1) throw new TooEarly(((1 - calls) / perSecond) * 1000)
  }

  /** What an event was made into is sent together; those that come after wait the longer. */
  called(arn: string, perSecond: number, count: number): void {
    this.#left.set(arn, { calls: this.#callsLeft(arn, perSecond) - count, atMs: this.#nowMs() })
  }

  #callsLeft(arn: string, perSecond: number): number {
    const left = this.#left.get(arn)
    if (left === undefined) return perSecond
    return Math.min(perSecond, left.calls + ((this.#nowMs() - left.atMs) / 1000) * perSecond)
  }
}

/** A pipe goes on later. Nothing has failed. */
export class TooEarly extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('the limit of calls for a second is reached')
    this.waitMs = waitMs
  }
}
