/** What DynamoDB costs in a region from a day on, in US dollars. The prices beside `region` are those of the STANDARD table class. */
export interface PriceSheet extends ClassPrices {
  readonly region: string
  /** `2024-11-01`. */
  readonly effectiveFrom: string
  readonly pointInTimeRecoveryPerGbMonth: number
  /** Of the class STANDARD_INFREQUENT_ACCESS; it costs as the other one where this is not known. */
  readonly infrequentAccess?: ClassPrices
  /** When the prices were written down here. */
  readonly recordedOn?: string
  /** Only the provisioned rate of the region is known; the others are those of us-east-1 in the same proportion. */
  readonly isDerived?: boolean
}

/** What one table class costs. */
export interface ClassPrices {
  readonly onDemand: {
    readonly perMillionReadUnits: number
    readonly perMillionWriteUnits: number
  }
  readonly provisioned: {
    readonly perReadUnitHour: number
    readonly perWriteUnitHour: number
  }
  readonly storagePerGbMonth: number
}

export function classPrices(
  sheet: PriceSheet,
  tableClass: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS' | undefined,
): ClassPrices {
  return (tableClass === 'STANDARD_INFREQUENT_ACCESS' ? sheet.infrequentAccess : undefined) ?? sheet
}
