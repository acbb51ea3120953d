import type { ReservedCost } from './model-cost.ts'
import type { PriceSheet } from './prices/price-sheet.ts'

const hoursPerMonth = 730
/** Reserved capacity is sold in hundreds of units. */
const lot = 100

/** Provisioned capacity that could be reserved, and what all of it costs without. */
export interface Reservable {
  readonly readUnits: number
  readonly writeUnits: number
  readonly provisioned: number
}

/** What provisioned capacity costs if the best part of it is reserved, for each term that is known. Terms with which nothing is saved
 *  are left out. */
export function reservedCosts(
  { readUnits, writeUnits, provisioned }: Reservable,
  prices: PriceSheet,
): readonly ReservedCost[] {
  return (prices.reserved ?? []).flatMap((term): readonly ReservedCost[] => {
    const { years, upfrontPerReadUnit, upfrontPerWriteUnit } = term
    const { perReadUnitHour, perWriteUnitHour } = prices.provisioned
    const reads = bestLots(readUnits, perReadUnitHour, monthly(upfrontPerReadUnit, years, term.perReadUnitHour))
    const writes = bestLots(
      writeUnits,
      perWriteUnitHour,
      monthly(upfrontPerWriteUnit, years, term.perWriteUnitHour),
    )
    if (reads.saved + writes.saved <= 0) return []
    return [
      {
        years,
        readUnits: reads.units,
        writeUnits: writes.units,
        upfront: reads.units * upfrontPerReadUnit + writes.units * upfrontPerWriteUnit,
        perMonth: provisioned - reads.saved - writes.saved,
      },
    ]
  })
}

/** A reserved unit for a month, with its share of what is paid at once. */
function monthly(upfront: number, years: number, perHour: number): number {
  return upfront / (12 * years) + perHour * hoursPerMonth
}

/** What is left after whole lots is worth another lot if that costs less than its units do. */
function bestLots(units: number, perUnitHour: number, reservedPerMonth: number): { units: number; saved: number } {
  const perMonth = perUnitHour * hoursPerMonth
  const whole = Math.floor(units / lot) * lot
  const rest = units - whole
  const withRest = lot * reservedPerMonth < rest * perMonth ? whole + lot : whole
  return { units: withRest, saved: Math.min(withRest, units) * perMonth - withRest * reservedPerMonth }
}
