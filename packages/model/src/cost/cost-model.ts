import {
  descriptionOf,
  measureModel,
  type CheckedModel,
  type MeasureOptions,
  type ModelMeasurement,
} from '../check/measure-model.ts'
import { wasRun, type PatternMeasurement } from '../check/run/pattern-measurement.ts'
import type { ModelDescription, PatternDescription } from '../description.ts'
import type { BreakEven, ModelCharges, ModelCost, PatternCost } from './model-cost.ts'
import { otherCosts, type CostExtras } from './other-costs.ts'
import { classPrices, replicatedPrices, type ClassPrices, type PriceSheet } from './prices/price-sheet.ts'
import { reservedCosts } from './reserved-costs.ts'
import { storageCosts } from './storage-costs.ts'

export interface CostOptions extends MeasureOptions {
  readonly prices: PriceSheet
  /** The share of provisioned capacity that auto scaling aims to have used. */
  readonly targetUtilisation?: number | undefined
  /** What the model does not say of itself. */
  readonly extras?: CostExtras | undefined
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
  {
    prices,
    targetUtilisation = defaultUtilisation,
    extras = {},
  }: Pick<CostOptions, 'prices' | 'targetUtilisation' | 'extras'>,
): ModelCost {
  const measured = new Map(measurement.patterns.map((each) => [each.pattern, each]))
  const indexes = new Set(model.tables.flatMap((table) => table.indexes.map(({ name }) => name)))
  const pricesAt = placePrices(model, prices)
  const loads = model.patterns.map((pattern) => loadOf(pattern, measured.get(pattern.name)))
  const storage = storageCosts(model, measurement, prices)
  const stored = sum(storage.map(({ dollars }) => dollars))
  const parts = loads.flatMap((load) => load.parts.map((part) => ({ ...part, prices: pricesAt(part.place) })))
  const others = otherCosts(
    model,
    storage,
    parts.map(({ place, writes, peakWrites }) => ({
      place,
      writes,
      provisionedWrites: peakWrites / targetUtilisation,
    })),
    prices,
    extras,
  )
  const onDemand = charges(
    sum(parts.map((part) => (part.reads * secondsPerMonth * part.prices.onDemand.perMillionReadUnits) / 1e6)),
    sum(parts.map((part) => (part.writes * secondsPerMonth * part.prices.onDemand.perMillionWriteUnits) / 1e6)),
    stored,
    sum(others.map((each) => each.onDemand)),
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
    sum(others.map((each) => each.provisioned)),
  )
  return {
    model: model.name,
    region: prices.region,
    pricesOf: prices.takenFrom ?? prices.region,
    pricesFrom: prices.effectiveFrom,
    patterns: loads.map((load) => patternCost(load, indexes, pricesAt, targetUtilisation)),
    storage,
    others,
    onDemand,
    provisioned: { ...provisioned, readUnits, writeUnits },
    reserved: reservedCosts(
      {
        readUnits: reservable(model, parts, 'peakReads', targetUtilisation),
        writeUnits: reservable(model, parts, 'peakWrites', targetUtilisation),
        provisioned: provisioned.total,
      },
      prices,
    ),
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

/** Indexes cost as their table does, which has a class. Writes to a global table cost as such, those to its indexes do not. */
function placePrices({ tables }: ModelDescription, prices: PriceSheet): (place: string) => ClassPrices {
  const byPlace = new Map(
    tables.flatMap(({ name, indexes, tableClass, global }) => {
      const own = classPrices(prices, tableClass)
      return [
        [name, global === undefined ? own : replicatedPrices(own)] as const,
        ...indexes.map((index) => [index.name, own] as const),
      ]
    }),
  )
  return (place) => byPlace.get(place) ?? prices
}

/** Units that can be reserved: those of the class STANDARD, without writes to global tables. */
function reservable(
  { tables }: ModelDescription,
  parts: readonly LoadPart[],
  units: 'peakReads' | 'peakWrites',
  targetUtilisation: number,
): number {
  const places = new Set(
    tables
      .filter(({ tableClass }) => tableClass !== 'STANDARD_INFREQUENT_ACCESS')
      .flatMap(({ name, indexes, global }) => [
        ...(global !== undefined && units === 'peakWrites' ? [] : [name]),
        ...indexes.map((index) => index.name),
      ]),
  )
  const used = parts.filter(({ place }) => places.has(place)).map((part) => part[units])
  return Math.ceil(round(sum(used) / targetUtilisation))
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

function charges(reads: number, writes: number, storage: number, others: number): ModelCharges {
  return { reads, writes, storage, others, total: reads + writes + storage + others }
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
