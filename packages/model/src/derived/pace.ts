/** Keeps work at a rate of capacity units. */
export class Pace {
  readonly #unitsPerSecond: number | undefined
  #readyAtMs = 0

  constructor(unitsPerSecond: number | undefined) {
    this.#unitsPerSecond = unitsPerSecond
  }

  /** Waits as long as what was just used takes at this rate. */
  async spend(units: number): Promise<void> {
    if (this.#unitsPerSecond === undefined) return
    const nowMs = performance.now()
    this.#readyAtMs = Math.max(this.#readyAtMs, nowMs) + (units / this.#unitsPerSecond) * 1000
    const waitMs = this.#readyAtMs - nowMs
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
