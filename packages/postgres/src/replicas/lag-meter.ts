/** Measures how far a replica is behind, by this process's own clock: clocks of different machines are never
 *  compared. A replica that has replayed the primary's log up to some moment contains everything from before it. */
export class LagMeter {
  #samples: { readonly atMs: number; readonly position: bigint }[] = []
  #currentAtMs = Number.NEGATIVE_INFINITY

  /** The primary's log position. Everything acknowledged before `atMs` is below it. */
  noteWritten(atMs: number, position: bigint): void {
    this.#samples.push({ atMs, position })
    if (this.#samples.length > mostSamples) this.#samples.shift()
  }

  /** The replica's log position. */
  noteReplayed(position: bigint): void {
    const held = this.#samples.findLastIndex((sample) => sample.position <= position)
    if (held < 0) return
    this.#currentAtMs = Math.max(this.#currentAtMs, this.#samples[held]?.atMs ?? 0)
    // What it has already reached says nothing new.
    this.#samples.splice(0, held)
  }

  /** At most this much is missing: everything acknowledged longer ago is there. */
  lagMs(nowMs: number): number {
    return nowMs - this.#currentAtMs
  }
}

/** With five in a second, more than two minutes. A replica that is further behind is of no use. */
const mostSamples = 600
