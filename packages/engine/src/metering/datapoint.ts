import { LatencyHistogram } from './latency-histogram.ts'
import type { Datapoint } from './metrics.ts'
import type { Tally } from './tally.ts'

export function datapointOf(atMs: number, tally: Tally): Datapoint {
  const { count, sum, minimum, maximum } = tally
  return {
    atMs,
    sampleCount: count,
    sum,
    minimum,
    maximum,
    quantile: (p) => (tally instanceof LatencyHistogram ? tally.quantile(p) : estimate(tally, p)),
  }
}

/** Samples that are not latencies only have a known minimum, maximum and average. */
function estimate({ count, sum, minimum, maximum }: Tally, p: number): number {
  const average = sum / Math.max(count, 1)
  if (p <= 0.5) return minimum + (average - minimum) * Math.max(p, 0) * 2
  return average + (maximum - average) * (Math.min(p, 1) - 0.5) * 2
}
