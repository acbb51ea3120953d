import type { PriceSheet } from './price-sheet.ts'
import { usEast1 } from './us-east-1.ts'
import { usEast2 } from './us-east-2.ts'
import { usWest2 } from './us-west-2.ts'

const regions: readonly (readonly PriceSheet[])[] = [usEast1, usEast2, usWest2]

/** The list that is used unless another day is asked for: the one that the documentation's examples are computed with. */
export const usualPriceDate = '2018-11-28'

export function knownRegions(): readonly string[] {
  return regions.flatMap(([sheet]) => (sheet === undefined ? [] : [sheet.region]))
}

/** The prices of a region that were in force on a day; undefined if none are known. */
export function findPrices(region: string, date: string = usualPriceDate): PriceSheet | undefined {
  const sheets = regions.find(([sheet]) => sheet?.region === region) ?? []
  return sheets.findLast(({ effectiveFrom }) => effectiveFrom <= date)
}

/** A later list of the same region, if there is one. */
export function newerPrices({ region, effectiveFrom }: PriceSheet): PriceSheet | undefined {
  const sheets = regions.find(([sheet]) => sheet?.region === region) ?? []
  return sheets.findLast((sheet) => sheet.effectiveFrom > effectiveFrom)
}
