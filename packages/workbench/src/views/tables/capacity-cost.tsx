import { formatDollars } from '../../values/dollars.ts'
import { findPrices } from '@hashrange/model/cost'
import { useScope } from '../../state/scope.tsx'

const hoursPerMonth = 730
const today = new Date().toISOString().slice(0, 10)

/** What provisioned capacity costs on AWS a month. */
export function CapacityCost({
  readUnits,
  writeUnits,
}: {
  readonly readUnits: number
  readonly writeUnits: number
}) {
  const { region } = useScope()
  const prices = findPrices(region, today) ?? findPrices('us-east-1', today)
  if (prices === undefined || !(readUnits > 0) || !(writeUnits > 0)) return null
  const pricedAs = prices.takenFrom ?? prices.region
  const { perReadUnitHour, perWriteUnitHour } = prices.provisioned
  const dollars = (readUnits * perReadUnitHour + writeUnits * perWriteUnitHour) * hoursPerMonth
  return (
    <p className="field-hint">
      On AWS about <strong>{formatDollars(dollars)}</strong> per month
      {pricedAs === region ? '' : `, at the prices of ${pricedAs}`}, whether used or not.
    </p>
  )
}
