import { ModelError } from '../../errors.ts'
import type { ClassPrices, FeaturePrices, PriceSheet, ReservedPrices } from './price-sheet.ts'

/** A price sheet that someone wrote: `{ region, effectiveFrom, onDemand: { perMillionReadUnits, … }, … }`. */
export function readPriceSheet(document: unknown): PriceSheet {
  const sheet = objectAt(document, 'the file')
  const { infrequentAccess: infrequent, features, reserved } = sheet
  return {
    region: textAt(sheet, 'region'),
    effectiveFrom: textAt(sheet, 'effectiveFrom'),
    ...classAt(sheet, ''),
    pointInTimeRecoveryPerGbMonth: priceAt(sheet, 'pointInTimeRecoveryPerGbMonth', ''),
    ...(infrequent !== undefined && {
      infrequentAccess: classAt(objectAt(infrequent, 'infrequentAccess'), 'infrequentAccess.'),
    }),
    ...(features !== undefined && { features: featuresAt(objectAt(features, 'features')) }),
    ...(reserved !== undefined && { reserved: reservedAt(reserved) }),
  }
}

function featuresAt(from: Fields): FeaturePrices {
  const price = (name: keyof FeaturePrices): number => priceAt(from, name, 'features.')
  return {
    backupPerGbMonth: price('backupPerGbMonth'),
    restorePerGb: price('restorePerGb'),
    exportPerGb: price('exportPerGb'),
    importPerGb: price('importPerGb'),
    perMillionStreamReads: price('perMillionStreamReads'),
  }
}

function reservedAt(value: unknown): readonly ReservedPrices[] {
  if (!Array.isArray(value)) throw invalid('reserved must be a list')
  return value.map((each: unknown) => {
    const from = objectAt(each, 'each of reserved')
    const { years } = from
    if (years !== 1 && years !== 3) throw invalid('reserved.years must be 1 or 3')
    const price = (name: keyof ReservedPrices): number => priceAt(from, name, 'reserved.')
    return {
      years,
      upfrontPerReadUnit: price('upfrontPerReadUnit'),
      upfrontPerWriteUnit: price('upfrontPerWriteUnit'),
      perReadUnitHour: price('perReadUnitHour'),
      perWriteUnitHour: price('perWriteUnitHour'),
    }
  })
}

function classAt(from: Fields, path: string): ClassPrices {
  const onDemand = objectAt(from['onDemand'], `${path}onDemand`)
  const provisioned = objectAt(from['provisioned'], `${path}provisioned`)
  const replicated =
    from['replicated'] === undefined ? undefined : objectAt(from['replicated'], `${path}replicated`)
  return {
    onDemand: {
      perMillionReadUnits: priceAt(onDemand, 'perMillionReadUnits', `${path}onDemand.`),
      perMillionWriteUnits: priceAt(onDemand, 'perMillionWriteUnits', `${path}onDemand.`),
    },
    provisioned: {
      perReadUnitHour: priceAt(provisioned, 'perReadUnitHour', `${path}provisioned.`),
      perWriteUnitHour: priceAt(provisioned, 'perWriteUnitHour', `${path}provisioned.`),
    },
    ...(replicated !== undefined && {
      replicated: {
        perMillionWriteUnits: priceAt(replicated, 'perMillionWriteUnits', `${path}replicated.`),
        perWriteUnitHour: priceAt(replicated, 'perWriteUnitHour', `${path}replicated.`),
      },
    }),
    storagePerGbMonth: priceAt(from, 'storagePerGbMonth', path),
  }
}

type Fields = Readonly<Record<string, unknown>>

function objectAt(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw invalid(`${path} must be an object`)
}

function textAt(from: Fields, name: string): string {
  const value = from[name]
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`${name} must be a text`)
}

function priceAt(from: Fields, name: string, path: string): number {
  const value = from[name]
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  throw invalid(`${path}${name} must be a price in dollars, above 0`)
}

function invalid(fault: string): ModelError {
  return new ModelError('INVALID_VALUE', `In the price sheet, ${fault}. See docs/capacity.md for its form.`)
}
