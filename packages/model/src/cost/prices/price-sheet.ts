/** What DynamoDB costs in a region from a day on, in US dollars. The prices beside `region` are those of the STANDARD table class. */
export interface PriceSheet extends ClassPrices {
  readonly region: string
  /** `2024-11-01`. */
  readonly effectiveFrom: string
  readonly pointInTimeRecoveryPerGbMonth: number
  /** Of the class STANDARD_INFREQUENT_ACCESS; it costs as the other one where this is not known. */
  readonly infrequentAccess?: ClassPrices
  /** What is paid for besides throughput and storage; absent where it is not known. */
  readonly features?: FeaturePrices
  /** Reserved capacity, shortest term first; absent where it is not known. */
  readonly reserved?: readonly ReservedPrices[]
  /** When the prices were written down here. */
  readonly recordedOn?: string
  /** Only the provisioned rate of the region is known; the others are those of us-east-1 in the same proportion. */
  readonly isDerived?: boolean
  /** The region that these are the prices of, if they are not known for `region`. */
  readonly takenFrom?: string
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
  /** Writes to global tables, in each of their regions. They cost as other writes where this is not known. */
  readonly replicated?: {
    readonly perMillionWriteUnits: number
    readonly perWriteUnitHour: number
  }
  readonly storagePerGbMonth: number
}

export interface FeaturePrices {
  /** On-demand backups that are kept. */
  readonly backupPerGbMonth: number
  readonly restorePerGb: number
  /** Of a full export to S3. */
  readonly exportPerGb: number
  readonly importPerGb: number
  /** Calls of GetRecords on DynamoDB Streams, except those of Lambda and of global tables, which are free. */
  readonly perMillionStreamReads: number
}

/** Provisioned capacity of the class STANDARD that is bought in hundreds, for a term. It is not for global tables' writes. */
export interface ReservedPrices {
  readonly years: 1 | 3
  /** Paid once, for a unit. */
  readonly upfrontPerReadUnit: number
  readonly upfrontPerWriteUnit: number
  readonly perReadUnitHour: number
  readonly perWriteUnitHour: number
}

export function classPrices(
  sheet: PriceSheet,
  tableClass: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS' | undefined,
): ClassPrices {
  return (tableClass === 'STANDARD_INFREQUENT_ACCESS' ? sheet.infrequentAccess : undefined) ?? sheet
}

/** The same class, with writes at the price that they have in global tables. */
export function replicatedPrices(prices: ClassPrices): ClassPrices {
  const { replicated, onDemand, provisioned } = prices
  if (replicated === undefined) return prices
  return {
    ...prices,
    onDemand: { ...onDemand, perMillionWriteUnits: replicated.perMillionWriteUnits },
    provisioned: { ...provisioned, perWriteUnitHour: replicated.perWriteUnitHour },
  }
}
