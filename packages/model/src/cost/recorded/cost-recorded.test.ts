import { describe, expect, test } from 'vitest'
import { findPrices } from '../prices/find-prices.ts'
import { costRecorded } from './cost-recorded.ts'
import { recordedText } from './recorded-text.ts'
import type { RecordedPlace, RecordedTable, RecordedTraffic } from './recorded-traffic.ts'
import { simulateAutoScaling } from './simulate-auto-scaling.ts'

// The figures are those of this day.
const prices = findPrices('us-east-1', '2018-11-28')
if (prices === undefined) throw new Error('there are no prices')

const minutes = (length: number, unitsPerSecond: (minute: number) => number): number[] =>
  Array.from({ length }, (_, minute) => unitsPerSecond(minute) * 60)
const idle = minutes(60, () => 0)

const place = (more: Partial<RecordedPlace>): RecordedPlace => ({
  items: 0,
  bytes: 0,
  readUnits: idle,
  writeUnits: idle,
  ...more,
})
const table = (tableName: string, ...places: RecordedPlace[]): RecordedTable => ({
  accountId: '123456789012',
  region: 'us-east-1',
  tableName,
  billingMode: 'PAY_PER_REQUEST',
  places,
})
const hourOf = (...tables: RecordedTable[]): RecordedTraffic => ({
  fromMs: Date.UTC(2026, 10, 15, 12),
  minutes: 60,
  tables,
})

describe('even traffic of 70 RCU and 7 WCU', () => {
  const even = place({ readUnits: minutes(60, () => 70), writeUnits: minutes(60, () => 7) })
  const cost = costRecorded(hourOf(table('orders', even)), { prices })

  test('on demand: units × 2,628,000 seconds', () => {
    // 70 × 2,628,000 = 183.96 million at $0.25; 7 × 2,628,000 = 18.396 million at $1.25.
    expect(cost.total.onDemand.reads).toBeCloseTo(45.99, 9)
    expect(cost.total.onDemand.writes).toBeCloseTo(22.995, 9)
  })

  test('provisioned: the busiest minute, as it is and at 70 %', () => {
    expect(cost.total.provisionedAtPeak.reads).toBeCloseTo(70 * 730 * 0.00013, 9)
    expect(cost.total.provisionedAtPeak.writes).toBeCloseTo(7 * 730 * 0.00065, 9)
    expect(cost.total.provisioned.reads).toBeCloseTo(100 * 730 * 0.00013, 9)
    expect(cost.total.provisioned.writes).toBeCloseTo(10 * 730 * 0.00065, 9)
  })

  test('auto scaling has nothing to do', () => {
    expect(cost.total.autoScaled).toEqual(cost.total.provisioned)
    expect(cost.tables[0]?.cheapest).toBe('provisioned')
    expect(cost.tables[0]?.advice).toBe(
      'orders: provisioned would cost $14.24 per month, on demand costs $68.99. Its traffic is even.',
    )
  })
})

describe('one busy minute in an hour', () => {
  const spiky = place({ writeUnits: minutes(60, (minute) => (minute === 30 ? 600 : 0)) })

  test('is cheapest on demand: provisioned capacity is there all the time', () => {
    const cost = costRecorded(hourOf(table('orders', spiky)), { prices })
    // 600 / 60 = 10 WCU on average: 26.28 million units at $1.25.
    expect(cost.total.onDemand.writes).toBeCloseTo(32.85, 9)
    // 600 / 0.7 = 857.1.
    expect(cost.total.provisioned.writes).toBeCloseTo(858 * 730 * 0.00065, 9)
    expect(cost.tables[0]?.cheapest).toBe('onDemand')
  })

  test('which auto scaling misses, and says so', () => {
    const cost = costRecorded(hourOf(table('orders', spiky)), { prices })
    // One minute above the target is not two: the capacity stays at ceil(10 / 0.7) = 15 units; they and a burst of
    // 300 seconds cover 15 × 360 of 36,000 units.
    expect(cost.tables[0]?.places[0]?.writes).toMatchObject({
      average: 10,
      peak: 600,
      scaledAverage: 15,
      scaledThrottledShare: 1 - (15 * 360) / 36_000,
    })
    expect(cost.tables[0]?.advice).toBe(
      'orders: stay on demand, $32.85 per month. Its busiest minute has 60 times the average traffic. Auto scaling would cost $7.21, but would have reacted too late for 85 % of the units, which would have been throttled.',
    )
  })
})

describe('auto scaling, minute by minute', () => {
  const settings = { targetUtilisation: 0.7, minUnits: 1, maxUnits: 40_000 }

  test('rises after two minutes above the target, and falls after fifteen well below it', () => {
    // Half an hour at 700 units, half an hour at 70.
    const hour = minutes(60, (minute) => (minute < 30 ? 700 : 70))
    const scaled = simulateAutoScaling(hour, settings)
    // At 100 units for the first two minutes of each busy half, 1,000 until fifteen minutes into the quiet half, then 100:
    // one decrease an hour, which the limit allows.
    expect(scaled).toMatchObject({ leastUnits: 100, mostUnits: 1000 })
    expect(scaled.averageUnits).toBeCloseTo((2 * 100 + 43 * 1000 + 15 * 100) / 60, 9)
    // 84,000 units come in the first two minutes; the capacity covers 12,000 of them, fifteen quiet minutes' leftovers fill
    // the burst up to 300 × 100 = 30,000.
    expect(scaled.throttledShare).toBeCloseTo((84_000 - 12_000 - 30_000) / (30 * 42_000 + 30 * 4_200), 9)
  })

  test('falls no more often than the service allows', () => {
    // Quiet for twenty minutes of every half hour: it could fall twice an hour, 48 times a day.
    const halfHours = minutes(60, (minute) => (minute % 30 < 10 ? 700 : 70))
    const limited = simulateAutoScaling(halfHours, settings)
    const unlimited = (2 * 100 + 23 * 1000 + 5 * 100) / 30
    expect(limited.averageUnits).toBeGreaterThan(unlimited)
    // 4 decreases at once, then one an hour.
    expect(limited.averageUnits).toBeLessThan(1000)
  })

  test('stays where it is while nothing at all is asked for', () => {
    const scaled = simulateAutoScaling(
      minutes(60, (minute) => (minute < 30 ? 700 : 0)),
      settings,
    )
    expect(scaled).toMatchObject({ averageUnits: 1000, leastUnits: 1000 })
  })

  test('keeps to its bounds', () => {
    const hour = minutes(60, () => 700)
    expect(simulateAutoScaling(hour, { ...settings, maxUnits: 50 })).toMatchObject({ mostUnits: 50 })
    expect(simulateAutoScaling(idle, { ...settings, minUnits: 5 })).toMatchObject({ averageUnits: 5 })
    expect(simulateAutoScaling([], { ...settings, minUnits: 5 })).toMatchObject({ averageUnits: 5, mostUnits: 5 })
  })
})

describe('a table with an index', () => {
  const base = place({ items: 1_000_000, bytes: 400_000_000, writeUnits: minutes(60, () => 10) })
  const index = place({
    indexName: 'byOwner',
    items: 500_000,
    bytes: 100_000_000,
    writeUnits: minutes(60, () => 5),
  })
  const cost = costRecorded(hourOf(table('orders', base, index), table('empty', place({}))), { prices })

  test('pays for both, and for what both store', () => {
    const [own, ofIndex] = cost.tables[0]?.places ?? []
    expect(own?.onDemand.writes).toBeCloseTo(32.85, 9)
    expect(ofIndex?.onDemand.writes).toBeCloseTo(16.425, 9)
    // 1,000,000 × 100 bytes more than the items have: 500 MB / 1024³ at $0.25.
    expect(own?.onDemand.storage).toBeCloseTo((500_000_000 / 1024 ** 3) * 0.25, 9)
    expect(ofIndex?.onDemand.storage).toBeCloseTo((150_000_000 / 1024 ** 3) * 0.25, 9)
    expect(cost.total.onDemand.total).toBeCloseTo(32.85 + 16.425 + (650_000_000 / 1024 ** 3) * 0.25, 9)
    // Reads are provisioned with one unit at least.
    expect(ofIndex?.provisioned.reads).toBeCloseTo(730 * 0.00013, 9)
  })

  test('is shown place by place', () => {
    const text = recordedText(cost)
    expect(text).toContain('60 minutes of traffic, starting at 2026-11-15T12:00Z')
    expect(text).toMatch(/^orders +0 +10 \/ 10 +381 MB +\$32\.97/m)
    expect(text).toMatch(/^ {2}index byOwner +0 +5 \/ 5/m)
    expect(text).toContain('No traffic, so not included: empty.')
  })
})

describe('the table class Standard-IA', () => {
  const ofToday = findPrices('us-east-1', '2026-11-16')
  if (ofToday === undefined) throw new Error('there are no prices')
  const archive = place({ items: 0, bytes: 1000 * 1024 ** 3, writeUnits: minutes(60, () => 10) })
  const infrequent = { ...table('archive', archive), tableClass: 'STANDARD_INFREQUENT_ACCESS' as const }

  test('is priced as such', () => {
    const { total, tables } = costRecorded(hourOf(infrequent), { prices: ofToday })
    // 10 × 2,628,000 units at $0.78 a million, 1,000 GB at $0.10.
    expect(total.onDemand.writes).toBeCloseTo(26.28 * 0.78, 9)
    expect(total.onDemand.storage).toBeCloseTo(100, 9)
    expect(tables[0]?.advice).not.toContain('table class')
  })

  test('is recommended where storage is most of the cost', () => {
    const { tables } = costRecorded(hourOf(table('archive', archive)), { prices: ofToday })
    expect(tables[0]?.total.onDemand.storage).toBeCloseTo(250, 9)
    expect(tables[0]?.advice).toMatch(/In the table class DynamoDB Standard-IA it would cost \$1\d\d\.\d\d\.$/)
    expect(costRecorded(hourOf(table('archive', archive)), { prices }).tables[0]?.inOtherClass).toBeUndefined()
  })
})

test('estimated prices of a region are marked', () => {
  const derived = findPrices('eu-central-1', '2026-11-16')
  if (derived === undefined) throw new Error('there are no prices')
  expect(costRecorded(hourOf(), { prices: derived }).isEstimated).toBe(true)
  expect(costRecorded(hourOf(), { prices }).isEstimated).toBeUndefined()
})

test('no traffic is said to be none', () => {
  expect(recordedText(costRecorded(hourOf(), { prices }))).toContain('There was no traffic')
})
