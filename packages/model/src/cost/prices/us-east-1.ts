import type { PriceSheet } from './price-sheet.ts'

const recordedOn = '2026-11-16'

/** N. Virginia. Ohio and Oregon cost the same. */
export const usEast1: readonly PriceSheet[] = [
  {
    region: 'us-east-1',
    effectiveFrom: '2018-11-28',
    onDemand: { perMillionReadUnits: 0.25, perMillionWriteUnits: 1.25 },
    provisioned: { perReadUnitHour: 0.00013, perWriteUnitHour: 0.00065 },
    storagePerGbMonth: 0.25,
    pointInTimeRecoveryPerGbMonth: 0.2,
    recordedOn,
  },
  // The table class Standard-IA.
  {
    region: 'us-east-1',
    effectiveFrom: '2021-12-01',
    onDemand: { perMillionReadUnits: 0.25, perMillionWriteUnits: 1.25 },
    provisioned: { perReadUnitHour: 0.00013, perWriteUnitHour: 0.00065 },
    storagePerGbMonth: 0.25,
    pointInTimeRecoveryPerGbMonth: 0.2,
    infrequentAccess: {
      onDemand: { perMillionReadUnits: 0.31, perMillionWriteUnits: 1.56 },
      provisioned: { perReadUnitHour: 0.00016, perWriteUnitHour: 0.00081 },
      storagePerGbMonth: 0.1,
    },
    recordedOn,
  },
  // On-demand throughput at half its price.
  {
    region: 'us-east-1',
    effectiveFrom: '2024-11-01',
    onDemand: { perMillionReadUnits: 0.125, perMillionWriteUnits: 0.625 },
    provisioned: { perReadUnitHour: 0.00013, perWriteUnitHour: 0.00065 },
    storagePerGbMonth: 0.25,
    pointInTimeRecoveryPerGbMonth: 0.2,
    infrequentAccess: {
      onDemand: { perMillionReadUnits: 0.155, perMillionWriteUnits: 0.78 },
      provisioned: { perReadUnitHour: 0.00016, perWriteUnitHour: 0.00081 },
      storagePerGbMonth: 0.1,
    },
    recordedOn,
  },
]
