import type { Charges } from '../model-cost.ts'
import type { ClassPrices, PriceSheet } from '../prices/price-sheet.ts'
import { classPrices } from '../prices/price-sheet.ts'
import { adviceFor, adviceForAll, lateShareOf } from './advice.ts'
import type {
  Demand,
  RecordedCost,
  RecordedPlaceCost,
  RecordedTableCost,
  WaysToPay,
  WayToPay,
} from './recorded-cost.ts'
import type { RecordedPlace, RecordedTable, RecordedTraffic, TableClass } from './recorded-traffic.ts'
import { simulateAutoScaling } from './simulate-auto-scaling.ts'

export interface RecordedCostOptions {
  readonly prices: PriceSheet
  /** The share of provisioned capacity that is meant to be used. */
  readonly targetUtilisation?: number | undefined
}

const hoursPerMonth = 730
const minutesPerMonth = hoursPerMonth * 60
const defaultUtilisation = 0.7
/** Added to every item and index entry when storage is billed. */
const overheadBytes = 100
const gigabyte = 1024 ** 3
/** What a table or index may be given unless the quota was raised. */
const maxUnits = 40_000

/** What the recorded traffic would cost a month, if it went on as it was. */
export function costRecorded(
  traffic: RecordedTraffic,
  { prices, targetUtilisation = defaultUtilisation }: RecordedCostOptions,
): RecordedCost {
  const [used, unused] = [traffic.tables.filter(isUsed), traffic.tables.filter((table) => !isUsed(table))]
  const tables = used
    .map((table) => tableCost(table, traffic.minutes, prices, targetUtilisation))
    .toSorted((a, b) => b.total.onDemand.total - a.total.onDemand.total)
  return {
    region: prices.region,
    pricesOf: prices.takenFrom ?? prices.region,
    pricesFrom: prices.effectiveFrom,
    ...(prices.isDerived === true && { isEstimated: true }),
    fromMs: traffic.fromMs,
    minutes: traffic.minutes,
    targetUtilisation,
    tables,
    total: sumOfWays(tables.map(({ total }) => total)),
    unusedTables: unused.map(({ tableName }) => tableName),
    advice: adviceForAll(tables),
  }
}

function isUsed({ places }: RecordedTable): boolean {
  return places.some(({ readUnits, writeUnits }) => sum(readUnits) + sum(writeUnits) > 0)
}

function tableCost(
  table: RecordedTable,
  minutes: number,
  prices: PriceSheet,
  targetUtilisation: number,
): RecordedTableCost {
  const { tableName, accountId, region, billingMode, tableClass = 'STANDARD' } = table
  const costIn = (tableClass: TableClass): ClassCost => {
    const own = classPrices(prices, tableClass)
    const places = table.places.map((place) => placeCost(place, minutes, own, targetUtilisation))
    const total = sumOfWays(places)
    return { places, total, cheapest: cheapestOf(total, places) }
  }
  const other = tableClass === 'STANDARD' ? 'STANDARD_INFREQUENT_ACCESS' : 'STANDARD'
  const { total, cheapest } = costIn(other)
  const cost = {
    tableName,
    accountId,
    region,
    billingMode,
    tableClass,
    ...costIn(tableClass),
    ...(prices.infrequentAccess !== undefined && { inOtherClass: total[cheapest].total }),
  }
  return { ...cost, advice: adviceFor(cost) }
}

type ClassCost = Pick<RecordedTableCost, 'places' | 'total' | 'cheapest'>

function placeCost(
  place: RecordedPlace,
  minutes: number,
  prices: ClassPrices,
  targetUtilisation: number,
): RecordedPlaceCost {
  const reads = demandOf(place.readUnits, minutes, targetUtilisation)
  const writes = demandOf(place.writeUnits, minutes, targetUtilisation)
  const storage = ((place.bytes + place.items * overheadBytes) / gigabyte) * prices.storagePerGbMonth
  const perMonth = (perSecond: number): number => perSecond * 60 * minutesPerMonth
  const provisionedFor = (readUnits: number, writeUnits: number): Charges =>
    charges(
      readUnits * hoursPerMonth * prices.provisioned.perReadUnitHour,
      writeUnits * hoursPerMonth * prices.provisioned.perWriteUnitHour,
      storage,
    )
  return {
    ...(place.indexName !== undefined && { indexName: place.indexName }),
    bytes: place.bytes,
    reads,
    writes,
    onDemand: charges(
      (perMonth(reads.average) * prices.onDemand.perMillionReadUnits) / 1e6,
      (perMonth(writes.average) * prices.onDemand.perMillionWriteUnits) / 1e6,
      storage,
    ),
    provisionedAtPeak: provisionedFor(wholeUnits(reads.peak), wholeUnits(writes.peak)),
    provisioned: provisionedFor(
      wholeUnits(reads.peak / targetUtilisation),
      wholeUnits(writes.peak / targetUtilisation),
    ),
    autoScaled: provisionedFor(reads.scaledAverage, writes.scaledAverage),
  }
}

function demandOf(unitsByMinute: readonly number[], minutes: number, targetUtilisation: number): Demand {
  const scaled = simulateAutoScaling(unitsByMinute, { targetUtilisation, minUnits: 1, maxUnits })
  return {
    average: minutes === 0 ? 0 : sum(unitsByMinute) / minutes / 60,
    peak: unitsByMinute.reduce((most, units) => Math.max(most, units), 0) / 60,
    scaledAverage: scaled.averageUnits,
    scaledLeast: scaled.leastUnits,
    scaledMost: scaled.mostUnits,
    scaledThrottledShare: scaled.throttledShare,
  }
}

/** The cheapest way that also carries the busiest minute. The bare peak is there to compare with; and auto scaling that
 *  comes too late for what it is meant to carry is no way to pay for it. */
function cheapestOf(total: WaysToPay, places: readonly RecordedPlaceCost[]): WayToPay {
  const ways: WayToPay[] = ['onDemand', 'provisioned']
  if (lateShareOf(places) < acceptableLateShare) ways.push('autoScaled')
  return ways.reduce((best, way) => (total[way].total < total[best].total ? way : best))
}

const acceptableLateShare = 0.01

function sumOfWays(all: readonly WaysToPay[]): WaysToPay {
  const total = (way: WayToPay): Charges =>
    charges(
      sum(all.map((each) => each[way].reads)),
      sum(all.map((each) => each[way].writes)),
      sum(all.map((each) => each[way].storage)),
    )
  return {
    onDemand: total('onDemand'),
    provisionedAtPeak: total('provisionedAtPeak'),
    provisioned: total('provisioned'),
    autoScaled: total('autoScaled'),
  }
}

function charges(reads: number, writes: number, storage: number): Charges {
  return { reads, writes, storage, total: reads + writes + storage }
}

/** A table or index is provisioned with one unit at least. Rounded first, so that 70 / 0.7 is 100 units and not 101. */
function wholeUnits(units: number): number {
  return Math.max(1, Math.ceil(Number(units.toPrecision(12))))
}

function sum(numbers: readonly number[]): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
