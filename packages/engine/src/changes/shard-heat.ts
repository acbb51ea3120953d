/** How much is written to an open shard. Counted in memory, as an estimate that may be lost on a restart. A shard is
 *  too hot if, within a window of three seconds, it gets more than 1,000 changes or 1 MiB per second. That is as much
 *  as one of the service's partitions can write. At least an eighth of it must fall into each half of its key range,
 *  because splitting does not help a single hot item. */
export class ShardHeat {
  readonly #middle: number
  #windowStartMs: number | undefined
  #changes = 0
  #upperChanges = 0
  #bytes = 0

  /** `middle` is where the shard's hash range would be split. */
  constructor(middle: number) {
    this.#middle = middle
  }

  count(hash: number, sizeBytes: number): void {
    this.#changes++
    this.#bytes += sizeBytes
    if (hash >= this.#middle) this.#upperChanges++
  }

  /** A counted change did not happen. The window may be a different one by now. */
  uncount(hash: number, sizeBytes: number): void {
    this.#changes = Math.max(0, this.#changes - 1)
    this.#bytes = Math.max(0, this.#bytes - sizeBytes)
    if (hash >= this.#middle) this.#upperChanges = Math.max(0, this.#upperChanges - 1)
  }

  /** Called once a second. */
  isTooHot(nowMs: number): boolean {
    this.#windowStartMs ??= nowMs
    const elapsedMs = nowMs - this.#windowStartMs
    const seconds = Math.max(elapsedMs, windowMs) / 1000
    const isHot = this.#changes > changesPerSecond * seconds || this.#bytes > bytesPerSecond * seconds
    const isSpread = this.#upperChanges * 8 >= this.#changes && this.#upperChanges * 8 <= this.#changes * 7
    if (elapsedMs >= windowMs || elapsedMs < 0) this.#restart(nowMs)
    return isHot && isSpread
  }

  #restart(nowMs: number): void {
    this.#windowStartMs = nowMs
    this.#changes = 0
    this.#upperChanges = 0
    this.#bytes = 0
  }
}

const windowMs = 3_000
const changesPerSecond = 1_000
const bytesPerSecond = 2 ** 20
