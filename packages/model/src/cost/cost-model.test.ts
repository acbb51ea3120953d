import { open } from 'hashrange'
import { describe, expect, test } from 'vitest'
import { entity, model, s } from '../index.ts'
import { compareCosts } from './compare-costs.ts'
import { costModel } from './cost-model.ts'
import { comparisonText, costText } from './cost-text.ts'
import { findPrices, knownRegions, newerPrices, priceWarning } from './prices/find-prices.ts'
import { readPriceSheet } from './prices/read-price-sheet.ts'

const Account = entity('Account', { accountId: s.ulid(), owner: s.ulid(), note: s.string() })
  .key({ pk: 'ACCOUNT#{accountId}', sk: 'ACCOUNT' })
  .volume({ items: 10_000_000, itemBytes: 400 })

const lean = model({
  name: 'lean',
  entities: { Account },
  patterns: (p) => ({
    account: p.get('Account', { traffic: { rate: 100 } }),
    open: p.put('Account', { traffic: { rate: 10, peakRate: 20 } }),
    forgotten: p.get('Account'),
  }),
})

const IndexedAccount = Account.index('byOwner', { pk: 'OWNER#{owner}', sk: 'ACCOUNT#{accountId}' })

const indexed = model({
  name: 'indexed',
  table: { pointInTimeRecovery: true },
  entities: { Account: IndexedAccount },
  patterns: (p) => ({
    account: p.get('Account', { traffic: { rate: 100 } }),
    open: p.put('Account', { traffic: { rate: 10, peakRate: 20 } }),
    ofOwner: p.query({ on: 'byOwner', pk: 'OWNER#{owner}', limit: 20, traffic: { rate: 4, items: 20 } }),
  }),
})

// The figures are those of this day.
const prices = findPrices('us-east-1', '2018-11-28')
if (prices === undefined) throw new Error('there are no prices')

describe('a month of a model with one entity', () => {
  test('on-demand: units × rate × 2,628,000 seconds', async () => {
    const cost = await costModel(lean, { open, prices })
    // 0.5 RCU × 100/s × 2,628,000 s = 131.4 million units at $0.25.
    expect(cost.onDemand.reads).toBeCloseTo(32.85, 6)
    // 1 WCU × 10/s × 2,628,000 s = 26.28 million units at $1.25.
    expect(cost.onDemand.writes).toBeCloseTo(32.85, 6)
    // 10,000,000 × (400 + 100) bytes = 4.656612873 GB at $0.25.
    expect(cost.onDemand.storage).toBeCloseTo(1.164153, 5)
    expect(cost.onDemand.total).toBeCloseTo(66.864153, 5)
    expect(cost.patterns.map(({ pattern, onDemand }) => [pattern, Number(onDemand.toFixed(6))])).toEqual([
      ['account', 32.85],
      ['open', 32.85],
      ['forgotten', 0],
    ])
    expect(cost.unknown).toEqual({
      patternsWithoutRate: ['forgotten'],
      patternsNotRun: [],
      entitiesWithoutVolume: [],
    })
  })

  test('provisioned: the peak at 70 % utilisation, 730 hours', async () => {
    const { provisioned, breakEven } = await costModel(lean, { open, prices })
    // 50 RCU / 0.7 = 71.4; 20 WCU / 0.7 = 28.6.
    expect(provisioned).toMatchObject({ readUnits: 72, writeUnits: 29 })
    expect(provisioned.reads).toBeCloseTo(72 * 730 * 0.00013, 9)
    expect(provisioned.writes).toBeCloseTo(29 * 730 * 0.00065, 9)
    // $0.00065 an hour against 3,600 × $0.00000125.
    expect(breakEven.writeUtilisation).toBeCloseTo(0.144444, 5)
    expect(breakEven.readUtilisation).toBeCloseTo(0.144444, 5)
    expect(breakEven.peakToAverage).toBeCloseTo(4.846, 2)
    expect(breakEven.cheaper).toBe('provisioned')
  })
})

describe('an index', () => {
  test('is paid for with each write, and stored again', async () => {
    const cost = await costModel(indexed, { open, prices })
    const put = cost.patterns.find(({ pattern }) => pattern === 'open')
    expect(put).toMatchObject({ writeUnits: 2, indexWriteUnits: 1 })
    expect(put?.onDemand).toBeCloseTo(65.7, 6)
    expect(cost.storage.map(({ place, kind, dollars }) => [place, kind, Number(dollars.toFixed(4))])).toEqual([
      ['indexed', 'table', 1.1642],
      ['byOwner', 'index', 1.1642],
      // Of the table alone, at $0.20.
      ['indexed', 'backup', 0.9313],
    ])
  })

  test('a query costs by the declared number of items: 20 × 400 bytes are 2 × 4 KB, half of that when eventual', async () => {
    const cost = await costModel(indexed, { open, prices })
    expect(cost.patterns.find(({ pattern }) => pattern === 'ofOwner')).toMatchObject({
      readUnits: 1,
      writeUnits: 0,
    })
  })
})

test('two models are compared pattern by pattern', async () => {
  const [before, after] = [await costModel(lean, { open, prices }), await costModel(indexed, { open, prices })]
  const comparison = compareCosts(before, after)
  const open2 = comparison.rows.find(({ name }) => name === 'open')
  expect(open2?.onDemand.difference).toBeCloseTo(32.85, 6)
  expect(comparison.rows.find(({ name }) => name === 'ofOwner')?.onDemand).toMatchObject({ before: 0 })
  expect(comparison.total.onDemand.difference).toBeCloseTo(after.onDemand.total - before.onDemand.total, 9)
  const text = comparisonText(comparison)
  expect(text).toContain('lean → indexed')
  expect(text).toMatch(/open +\$32\.85 +\$65\.70 +\+\$32\.85/)
  // What stays the same is left out.
  expect(text).not.toMatch(/^account/m)
})

test('what could not be run is unknown, not free', async () => {
  const [known, after] = [await costModel(lean, { open, prices }), await costModel(lean, { open, prices })]
  const failed = {
    ...after,
    patterns: after.patterns.map((each) =>
      each.pattern === 'open' ? { ...each, onDemand: 0, provisioned: 0, isKnown: false } : each,
    ),
    onDemand: { ...after.onDemand, total: after.onDemand.total - 32.85 },
    provisioned: { ...after.provisioned, total: after.provisioned.total - 20 * (730 / 0.7) * 0.00065 },
  }
  const comparison = compareCosts(known, failed)
  expect(comparison.notCompared).toEqual(['open'])
  expect(comparison.rows.map(({ name }) => name)).not.toContain('open')
  expect(comparison.total.onDemand.difference).toBeCloseTo(0, 6)
  expect(comparison.total.provisioned.difference).toBeCloseTo(0, 6)
  expect(comparisonText(comparison)).toContain(
    'Not compared, because they could not be run in one of the two models',
  )
  expect(costText(failed)).toMatch(/open .*\? +\?$/m)
})

test('a table of the class Standard-IA costs as such', async () => {
  const sheet = findPrices('us-east-1', '2025-01-01')
  if (sheet === undefined) throw new Error('there are no prices')
  const rare = model({
    name: 'lean',
    table: { tableClass: 'STANDARD_INFREQUENT_ACCESS' },
    entities: { Account },
    patterns: (p) => ({ open: p.put('Account', { traffic: { rate: 10 } }) }),
  })
  const cost = await costModel(rare, { open, prices: sheet })
  expect(cost.onDemand.writes).toBeCloseTo(26.28 * 0.78, 6)
  expect(cost.provisioned.writes).toBeCloseTo(15 * 730 * 0.00081, 6)
  expect(cost.onDemand.storage).toBeCloseTo(4.656612873 * 0.1, 6)
})

describe('what is paid besides', () => {
  const now = findPrices('us-east-1', '2025-01-01')
  if (now === undefined) throw new Error('there are no prices')

  test('each other region of a global table is paid for: replicated writes, its indexes and its storage', async () => {
    const patterns = { open: { traffic: { rate: 10, peakRate: 20 } } }
    const inRegions = (regions: readonly string[] | undefined) =>
      model({
        name: 'everywhere',
        table: { ...(regions !== undefined && { global: { regions } }) },
        entities: { Account: IndexedAccount },
        patterns: (p) => ({ open: p.put('Account', patterns.open) }),
      })
    const [alone, global] = [
      await costModel(inRegions(undefined), { open, prices: now }),
      await costModel(inRegions(['us-east-1', 'us-west-2', 'eu-west-1']), { open, prices: now }),
    ]
    // Oregon costs what Virginia does, and replicated writes cost what others do.
    expect(global.others.map(({ name }) => name)).toEqual([
      'replica of everywhere in us-west-2',
      'replica of everywhere in eu-west-1',
    ])
    expect(global.others[0]?.onDemand).toBeCloseTo(alone.onDemand.writes + alone.onDemand.storage, 6)
    expect(global.others[1]?.onDemand).toBeCloseTo(
      (alone.onDemand.writes + alone.onDemand.storage) * (735 / 650),
      6,
    )
    expect(global.onDemand.total).toBeCloseTo(alone.onDemand.total + global.onDemand.others, 6)
    // Until 2024, a write to the table itself cost half as much again, in every region, and one to an index did not.
    const before = await costModel(inRegions(['us-east-1', 'us-west-2']), { open, prices })
    expect(before.onDemand.writes).toBeCloseTo(26.28 * (1.875 + 1.25), 6)
    // If the table is not in the region whose prices are asked for, its first region stands for it.
    const elsewhere = await costModel(inRegions(['eu-west-1', 'eu-west-2']), { open, prices: now })
    expect(elsewhere.others.map(({ name }) => name)).toEqual(['replica of everywhere in eu-west-2'])
  })

  test('backups, exports and reads of streams that are asked for', async () => {
    const extras = { backups: 4, exports: 30, streamReads: 2 }
    const cost = await costModel(lean, { open, prices: now, extras })
    const { others, onDemand, storage } = cost
    const table = (storage[0]?.bytes ?? 0) / 1024 ** 3
    expect(others).toEqual([
      { name: '4 backups kept', onDemand: table * 0.1 * 4, provisioned: table * 0.1 * 4 },
      { name: '30 exports to S3', onDemand: table * 0.1 * 30, provisioned: table * 0.1 * 30 },
      { name: 'reading streams', onDemand: 1.0512, provisioned: 1.0512 },
    ])
    expect(onDemand.others).toBeCloseTo(table * 0.1 * 34 + 5.256 * 0.2, 6)
    expect(costText(cost)).toMatch(/^4 backups kept +\$1\.86/m)
  })

  test('reserved capacity, in hundreds, where it saves something', async () => {
    const busy = model({
      name: 'busy',
      entities: { Account },
      patterns: (p) => ({ open: p.put('Account', { traffic: { rate: 112, peakRate: 112 } }) }),
    })
    // 112 / 0.7 = 160 WCU: the second hundred costs 21.84, and 60 units by the hour 28.47.
    const cost = await costModel(busy, { open, prices: now })
    const { reserved, provisioned } = cost
    const oneYear = reserved[0]
    expect(oneYear).toMatchObject({ years: 1, readUnits: 0, writeUnits: 200, upfront: 300 })
    expect(oneYear?.perMonth).toBeCloseTo(provisioned.storage + 300 / 12 + 200 * 730 * 0.000128, 6)
    expect(reserved[1]).toMatchObject({ years: 3, writeUnits: 200, upfront: 360 })
    expect(costText(cost)).toContain(
      'With 200 WCU reserved for 1 year, provisioned costs $44.85 per month, including a share of the $300.00 paid upfront.',
    )
    // 72 RCU are worth a hundred; 29 WCU are not, for a year.
    const [little] = (await costModel(lean, { open, prices: now })).reserved
    expect(little).toMatchObject({ readUnits: 100, writeUnits: 0 })
    const rare = model({
      name: 'rare',
      table: { tableClass: 'STANDARD_INFREQUENT_ACCESS' },
      entities: { Account },
      patterns: (p) => ({ open: p.put('Account', { traffic: { rate: 112 } }) }),
    })
    expect((await costModel(rare, { open, prices: now })).reserved).toEqual([])
  })
})

test('the text names what is not counted', async () => {
  const text = costText(await costModel(lean, { open, prices }))
  expect(text).toMatch(/account +100 +0\.5 RCU +\$32\.85/)
  expect(text).toContain('Not included, because they declare no rate: forgotten.')
  expect(text).toMatch(/total +\$66\.86/)
})

describe('prices', () => {
  test('are those of a day', () => {
    expect(findPrices('us-east-1', '2020-01-01')?.onDemand.perMillionWriteUnits).toBe(1.25)
    expect(findPrices('us-east-1', '2025-01-01')?.onDemand.perMillionWriteUnits).toBe(0.625)
    expect(findPrices('us-east-1', '2010-01-01')).toBeUndefined()
    expect(findPrices('mars-north-1')).toBeUndefined()
    expect(newerPrices(prices)?.effectiveFrom).toBe('2024-11-01')
    expect(knownRegions()).toEqual(expect.arrayContaining(['us-west-2', 'af-south-1', 'ap-east-1', 'me-south-1']))
    // Today's, unless another day is asked for.
    expect(findPrices('us-east-1')?.onDemand.perMillionWriteUnits).toBeLessThanOrEqual(0.625)
  })

  test('come with a warning if they are over, old or derived', () => {
    const sheet = findPrices('us-east-1', '2025-01-01')
    if (sheet === undefined) throw new Error('there are no prices')
    expect(priceWarning(sheet, '2026-12-01')).toBeUndefined()
    expect(priceWarning(sheet, '2030-01-01')?.text).toContain('more than a year ago')
    expect(priceWarning(prices, '2026-12-01')?.text).toBe('These prices ended on 2024-11-01.')
    const ireland = findPrices('eu-west-1', '2025-01-01')
    expect(ireland?.provisioned.perWriteUnitHour).toBeCloseTo(0.000735, 9)
    expect(ireland?.onDemand.perMillionWriteUnits).toBeCloseTo(0.7067, 3)
    expect(ireland && priceWarning(ireland, '2026-12-01')?.kind).toBe('estimated')
  })

  test('that are not recorded are those of a region nearby, with a warning that names it', () => {
    const [milan, frankfurt] = [findPrices('eu-south-1', '2025-01-01'), findPrices('eu-central-1', '2025-01-01')]
    expect(milan).toEqual({ ...frankfurt, region: 'eu-south-1', takenFrom: 'eu-central-1' })
    const those = 'The prices of eu-south-1 are not recorded. Those of eu-central-1 are used instead.'
    const estimated = 'For eu-central-1, only the provisioned and reserved rates are recorded;'
    expect(milan && priceWarning(milan, '2026-12-01')).toEqual({
      kind: 'neighbour',
      text: expect.stringContaining(`${those} ${estimated}`) as string,
    })
    expect(milan && priceWarning(milan, '2030-01-01')?.text).toMatch(
      /^The prices of eu-south-1 are not .* instead\. These prices were recorded on .*, more than a year ago\.$/,
    )
    expect(milan && priceWarning({ ...milan, isDerived: false }, '2026-12-01')?.text).toBe(those)
    // The commercial regions in which AWS has DynamoDB, and each has prices.
    const regions = knownRegions()
    expect(regions).toHaveLength(34)
    expect(new Set(regions).size).toBe(34)
    expect(regions.filter((region) => findPrices(region) === undefined)).toEqual([])
  })

  test('can come from a file, which is checked', () => {
    const { recordedOn: _, ...own } = { ...prices, region: 'mars-north-1' }
    expect(readPriceSheet(JSON.parse(JSON.stringify(own)))).toEqual(own)
    expect(() => readPriceSheet({ ...own, onDemand: { perMillionReadUnits: 'cheap' } })).toThrow(
      'In the price sheet, onDemand.perMillionReadUnits must be a price in dollars, above 0.',
    )
    expect(() => readPriceSheet([])).toThrow('the file must be an object')
  })
})
