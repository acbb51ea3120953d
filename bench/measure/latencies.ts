/** All latencies of a round, so that quantiles are exact. */
export class Latencies {
  #samplesMs = new Float64Array(1 << 16)
  #count = 0

  add(latencyMs: number): void {
    if (this.#count === this.#samplesMs.length) {
      const larger = new Float64Array(this.#count * 2)
      larger.set(this.#samplesMs)
      this.#samplesMs = larger
    }
    this.#samplesMs[this.#count++] = latencyMs
  }

  quantiles(): { readonly p50Ms: number; readonly p99Ms: number } {
    const sorted = this.#samplesMs.subarray(0, this.#count).toSorted()
    const at = (quantile: number): number => sorted[Math.floor(quantile * (this.#count - 1))] ?? 0
    return { p50Ms: at(0.5), p99Ms: at(0.99) }
  }
}
