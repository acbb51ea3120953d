import { describe, expect, test } from 'vitest'
import { isPriceList, readPriceList } from './read-price-list.ts'

type Usages = Readonly<Record<string, readonly string[]>>

/** In the form of AWS's files; a product for each usage type. */
function priceList(usages: Usages, regionCode = 'eu-south-1', reserved: object = {}): unknown {
  const entries = Object.entries(usages)
  return {
    formatVersion: 'v1.0',
    offerCode: 'AmazonDynamoDB',
    products: Object.fromEntries(
      entries.map(([usagetype]) => [usagetype, { sku: usagetype, attributes: { usagetype, regionCode } }]),
    ),
    terms: {
      Reserved: reserved,
      OnDemand: Object.fromEntries(
        entries.map(([sku, prices]) => {
          const dimensions = prices.map((USD, index) => [`${sku}.${index}`, { pricePerUnit: { USD } }])
          return [
            sku,
            {
              [`${sku}.T`]: {
                effectiveDate: '2026-03-01T00:00:00Z',
                priceDimensions: Object.fromEntries(dimensions),
              },
            },
          ]
        }),
      ),
    },
  }
}

const usages = {
  'EUS1-ReadRequestUnits': ['0.0000001485'],
  'EUS1-WriteRequestUnits': ['0.0000007420'],
  'EUS1-ReplWriteRequestUnits': ['0.0000007430'],
  'EUS1-ReplWriteCapacityUnit-Hrs': ['0.0000000000', '0.0007730000'],
  'EUS1-ReadCapacityUnit-Hrs': ['0.0000000000', '0.0001540000'],
  'EUS1-WriteCapacityUnit-Hrs': ['0.0000000000', '0.0007720000'],
  'EUS1-TimedStorage-ByteHrs': ['0.0000000000', '0.2970000000'],
  'EUS1-TimedPITRStorage-ByteHrs': ['0.2380000000'],
  'EUS1-IA-ReadRequestUnits': ['0.0000001860'],
  'EUS1-IA-WriteRequestUnits': ['0.0000009280'],
  'EUS1-IA-ReadCapacityUnit-Hrs': ['0.0001920000'],
  'EUS1-IA-WriteCapacityUnit-Hrs': ['0.0009650000'],
  'EUS1-IA-TimedStorage-ByteHrs': ['0.1190000000'],
}

const features = {
  'EUS1-TimedBackupStorage-ByteHrs': ['0.1190000000'],
  'EUS1-RestoreDataSize-Bytes': ['0.1780000000'],
  'EUS1-ExportDataSize-Bytes': ['0.1190000000'],
  'EUS1-IncrementalExportDataSize-Bytes': ['0.9990000000'],
  'EUS1-ImportDataSize-Bytes': ['0.1780000000'],
  'EUS1-Streams-Requests': ['0.0000000000', '0.0000002380'],
}

/** A year of a unit: what is paid at once, and what for an hour. */
const reservation = (unit: string, upfront: string, hour: string): object => ({
  term: {
    termAttributes: { LeaseContractLength: '1yr', PurchaseOption: 'Heavy Utilization' },
    priceDimensions: {
      once: { unit: 'Quantity', pricePerUnit: { USD: upfront } },
      hourly: { unit, pricePerUnit: { USD: hour } },
    },
  },
})

describe("AWS's own price list", () => {
  test('gives the prices of a region: those after the free ones', () => {
    const list = priceList(usages)
    if (!isPriceList(list)) throw new Error('it is not recognised')
    expect(readPriceList(list, undefined)).toEqual({
      region: 'eu-south-1',
      effectiveFrom: '2026-03-01',
      onDemand: { perMillionReadUnits: 0.1485, perMillionWriteUnits: 0.742 },
      provisioned: { perReadUnitHour: 0.000154, perWriteUnitHour: 0.000772 },
      replicated: { perMillionWriteUnits: 0.743, perWriteUnitHour: 0.000773 },
      storagePerGbMonth: 0.297,
      pointInTimeRecoveryPerGbMonth: 0.238,
      infrequentAccess: {
        onDemand: { perMillionReadUnits: 0.186, perMillionWriteUnits: 0.928 },
        provisioned: { perReadUnitHour: 0.000192, perWriteUnitHour: 0.000965 },
        storagePerGbMonth: 0.119,
      },
    })
    expect(() => readPriceList(list, 'mars-north-1')).toThrow('one region: eu-south-1. Name one of them')
  })

  test('gives those of backups, exports, streams and reserved capacity where it has them', () => {
    const list = priceList({ ...usages, ...features }, 'eu-south-1', {
      'EUS1-ReadCapacityUnit-Hrs': reservation('ReadCapacityUnit-Hrs', '0.3560000000', '0.0000310000'),
      'EUS1-WriteCapacityUnit-Hrs': reservation('WriteCapacityUnit-Hrs', '1.7800000000', '0.0001530000'),
    })
    if (!isPriceList(list)) throw new Error('it is not recognised')
    const sheet = readPriceList(list, undefined)
    expect(sheet.features).toEqual({
      backupPerGbMonth: 0.119,
      restorePerGb: 0.178,
      exportPerGb: 0.119,
      importPerGb: 0.178,
      perMillionStreamReads: 0.238,
    })
    expect(sheet.reserved).toEqual([
      {
        years: 1,
        upfrontPerReadUnit: 0.356,
        upfrontPerWriteUnit: 1.78,
        perReadUnitHour: 0.000031,
        perWriteUnitHour: 0.000153,
      },
    ])
  })

  test('without the prefix of a region is that of us-east-1', () => {
    const plain = Object.fromEntries(Object.entries(usages).map(([name, prices]) => [name.slice(5), prices]))
    const list = priceList(plain, 'us-east-1')
    if (!isPriceList(list)) throw new Error('it is not recognised')
    expect(readPriceList(list, 'us-east-1').infrequentAccess?.storagePerGbMonth).toBe(0.119)
  })

  test('that lacks a price says which', () => {
    const { 'EUS1-WriteRequestUnits': _, ...rest } = usages
    const list = priceList(rest)
    if (!isPriceList(list)) throw new Error('it is not recognised')
    expect(() => readPriceList(list, undefined)).toThrow('onDemand.perMillionWriteUnits must be a price')
  })

  test.each([null, [], {}, { offerCode: 'AmazonS3', products: {}, terms: {} }])('is not %j', (document) => {
    expect(isPriceList(document)).toBe(false)
  })
})
