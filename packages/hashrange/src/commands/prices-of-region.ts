import { findPrices, knownRegions, type PriceSheet } from '@hashrange/model/cost'
import { Mistake } from '../mistake.ts'

/** The prices of a region, today's unless a day is given. `advice` says what else can be done for a region that has none. */
export function pricesOfRegion(
  region: string,
  { date, advice = '' }: { readonly date?: string | undefined; readonly advice?: string } = {},
): PriceSheet {
  const prices = findPrices(region, date)
  if (prices !== undefined) return prices
  const known = knownRegions()
  throw new Mistake(
    date !== undefined && known.includes(region)
      ? `There are no prices for ${region} on ${date}.`
      : `There are no prices for the region "${region}". Regions with prices: ${known.toSorted().join(', ')}.${advice}`,
  )
}
