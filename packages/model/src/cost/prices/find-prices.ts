import { withNeighbours } from './nearby-regions.ts'
import { otherRegions } from './other-regions.ts'
import type { PriceSheet } from './price-sheet.ts'
import { usEast1 } from './us-east-1.ts'

const recorded: readonly (readonly PriceSheet[])[] = [usEast1, ...otherRegions]
const regions: readonly (readonly PriceSheet[])[] = [...recorded, ...withNeighbours(recorded)]

export function knownRegions(): readonly string[] {
  return regions.flatMap(([sheet]) => (sheet === undefined ? [] : [sheet.region]))
}

/** Where AWS publishes the exact prices of a region. */
export function priceListAddress(region: string): string {
  return `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonDynamoDB/current/${region}/index.json`
}

/** The prices of a region that are in force on a day, today unless told; undefined if none are known. Regions whose prices are not
 *  recorded have those of one nearby (`takenFrom`). */
export function findPrices(region: string, date: string = today()): PriceSheet | undefined {
  const sheets = regions.find(([sheet]) => sheet?.region === region) ?? []
  return sheets.findLast(({ effectiveFrom }) => effectiveFrom <= date)
}

/** A later list of the same region, if there is one. */
export function newerPrices({ region, effectiveFrom }: PriceSheet): PriceSheet | undefined {
  const sheets = regions.find(([sheet]) => sheet?.region === region) ?? []
  return sheets.findLast((sheet) => sheet.effectiveFrom > effectiveFrom)
}

const yearMs = 365 * 86_400_000

export interface PriceWarning {
  readonly kind: 'neighbour' | 'ended' | 'old' | 'estimated'
  /** A whole sentence. */
  readonly text: string
}

/** What whoever reads figures made of these prices should know; undefined if nothing. */
export function priceWarning(sheet: PriceSheet, date: string = today()): PriceWarning | undefined {
  const { region, takenFrom } = sheet
  if (takenFrom === undefined) return warningOfRecorded(sheet, date)
  const more = warningOfRecorded({ ...sheet, region: takenFrom }, date)
  const text = `The prices of ${region} are not recorded. Those of ${takenFrom} are used instead.`
  return { kind: 'neighbour', text: more === undefined ? text : `${text} ${more.text}` }
}

function warningOfRecorded(sheet: PriceSheet, date: string): PriceWarning | undefined {
  const newer = newerPrices(sheet)
  if (newer !== undefined && newer.effectiveFrom <= date) {
    return { kind: 'ended', text: `These prices ended on ${newer.effectiveFrom}.` }
  }
  const { recordedOn, isDerived, region } = sheet
  if (recordedOn !== undefined && Date.parse(date) - Date.parse(recordedOn) > yearMs) {
    return { kind: 'old', text: `These prices were recorded on ${recordedOn}, more than a year ago.` }
  }
  if (isDerived !== true) return undefined
  const text = `For ${region}, only the provisioned and reserved rates are recorded; the other prices are estimates, in proportion to us-east-1.`
  return { kind: 'estimated', text }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
