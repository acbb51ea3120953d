import { ModelError } from '../../errors.ts'
import type { PriceSheet } from './price-sheet.ts'
import { readPriceSheet } from './read-price-sheet.ts'

/** The part of AWS's price list of a service that is read here:
 *  https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonDynamoDB/current/eu-south-1/index.json, or of all
 *  regions without the region. */
interface PriceList {
  readonly products: Readonly<Record<string, { readonly attributes?: Readonly<Record<string, string>> }>>
  readonly terms: { readonly OnDemand?: Readonly<Record<string, Readonly<Record<string, Term>>>> }
}

interface Term {
  readonly effectiveDate?: string
  readonly priceDimensions?: Readonly<Record<string, { readonly pricePerUnit?: { readonly USD?: string } }>>
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
    storagePerGbMonth: prices.get(`${prefix}TimedStorage-ByteHrs`),
  })
  return readPriceSheet({
    region: wanted,
    effectiveFrom: effectiveFrom(list, wanted),
    ...classOf(''),
    pointInTimeRecoveryPerGbMonth: prices.get('TimedPITRStorage-ByteHrs'),
    ...(prices.has('IA-TimedStorage-ByteHrs') && { infrequentAccess: classOf('IA-') }),
  })
}

/** `EUS1-IA-WriteRequestUnits`: the region, unless it is us-east-1; the table class; and what is paid for. What is written
 *  to a replica has a name of its own, and is not meant here. */
const usage =
  /^(?:(?!IA-)[A-Z0-9]+-)?((?:IA-)?(?:(?:Read|Write)(?:RequestUnits|CapacityUnit-Hrs)|TimedStorage-ByteHrs)|TimedPITRStorage-ByteHrs)$/

/** The first units of some are free; afterwards, they cost what counts here. */
function pricesByUsage(list: PriceList, region: string): ReadonlyMap<string, number> {
  const prices = new Map<string, number>()
  for (const { name, term } of termsOf(list, region)) {
    for (const { pricePerUnit } of Object.values(term.priceDimensions ?? {}))
      prices.set(name, Math.max(prices.get(name) ?? 0, Number(pricePerUnit?.USD ?? 0)))
  }
  return prices
}

/** The day of the latest change. */
function effectiveFrom(list: PriceList, region: string): string {
  const days = termsOf(list, region).map(({ term }) => term.effectiveDate?.slice(0, 10) ?? '')
  return days.toSorted().at(-1) ?? ''
}

function termsOf(
  { products, terms }: PriceList,
  region: string,
): readonly { readonly name: string; readonly term: Term }[] {
  return Object.entries(products).flatMap(([sku, { attributes }]) => {
    const name = usage.exec(attributes?.['usagetype'] ?? '')?.[1]
    if (name === undefined || attributes?.['regionCode'] !== region) return []
    return Object.values(terms.OnDemand?.[sku] ?? {}).map((term) => ({ name, term }))
  })
}

/** Lists have the price of one unit, in ten digits after the point. */
function millions(price: number | undefined): number | undefined {
  return price === undefined ? undefined : Math.round(price * 1e10) / 1e4
}
