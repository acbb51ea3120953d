import type { PriceSheet } from './price-sheet.ts'

/** N. Virginia. Ohio and Oregon cost the same. */
export const usEast1: readonly PriceSheet[] = [
  {
    region: 'us-east-1',
    effectiveFrom: '2018-11-28',
    onDemand: { perMillionReadUnits: 0.25, perMillionWriteUnits: 1.25 },
    provisioned: { perReadUnitHour: 0.00013, perWriteUnitHour: 0.00065 },
    storagePerGbMonth: 0.25,
    pointInTimeRecoveryPerGbMonth: 0.2,
  },
  // On-demand throughput at half its price.
  {
    region: 'us-east-1',
    effectiveFrom: '2024-11-01',
    onDemand: { perMillionReadUnits: 0.125, perMillionWriteUnits: 0.625 },
    provisioned: { perReadUnitHour: 0.00013, perWriteUnitHour: 0.00065 },
    storagePerGbMonth: 0.25,
    pointInTimeRecoveryPerGbMonth: 0.2,
  },
]
