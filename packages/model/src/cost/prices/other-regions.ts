import type { ClassPrices, FeaturePrices, PriceSheet, ReservedPrices } from './price-sheet.ts'
import { usEast1 } from './us-east-1.ts'

/** What is recorded of a region. The other prices stand in nearly the same proportion to those of us-east-1, and are derived from the
 *  price of a write unit: whoever needs the exact ones gives AWS's price list. */
interface Recorded {
  /** A provisioned write unit for an hour. */
  readonly write: number
  /** A hundred units, reserved: what is paid at once for reads and for writes, and then for an hour of each. */
  readonly oneYear: Reservation
  readonly threeYears?: Reservation
}

type Reservation = readonly [reads: number, writes: number, readHour: number, writeHour: number]

const recorded: Readonly<Record<string, Recorded>> = {
  'us-west-1': {
    write: 0.000725,
    oneYear: [33.6, 168, 0.0028, 0.0144],
    threeYears: [40.32, 201.6, 0.0018, 0.0091],
  },
  'ca-central-1': {
    write: 0.000715,
    oneYear: [33, 165, 0.0028, 0.0141],
    threeYears: [39.6, 198, 0.0018, 0.009],
  },
  'sa-east-1': { write: 0.000975, oneYear: [45, 225, 0.0038, 0.0193], threeYears: [54, 270, 0.0024, 0.0122] },
  'eu-west-1': {
    write: 0.000735,
    oneYear: [33.9, 169.5, 0.0029, 0.0145],
    threeYears: [40.68, 203.4, 0.0018, 0.0092],
  },
  'eu-west-2': {
    write: 0.000772,
    oneYear: [35.6, 178, 0.0031, 0.0153],
    threeYears: [42.72, 213.57, 0.0019, 0.0097],
  },
  'eu-west-3': { write: 0.000772, oneYear: [35.6, 178, 0.0031, 0.0153] },
  'eu-central-1': {
    write: 0.000793,
    oneYear: [36.6, 183, 0.0032, 0.0157],
    threeYears: [43.8, 219.6, 0.0019, 0.0099],
  },
  'eu-north-1': { write: 0.000698, oneYear: [32.2, 161, 0.0028, 0.0138] },
  'ap-south-1': {
    write: 0.00074,
    oneYear: [34.2, 171, 0.0029, 0.0146],
    threeYears: [40.68, 203.4, 0.0018, 0.0092],
  },
  'ap-southeast-1': {
    write: 0.00074,
    oneYear: [34.2, 171, 0.0029, 0.0146],
    threeYears: [41.04, 205.2, 0.0018, 0.0093],
  },
  'ap-southeast-2': {
    write: 0.00074,
    oneYear: [34.2, 171, 0.0029, 0.0146],
    threeYears: [41.04, 205.2, 0.0018, 0.0093],
  },
  'ap-northeast-1': {
    write: 0.000742,
    oneYear: [34.2, 171.4, 0.0029, 0.0147],
    threeYears: [41, 205.6, 0.0018, 0.0093],
  },
  'ap-northeast-2': {
    write: 0.0007049,
    oneYear: [32.49, 162.83, 0.0028, 0.014],
    threeYears: [38.95, 195.32, 0.0017, 0.0088],
  },
  'ap-northeast-3': { write: 0.000742, oneYear: [34.2, 171.4, 0.0029, 0.0147] },
  'ap-east-1': { write: 0.000814, oneYear: [37.62, 188.1, 0.0032, 0.0161] },
  'af-south-1': { write: 0.00087465, oneYear: [40.341, 201.705, 0.0035, 0.0173] },
  'me-south-1': { write: 0.0008085, oneYear: [37.29, 186.45, 0.0032, 0.016] },
}

const likeUsEast1 = ['us-east-2', 'us-west-2']

export const otherRegions: readonly (readonly PriceSheet[])[] = [
  ...likeUsEast1.map((region) => usEast1.map((sheet) => ({ ...sheet, region }))),
  ...Object.entries(recorded).map(([region, { write, oneYear, threeYears }]) =>
    usEast1.map((sheet): PriceSheet => {
      const factor = write / sheet.provisioned.perWriteUnitHour
      const { infrequentAccess, features } = sheet
      return {
        ...sheet,
        ...times(sheet, factor),
        region,
        pointInTimeRecoveryPerGbMonth: sheet.pointInTimeRecoveryPerGbMonth * factor,
        ...(infrequentAccess !== undefined && { infrequentAccess: times(infrequentAccess, factor) }),
        ...(features !== undefined && { features: featureTimes(features, factor) }),
        reserved: [reservedFor(1, oneYear), ...(threeYears === undefined ? [] : [reservedFor(3, threeYears)])],
        isDerived: true,
      }
    }),
  ),
]

function times({ onDemand, provisioned, replicated, storagePerGbMonth }: ClassPrices, factor: number): ClassPrices {
  return {
    onDemand: {
      perMillionReadUnits: onDemand.perMillionReadUnits * factor,
      perMillionWriteUnits: onDemand.perMillionWriteUnits * factor,
    },
    provisioned: {
      perReadUnitHour: provisioned.perReadUnitHour * factor,
      perWriteUnitHour: provisioned.perWriteUnitHour * factor,
    },
    ...(replicated !== undefined && {
      replicated: {
        perMillionWriteUnits: replicated.perMillionWriteUnits * factor,
        perWriteUnitHour: replicated.perWriteUnitHour * factor,
      },
    }),
    storagePerGbMonth: storagePerGbMonth * factor,
  }
}

function featureTimes(features: FeaturePrices, factor: number): FeaturePrices {
  return {
    backupPerGbMonth: features.backupPerGbMonth * factor,
    restorePerGb: features.restorePerGb * factor,
    exportPerGb: features.exportPerGb * factor,
    importPerGb: features.importPerGb * factor,
    perMillionStreamReads: features.perMillionStreamReads * factor,
  }
}

function reservedFor(years: 1 | 3, [reads, writes, readHour, writeHour]: Reservation): ReservedPrices {
  return {
    years,
    upfrontPerReadUnit: reads / 100,
    upfrontPerWriteUnit: writes / 100,
    perReadUnitHour: readHour / 100,
    perWriteUnitHour: writeHour / 100,
  }
}
