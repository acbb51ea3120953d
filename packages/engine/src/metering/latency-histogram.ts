import { Tally } from './tally.ts'

/** Latencies by size: eight buckets per doubling of the microseconds, so a quantile is at most an eighth off. */
export class LatencyHistogram extends Tally {
  readonly counts = new Uint32Array(bucketCount)
  #last = 0
  #lastBucket = 0

  override add(milliseconds: number): void {
    super.add(milliseconds)
    const bucket = bucketOf(milliseconds)
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.#last = milliseconds
    this.#lastBucket = bucket
  }

  /** Counts a sample that was not measured as if it were like the previous one. */
  repeat(): void {
    this.count++
    this.sum += this.#last
    this.counts[this.#lastBucket] = (this.counts[this.#lastBucket] ?? 0) + 1
  }

  override merge(other: Tally): void {
    super.merge(other)
    if (!(other instanceof LatencyHistogram)) return
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      this.counts[bucket] = (this.counts[bucket] ?? 0) + (other.counts[bucket] ?? 0)
    }
  }

  /** The latency below which the fraction `p` of all samples lies. */
  quantile(p: number): number {
    if (this.count === 0) return 0
    const wanted = Math.min(Math.max(p, 0), 1) * this.count
    let below = 0
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      const count = this.counts[bucket] ?? 0
      if (count > 0 && below + count >= wanted) {
        const from = bucket === 0 ? 0 : upperBoundMs(bucket - 1)
        const within = from + ((upperBoundMs(bucket) - from) * (wanted - below)) / count
        return Math.min(Math.max(within, this.minimum), this.maximum)
      }
      below += count
    }
    return this.maximum
  }

  /** How many samples were at most `milliseconds`, to the precision of the buckets. */
  countUpTo(milliseconds: number): number {
    let count = 0
    for (let bucket = 0; bucket < bucketCount && upperBoundMs(bucket) <= milliseconds * 1.001; bucket++) {
      count += this.counts[bucket] ?? 0
    }
    return count
  }
}

/** ON DISK: bucket and count alternately, for the buckets that are not empty. */
export function storedBuckets({ counts }: LatencyHistogram): readonly number[] {
  const stored: number[] = []
  counts.forEach((count, bucket) => {
    if (count > 0) stored.push(bucket, count)
  })
  return stored
}

export function addStoredBuckets(histogram: LatencyHistogram, stored: readonly number[]): void {
  for (let at = 0; at + 1 < stored.length; at += 2) {
    const bucket = stored[at] ?? 0
    histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + (stored[at + 1] ?? 0)
  }
}

const bucketCount = 240

/** ON DISK: which latencies a bucket contains. Below eight microseconds one each; above, by the three bits after the
 *  first. */
function bucketOf(milliseconds: number): number {
  const microseconds = milliseconds >= 2_147_483 ? 2 ** 31 - 1 : (milliseconds * 1000) | 0
  if (microseconds < 8) return microseconds < 0 ? 0 : microseconds
  const exponent = 31 - Math.clz32(microseconds)
  return (exponent - 2) * 8 + ((microseconds >>> (exponent - 3)) & 7)
}

function upperBoundMs(bucket: number): number {
  if (bucket < 8) return (bucket + 1) / 1000
  return ((8 + (bucket & 7) + 1) * 2 ** ((bucket >> 3) - 1)) / 1000
}
