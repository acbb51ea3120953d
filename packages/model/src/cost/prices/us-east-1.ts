import type { FeaturePrices, PriceSheet, ReservedPrices } from './price-sheet.ts'

const recordedOn = '2026-11-16'

const features: FeaturePrices = {
  backupPerGbMonth: 0.1,
  restorePerGb: 0.15,
  exportPerGb: 0.1,
  importPerGb: 0.15,
  perMillionStreamReads: 0.2,
}

const reserved: readonly ReservedPrices[] = [
  {
    years: 1,
    upfrontPerReadUnit: 0.3,
    upfrontPerWriteUnit: 1.5,
    perReadUnitHour: 0.000025,
    perWriteUnitHour: 0.000128,
  },
  {
    years: 3,
    upfrontPerReadUnit: 0.36,
    upfrontPerWriteUnit: 1.8,
    perReadUnitHour: 0.000016,
    perWriteUnitHour: 0.000081,
  },
]

/** Until November 2024, a write to a global table cost half as much again. */
const replicatedUntil2024 = { perMillionWriteUnits: 1.875, perWriteUnitHour: 0.000975 }

/** N. Virginia. Ohio and Oregon cost the same. */
export const usEast1: readonly PriceSheet[] = [
  {
    region: 'us-east-1',
    effectiveFrom: '2018-11-28',
    onDemand: { perMillionReadUnits: 0.25, perMillionWriteUnits: 1.25 },
    provisioned: { perReadUnitHour: 0.00013, perWriteUnitHour: 0.00065 },
    replicated: replicatedUntil2024,
    storagePerGbMonth: 0.25,
    pointInTimeRecoveryPerGbMonth: 0.2,
    features,
    reserved,
    recordedOn,
  },
  // The table class Standard-IA.
  {
    region: 'us-east-1',
    effectiveFrom: '2021-12-01',
    onDemand: { perMillionReadUnits: 0.25, perMillionWriteUnits: 1.25 },
    provisioned: { perReadUnitHour: 0.00013, perWriteUnitHour: 0.00065 },
    replicated: replicatedUntil2024,
    storagePerGbMonth: 0.25,
    pointInTimeRecoveryPerGbMonth: 0.2,
    infrequentAccess: {
      onDemand: { perMillionReadUnits: 0.31, perMillionWriteUnits: 1.56 },
      provisioned: { perReadUnitHour: 0.00016, perWriteUnitHour: 0.00081 },
      storagePerGbMonth: 0.1,
    },
    features,
    reserved,
    recordedOn,
  },
  // On-demand throughput at half its price, and writes to global tables at the price of others.
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
    features,
    reserved,
    recordedOn,
  },
]
