/** What DynamoDB costs in a region from a day on, in US dollars, for the STANDARD table class. */
export interface PriceSheet {
  readonly region: string
  /** `2024-11-01`. */
  readonly effectiveFrom: string
  readonly onDemand: {
    readonly perMillionReadUnits: number
    readonly perMillionWriteUnits: number
  }
  readonly provisioned: {
    readonly perReadUnitHour: number
    readonly perWriteUnitHour: number
  }
  readonly storagePerGbMonth: number
  readonly pointInTimeRecoveryPerGbMonth: number
}
