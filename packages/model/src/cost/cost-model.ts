import {
  descriptionOf,
  measureModel,
  type CheckedModel,
  type MeasureOptions,
  type ModelMeasurement,
} from '../check/measure-model.ts'
import { wasRun, type PatternMeasurement } from '../check/run/pattern-measurement.ts'
import type { ModelDescription, PatternDescription } from '../description.ts'
import type { BreakEven, Charges, ModelCost, PatternCost } from './model-cost.ts'
import { classPrices, type ClassPrices, type PriceSheet } from './prices/price-sheet.ts'
import { storageCosts } from './storage-costs.ts'

export interface CostOptions extends MeasureOptions {
  readonly prices: PriceSheet
  /** The share of provisioned capacity that auto scaling aims to have used. */
  readonly targetUtilisation?: number | undefined
}

const hoursPerMonth = 730
const secondsPerMonth = hoursPerMonth * 3600
const defaultUtilisation = 0.7

/** What a model costs a month: the units its patterns were measured to take, times the traffic it declares, and what it
 *  stores. */
export async function costModel(subject: CheckedModel, options: CostOptions): Promise<ModelCost> {
  return costOf(descriptionOf(subject), await measureModel(subject, options), options)
}

/** The same, for a model that was measured already. */
export function costOf(
  model: ModelDescription,
  measurement: ModelMeasurement,
  { prices, targetUtilisation = defaultUtilisation }: Pick<CostOptions, 'prices' | 'targetUtilisation'>,
): ModelCost {
  const measured = new Map(measurement.patterns.map((each) => [each.pattern, each]))
  const indexes = new Set(model.tables.flatMap((table) => table.indexes.map(({ name }) => name)))
  const pricesAt = placePrices(model, prices)
  const loads = model.patterns.map((pattern) => loadOf(pattern, measured.get(pattern.name)))
  const storage = storageCosts(model, measurement, prices)
  const stored = sum(storage.map(({ dollars }) => dollars))
  const parts = loads.flatMap((load) => load.parts.map((part) => ({ ...part, prices: pricesAt(part.place) })))
  const onDemand = charges(
    sum(parts.map((part) => (part.reads * secondsPerMonth * part.prices.onDemand.perMillionReadUnits) / 1e6)),
    sum(parts.map((part) => (part.writes * secondsPerMonth * part.prices.onDemand.perMillionWriteUnits) / 1e6)),
    stored,
  )
  const readUnits = Math.ceil(round(sum(parts.map((part) => part.peakReads)) / targetUtilisation))
  const writeUnits = Math.ceil(round(sum(parts.map((part) => part.peakWrites)) / targetUtilisation))
  const provisioned = charges(
    readUnits *
      hoursPerMonth *
      mean(parts, 'peakReads', ({ prices: { provisioned: each } }) => each.perReadUnitHour),
    writeUnits *
      hoursPerMonth *
      mean(parts, 'peakWrites', ({ prices: { provisioned: each } }) => each.perWriteUnitHour),
    stored,
  )
  return {
    model: model.name,
    region: prices.region,
    pricesFrom: prices.effectiveFrom,
    patterns: loads.map((load) => patternCost(load, indexes, pricesAt, targetUtilisation)),
    storage,
    onDemand,
    provisioned: { ...provisioned, readUnits, writeUnits },
    breakEven: breakEven(
      prices,
      targetUtilisation,
      onDemand.total <= provisioned.total ? 'on-demand' : 'provisioned',
    ),
    unknown: {
      patternsWithoutRate: model.patterns
        .filter(({ traffic }) => traffic.rate === undefined)
        .map(({ name }) => name),
      patternsNotRun: model.patterns.filter(({ name }) => !wasRun(measured.get(name))).map(({ name }) => name),
      entitiesWithoutVolume: model.entities
        .filter(({ volume }) => volume.items === undefined)
        .map(({ name }) => name),
    },
  }
}

/** Units a second that a pattern takes in each place. */
interface Load {
  readonly pattern: PatternDescription
  readonly measured: PatternMeasurement | undefined
  readonly parts: readonly LoadPart[]
}

interface LoadPart {
  /** The name of a table or index. */
  readonly place: string
  readonly reads: number
  readonly writes: number
  readonly peakReads: number
  readonly peakWrites: number
}

function loadOf(pattern: PatternDescription, measured: PatternMeasurement | undefined): Load {
  const rate = pattern.traffic.rate ?? 0
  const peak = Math.max(pattern.traffic.peakRate ?? rate, rate)
  const parts = (measured?.places ?? []).map(({ place, readUnits, writeUnits }) => ({
    place,
    reads: readUnits * rate,
    writes: writeUnits * rate,
    peakReads: readUnits * peak,
    peakWrites: writeUnits * peak,
  }))
  return { pattern, measured, parts }
}

/** Indexes cost as their table does, which has a class. */
function placePrices({ tables }: ModelDescription, prices: PriceSheet): (place: string) => ClassPrices {
  const byPlace = new Map(
    tables.flatMap(({ name, indexes, tableClass }) =>
      [name, ...indexes.map((index) => index.name)].map(
        (place) => [place, classPrices(prices, tableClass)] as const,
      ),
    ),
  )
  return (place) => byPlace.get(place) ?? prices
}

function patternCost(
  { pattern, measured, parts }: Load,
  indexes: ReadonlySet<string>,
  pricesAt: (place: string) => ClassPrices,
  targetUtilisation: number,
): PatternCost {
  const inIndexes = (measured?.places ?? []).filter(({ place }) => indexes.has(place))
  let onDemand = 0
  let provisioned = 0
  for (const { place, reads, writes, peakReads, peakWrites } of parts) {
    const prices = pricesAt(place)
    const { perMillionReadUnits, perMillionWriteUnits } = prices.onDemand
    const { perReadUnitHour, perWriteUnitHour } = prices.provisioned
    onDemand += (secondsPerMonth * (reads * perMillionReadUnits + writes * perMillionWriteUnits)) / 1e6
    provisioned +=
      (hoursPerMonth * (peakReads * perReadUnitHour + peakWrites * perWriteUnitHour)) / targetUtilisation
  }
  return {
    pattern: pattern.name,
    rate: pattern.traffic.rate,
    peakRate: pattern.traffic.peakRate,
    readUnits: measured?.readUnits ?? 0,
    writeUnits: measured?.writeUnits ?? 0,
    indexWriteUnits: sum(inIndexes.map(({ writeUnits }) => writeUnits)),
    onDemand,
    provisioned,
    isKnown: wasRun(measured),
  }
}

/** The price of a unit, weighed by how many units are bought at which. */
function mean<P extends LoadPart>(
  parts: readonly P[],
  weight: 'peakReads' | 'peakWrites',
  priceOf: (part: P) => number,
) {
  const all = sum(parts.map((part) => part[weight]))
  return all === 0 ? 0 : sum(parts.map((part) => part[weight] * priceOf(part))) / all
}

function breakEven(prices: PriceSheet, targetUtilisation: number, cheaper: BreakEven['cheaper']): BreakEven {
  const { onDemand, provisioned } = prices
  const readUtilisation = provisioned.perReadUnitHour / ((onDemand.perMillionReadUnits / 1e6) * 3600)
  const writeUtilisation = provisioned.perWriteUnitHour / ((onDemand.perMillionWriteUnits / 1e6) * 3600)
  return {
    readUtilisation,
    writeUtilisation,
    peakToAverage: targetUtilisation / Math.max(readUtilisation, writeUtilisation),
    cheaper,
  }
}

function charges(reads: number, writes: number, storage: number): Charges {
  return { reads, writes, storage, total: reads + writes + storage }
}

function sum(numbers: readonly number[]): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/** So that 70 / 0.7 is 100 units and not 101. */
function round(value: number): number {
  return Number(value.toPrecision(12))
}
