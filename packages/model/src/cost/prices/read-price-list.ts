import { ModelError } from '../../errors.ts'
import type { PriceSheet } from './price-sheet.ts'
import { readPriceSheet } from './read-price-sheet.ts'

/** The part of AWS's price list of a service that is read here: that of one region (`priceListAddress`), or of all regions. */
interface PriceList {
  readonly products: Readonly<Record<string, { readonly attributes?: Readonly<Record<string, string>> }>>
  readonly terms: { readonly OnDemand?: TermsBySku; readonly Reserved?: TermsBySku }
}

type TermsBySku = Readonly<Record<string, Readonly<Record<string, Term>>>>

interface Term {
  readonly effectiveDate?: string
  readonly priceDimensions?: Readonly<
    Record<string, { readonly unit?: string; readonly pricePerUnit?: { readonly USD?: string } }>
  >
  readonly termAttributes?: { readonly LeaseContractLength?: string }
}

export function isPriceList(document: unknown): document is PriceList {
  return (
    typeof document === 'object' &&
    document !== null &&
    'offerCode' in document &&
    document.offerCode === 'AmazonDynamoDB' &&
    'products' in document &&
    typeof document.products === 'object' &&
    'terms' in document &&
    typeof document.terms === 'object'
  )
}

/** The prices of one region, exactly as AWS publishes them. A list of a single region needs no name. */
export function readPriceList(list: PriceList, region: string | undefined): PriceSheet {
  const regions = new Set(
    Object.values(list.products).flatMap(({ attributes }) => attributes?.['regionCode'] ?? []),
  )
  const wanted = region ?? (regions.size === 1 ? [...regions][0] : undefined)
  if (wanted === undefined || !regions.has(wanted)) {
    throw new ModelError(
      'INVALID_VALUE',
      `The price list has ${regions.size === 1 ? 'one region' : 'these regions'}: ${[...regions].toSorted().join(', ')}. Name one of them.`,
    )
  }
  const prices = pricesByUsage(list, wanted)
  const classOf = (prefix: string): object => ({
    onDemand: {
      perMillionReadUnits: millions(prices.get(`${prefix}ReadRequestUnits`)),
      perMillionWriteUnits: millions(prices.get(`${prefix}WriteRequestUnits`)),
    },
    provisioned: {
      perReadUnitHour: prices.get(`${prefix}ReadCapacityUnit-Hrs`),
      perWriteUnitHour: prices.get(`${prefix}WriteCapacityUnit-Hrs`),
    },
    ...(prices.has(`${prefix}ReplWriteRequestUnits`) && {
      replicated: {
        perMillionWriteUnits: millions(prices.get(`${prefix}ReplWriteRequestUnits`)),
        perWriteUnitHour: prices.get(`${prefix}ReplWriteCapacityUnit-Hrs`),
      },
    }),
    storagePerGbMonth: prices.get(`${prefix}TimedStorage-ByteHrs`),
  })
  const reserved = reservedPrices(list, wanted)
  return readPriceSheet({
    region: wanted,
    effectiveFrom: effectiveFrom(list, wanted),
    ...classOf(''),
    pointInTimeRecoveryPerGbMonth: prices.get('TimedPITRStorage-ByteHrs'),
    ...(prices.has('IA-TimedStorage-ByteHrs') && { infrequentAccess: classOf('IA-') }),
    ...(featureUsages.every((name) => prices.has(name)) && {
      features: {
        backupPerGbMonth: prices.get('TimedBackupStorage-ByteHrs'),
        restorePerGb: prices.get('RestoreDataSize-Bytes'),
        exportPerGb: prices.get('ExportDataSize-Bytes'),
        importPerGb: prices.get('ImportDataSize-Bytes'),
        perMillionStreamReads: millions(prices.get('Streams-Requests')),
      },
    }),
    ...(reserved.length > 0 && { reserved }),
  })
}

const featureUsages = [
  'TimedBackupStorage-ByteHrs',
  'RestoreDataSize-Bytes',
  'ExportDataSize-Bytes',
  'ImportDataSize-Bytes',
  'Streams-Requests',
] as const

/** `EUS1-IA-WriteRequestUnits`: the region, unless it is us-east-1; the table class; and what is paid for. */
const usage = new RegExp(
  `^(?:(?!IA-)[A-Z0-9]+-)?((?:IA-)?(?:(?:Read|(?:Repl)?Write)(?:RequestUnits|CapacityUnit-Hrs)|TimedStorage-ByteHrs)|TimedPITRStorage-ByteHrs|${featureUsages.join('|')})$`,
)

/** The first units of some are free; afterwards, they cost what counts here. */
function pricesByUsage(list: PriceList, region: string): ReadonlyMap<string, number> {
  const prices = new Map<string, number>()
  for (const { name, term } of termsOf(list, region, list.terms.OnDemand)) {
    for (const { pricePerUnit } of Object.values(term.priceDimensions ?? {}))
      prices.set(name, Math.max(prices.get(name) ?? 0, Number(pricePerUnit?.USD ?? 0)))
  }
  return prices
}

/** The day of the latest change. */
function effectiveFrom(list: PriceList, region: string): string {
  const days = termsOf(list, region, list.terms.OnDemand).map(({ term }) => term.effectiveDate?.slice(0, 10) ?? '')
  return days.toSorted().at(-1) ?? ''
}

/** A term says what is paid at once for a unit (its unit is `Quantity`), and what for an hour of it. */
function reservedPrices(list: PriceList, region: string): readonly object[] {
  const terms = termsOf(list, region, list.terms.Reserved)
  return ([1, 3] as const).flatMap((years) => {
    const of = (name: string, isUpfront: boolean): number | undefined => {
      const term = terms.find(
        (each) => each.name === name && each.term.termAttributes?.LeaseContractLength === `${years}yr`,
      )?.term
      const price = Object.values(term?.priceDimensions ?? {}).find(
        ({ unit }) => (unit === 'Quantity') === isUpfront,
      )
      return price === undefined ? undefined : Number(price.pricePerUnit?.USD)
    }
    const prices = {
      years,
      upfrontPerReadUnit: of('ReadCapacityUnit-Hrs', true),
      upfrontPerWriteUnit: of('WriteCapacityUnit-Hrs', true),
      perReadUnitHour: of('ReadCapacityUnit-Hrs', false),
      perWriteUnitHour: of('WriteCapacityUnit-Hrs', false),
    }
    return Object.values(prices).includes(undefined) ? [] : [prices]
  })
}

function termsOf(
  { products }: PriceList,
  region: string,
  terms: TermsBySku | undefined,
): readonly { readonly name: string; readonly term: Term }[] {
  return Object.entries(products).flatMap(([sku, { attributes }]) => {
    const name = usage.exec(attributes?.['usagetype'] ?? '')?.[1]
    if (name === undefined || attributes?.['regionCode'] !== region) return []
    return Object.values(terms?.[sku] ?? {}).map((term) => ({ name, term }))
  })
}

/** Lists have the price of one unit, in ten digits after the point. */
function millions(price: number | undefined): number | undefined {
  return price === undefined ? undefined : Math.round(price * 1e10) / 1e4
}
