import { ModelError } from '../../errors.ts'
import type { ClassPrices, PriceSheet } from './price-sheet.ts'

/** A price sheet that someone wrote: `{ region, effectiveFrom, onDemand: { perMillionReadUnits, … }, … }`. */
export function readPriceSheet(document: unknown): PriceSheet {
  const sheet = objectAt(document, 'the file')
  const infrequent = sheet['infrequentAccess']
  return {
    region: textAt(sheet, 'region'),
    effectiveFrom: textAt(sheet, 'effectiveFrom'),
    ...classAt(sheet, ''),
    pointInTimeRecoveryPerGbMonth: priceAt(sheet, 'pointInTimeRecoveryPerGbMonth', ''),
    ...(infrequent !== undefined && {
      infrequentAccess: classAt(objectAt(infrequent, 'infrequentAccess'), 'infrequentAccess.'),
    }),
  }
}

function classAt(from: Fields, path: string): ClassPrices {
  const onDemand = objectAt(from['onDemand'], `${path}onDemand`)
  const provisioned = objectAt(from['provisioned'], `${path}provisioned`)
  return {
    onDemand: {
      perMillionReadUnits: priceAt(onDemand, 'perMillionReadUnits', `${path}onDemand.`),
      perMillionWriteUnits: priceAt(onDemand, 'perMillionWriteUnits', `${path}onDemand.`),
    },
    provisioned: {
      perReadUnitHour: priceAt(provisioned, 'perReadUnitHour', `${path}provisioned.`),
      perWriteUnitHour: priceAt(provisioned, 'perWriteUnitHour', `${path}provisioned.`),
    },
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
