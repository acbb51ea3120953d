/** How long deletions do not trust a clock that was set forward: longer than any promise that lasts minutes. */
const settleMs = 15 * 60_000

/** By how much the clock was recently set forward. */
export class Holds {
  #held: { readonly ms: number; readonly untilMs: number }[] = []

  hold(ms: number, counterMs: number): void {
    this.#held.push({ ms, untilMs: counterMs + settleMs })
  }

  /** The clock was set back by this much: the latest jump forward is undone first. */
  release(ms: number): void {
    let leftMs = ms
    while (leftMs > 0) {
      const last = this.#held.pop()
      if (last === undefined) return
      if (last.ms > leftMs) this.#held.push({ ...last, ms: last.ms - leftMs })
      leftMs -= last.ms
    }
  }

  heldMs(counterMs: number): number {
    if (this.#held.length === 0) return 0
    this.#held = this.#held.filter(({ untilMs }) => untilMs > counterMs)
    return this.#held.reduce((sum, { ms }) => sum + ms, 0)
  }
}
