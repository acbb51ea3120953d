/** How much is written to an open shard. Counted in memory, in passing: a guess that is lost on a restart does no harm.
 *
 *  The rule: a shard is too hot when, within a window of three seconds, it takes more than 1,000 changes or 1 MiB a second,
 *  as much as one of the service's partitions can write; and when at least an eighth of that falls into either half of
 *  its key range, since a single hot item gains nothing from a split. */
export class ShardHeat {
  readonly #middle: number
  #windowStartMs: number | undefined
  #changes = 0
  #upperChanges = 0
  #bytes = 0

  /** `middle` is where the shard's range of hashes would be split. */
  constructor(middle: number) {
    this.#middle = middle
  }

  count(hash: number, sizeBytes: number): void {
    this.#changes++
    this.#bytes += sizeBytes
    if (hash >= this.#middle) this.#upperChanges++
  }

  /** A change that was counted did not come about. The window may be another by now. */
  uncount(hash: number, sizeBytes: number): void {
    this.#changes = Math.max(0, this.#changes - 1)
    this.#bytes = Math.max(0, this.#bytes - sizeBytes)
    if (hash >= this.#middle) this.#upperChanges = Math.max(0, this.#upperChanges - 1)
  }

  /** Asked about once a second. */
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
