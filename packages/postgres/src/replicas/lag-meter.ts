/** Measures how far a replica is behind, by this process's own clock: clocks of different machines are never compared. Whatever the
 *  primary had written at a moment, a replica that has replayed that much holds. */
export class LagMeter {
  #samples: { readonly atMs: number; readonly position: bigint }[] = []
  #currentAtMs = Number.NEGATIVE_INFINITY

  /** Up to where the primary's log went. Everything acknowledged before `atMs` lies below. */
  noteWritten(atMs: number, position: bigint): void {
    this.#samples.push({ atMs, position })
    if (this.#samples.length > mostSamples) this.#samples.shift()
  }

  /** Up to where the replica has come. */
  noteReplayed(position: bigint): void {
    const held = this.#samples.findLastIndex((sample) => sample.position <= position)
    if (held < 0) return
    this.#currentAtMs = Math.max(this.#currentAtMs, this.#samples[held]?.atMs ?? 0)
    // What it holds already says nothing new.
    this.#samples.splice(0, held)
  }

  /** At most so much is missing: what was acknowledged so long ago, and before, is there. */
  lagMs(nowMs: number): number {
    return nowMs - this.#currentAtMs
  }
}

/** With five in a second, more than two minutes. A replica that is further behind is of no use. */
const mostSamples = 600
