import type { Datapoint } from '@hashrange/engine'

/** A statistic of the samples of a period: `Sum`, `p99`, `tm90`, `TM(10%:90%)` … */
export type Statistic = (datapoint: Datapoint) => number

/** Undefined if there is no such statistic. */
export function statisticOf(name: string): Statistic | undefined {
  return simple.get(name) ?? extendedStatistic(name)
}

const simple: ReadonlyMap<string, Statistic> = new Map([
  ['SampleCount', ({ sampleCount }) => sampleCount],
  ['Sum', ({ sum }) => sum],
  ['Average', ({ sum, sampleCount }) => sum / sampleCount],
  ['Minimum', ({ minimum }) => minimum],
  ['Maximum', ({ maximum }) => maximum],
])

/** Percentiles, and statistics of the samples between two of them. */
export function extendedStatistic(name: string): Statistic | undefined {
  const [, percentile] = /^p(\d{1,2}(?:\.\d{1,10})?|100)$/.exec(name) ?? []
  if (percentile !== undefined) return (datapoint) => datapoint.quantile(Number(percentile) / 100)
  if (/^IQM$/i.test(name)) return between('tm', 0.25, 0.75)
  const [, short, upTo] = /^(tm|tc|ts|wm)(\d{1,2}(?:\.\d{1,10})?|100)$/.exec(name) ?? []
  if (short !== undefined) return between(short, 0, Number(upTo) / 100)
  const [, long, from, to] = /^(TM|TC|TS|WM)\((\d{1,2}(?:\.\d+)?%)?:(\d{1,3}(?:\.\d+)?%)?\)$/.exec(name) ?? []
  if (long === undefined || (from === undefined && to === undefined)) return undefined
  const [low, high] = [fractionOf(from, 0), fractionOf(to, 1)]
  return low < high && high <= 1 ? between(long.toLowerCase(), low, high) : undefined
}

function fractionOf(percent: string | undefined, open: number): number {
  return percent === undefined ? open : Number(percent.slice(0, -1)) / 100
}

/** Trimmed mean, count and sum of the samples between two fractions; the winsorized mean sets those outside to the bounds. */
function between(kind: string, low: number, high: number): Statistic {
  return (datapoint) => {
    const share = high - low
    const inside = meanBetween(datapoint, low, high)
    switch (kind) {
      case 'tc':
        return datapoint.sampleCount * share
      case 'ts':
        return inside * datapoint.sampleCount * share
      case 'wm':
        return inside * share + datapoint.quantile(low) * low + datapoint.quantile(high) * (1 - high)
      default:
        return inside
    }
  }
}

const steps = 200

/** The samples themselves are not kept: their distribution is used. */
function meanBetween(datapoint: Datapoint, low: number, high: number): number {
  if (low === 0 && high === 1) return datapoint.sum / datapoint.sampleCount
  let sum = 0
  for (let step = 0; step < steps; step++) sum += datapoint.quantile(low + ((step + 0.5) / steps) * (high - low))
  return sum / steps
}
