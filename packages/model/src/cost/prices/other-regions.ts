import type { ClassPrices, PriceSheet } from './price-sheet.ts'
import { usEast1 } from './us-east-1.ts'

/** The price of a provisioned write unit for an hour. The other prices of a region stand in nearly the same proportion to those of
 *  us-east-1, and are derived from it: whoever needs the exact ones gives a file. */
const perWriteUnitHour: Readonly<Record<string, number>> = {
  'us-west-1': 0.000725,
  'ca-central-1': 0.000715,
  'sa-east-1': 0.000975,
  'eu-west-1': 0.000735,
  'eu-west-2': 0.000772,
  'eu-west-3': 0.000772,
  'eu-central-1': 0.000793,
  'eu-north-1': 0.000698,
  'ap-south-1': 0.00074,
  'ap-southeast-1': 0.00074,
  'ap-southeast-2': 0.00074,
  'ap-northeast-1': 0.000742,
  'ap-northeast-2': 0.0007049,
}

const likeUsEast1 = ['us-east-2', 'us-west-2']

export const otherRegions: readonly (readonly PriceSheet[])[] = [
  ...likeUsEast1.map((region) => usEast1.map((sheet) => ({ ...sheet, region }))),
  ...Object.entries(perWriteUnitHour).map(([region, price]) =>
    usEast1.map((sheet): PriceSheet => {
      const factor = price / sheet.provisioned.perWriteUnitHour
      const { infrequentAccess } = sheet
      return {
        ...sheet,
        ...times(sheet, factor),
        region,
        pointInTimeRecoveryPerGbMonth: sheet.pointInTimeRecoveryPerGbMonth * factor,
        ...(infrequentAccess !== undefined && { infrequentAccess: times(infrequentAccess, factor) }),
        isDerived: true,
      }
    }),
  ),
]

function times({ onDemand, provisioned, storagePerGbMonth }: ClassPrices, factor: number): ClassPrices {
  return {
    onDemand: {
      perMillionReadUnits: onDemand.perMillionReadUnits * factor,
      perMillionWriteUnits: onDemand.perMillionWriteUnits * factor,
    },
    provisioned: {
      perReadUnitHour: provisioned.perReadUnitHour * factor,
      perWriteUnitHour: provisioned.perWriteUnitHour * factor,
    },
    storagePerGbMonth: storagePerGbMonth * factor,
  }
}
