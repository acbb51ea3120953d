import { findPrices, type PriceSheet } from '@hashrange/model/cost'
import { scanUnits } from '../../../values/units.ts'
import type { PageFacts } from './query-run.ts'

/** What a run took in all. */
export interface RunTotals {
  readonly requests: number
  readonly count: number
  /** Undefined if it is not reported. */
  readonly scannedCount: number | undefined
  readonly units: number
}

export function totalsOf(pages: readonly PageFacts[]): RunTotals {
  let [count, scannedCount, units] = [0, 0, 0]
  for (const page of pages) {
    count += page.count
    scannedCount += page.scannedCount ?? 0
    units += page.units
  }
  const isTold = pages.some((page) => page.scannedCount !== undefined)
  return { requests: pages.length, count, scannedCount: isTold ? scannedCount : undefined, units }
}

/** The units that went into items which a filter threw away. Where items came whole, what reading them alone had cost is known
 *  from their sizes; otherwise it is taken to be their share of the items read. */
export function wastedUnits(pages: readonly PageFacts[], isWhole: boolean, isConsistent: boolean): number {
  let wasted = 0
  for (const { count, scannedCount, units, bytes } of pages) {
    if (scannedCount === undefined || scannedCount <= count) continue
    const needed = isWhole ? scanUnits(bytes, isConsistent) : units * (count / scannedCount)
    wasted += Math.max(0, units - needed)
  }
  return wasted
}

const secondsPerMonth = 730 * 3600

/** Today's prices of a region; those of N. Virginia where it is none that is known. */
export function pricesOf(region: string): PriceSheet {
  const newest = '9999-12-31'
  const prices = findPrices(region, newest) ?? findPrices('us-east-1', newest)
  if (prices === undefined) throw new Error('there are always prices of us-east-1')
  return prices
}

export function dollarsOf(units: number, prices: PriceSheet, isWrite = false): number {
  const { perMillionReadUnits, perMillionWriteUnits } = prices.onDemand
  return (units * (isWrite ? perMillionWriteUnits : perMillionReadUnits)) / 1e6
}

/** On demand, at this many calls per second. */
export function dollarsPerMonth(
  units: number,
  callsPerSecond: number,
  prices: PriceSheet,
  isWrite = false,
): number {
  return dollarsOf(units, prices, isWrite) * callsPerSecond * secondsPerMonth
}
