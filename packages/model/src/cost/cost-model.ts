import {
  descriptionOf,
  measureModel,
  type CheckedModel,
  type MeasureOptions,
  type ModelMeasurement,
} from '../check/measure-model.ts'
import type { PatternMeasurement } from '../check/run/pattern-measurement.ts'
import type { ModelDescription, PatternDescription } from '../description.ts'
import type { BreakEven, Charges, ModelCost, PatternCost } from './model-cost.ts'
import type { PriceSheet } from './prices/price-sheet.ts'
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
  const loads = model.patterns.map((pattern) => loadOf(pattern, measured.get(pattern.name)))
  const indexes = new Set(model.tables.flatMap((table) => table.indexes.map(({ name }) => name)))
  const storage = storageCosts(model, measurement, prices)
  const stored = sum(storage.map(({ dollars }) => dollars))
  const onDemand = charges(
    (sum(loads.map((load) => load.reads)) * secondsPerMonth * prices.onDemand.perMillionReadUnits) / 1e6,
    (sum(loads.map((load) => load.writes)) * secondsPerMonth * prices.onDemand.perMillionWriteUnits) / 1e6,
    stored,
  )
  const readUnits = Math.ceil(round(sum(loads.map((load) => load.peakReads)) / targetUtilisation))
  const writeUnits = Math.ceil(round(sum(loads.map((load) => load.peakWrites)) / targetUtilisation))
  const provisioned = charges(
    readUnits * hoursPerMonth * prices.provisioned.perReadUnitHour,
    writeUnits * hoursPerMonth * prices.provisioned.perWriteUnitHour,
    stored,
  )
  return {
    model: model.name,
    region: prices.region,
    pricesFrom: prices.effectiveFrom,
    patterns: loads.map((load) => patternCost(load, indexes, prices, targetUtilisation)),
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
      patternsNotRun: model.patterns
        .filter(({ name }) => measured.get(name)?.failure !== undefined || !measured.has(name))
        .map(({ name }) => name),
      entitiesWithoutVolume: model.entities
        .filter(({ volume }) => volume.items === undefined)
        .map(({ name }) => name),
    },
  }
}

/** Units of a pattern, for a call and a second. */
interface Load {
  readonly pattern: PatternDescription
  readonly measured: PatternMeasurement | undefined
  readonly reads: number
  readonly writes: number
  readonly peakReads: number
  readonly peakWrites: number
}

function loadOf(pattern: PatternDescription, measured: PatternMeasurement | undefined): Load {
  const rate = pattern.traffic.rate ?? 0
  const peak = Math.max(pattern.traffic.peakRate ?? rate, rate)
  const readUnits = measured?.readUnits ?? 0
  const writeUnits = measured?.writeUnits ?? 0
  return {
    pattern,
    measured,
    reads: readUnits * rate,
    writes: writeUnits * rate,
    peakReads: readUnits * peak,
    peakWrites: writeUnits * peak,
  }
}

function patternCost(
  load: Load,
  indexes: ReadonlySet<string>,
  prices: PriceSheet,
  targetUtilisation: number,
): PatternCost {
  const { pattern, measured, reads, writes, peakReads, peakWrites } = load
  const { onDemand, provisioned } = prices
  const inIndexes = (measured?.places ?? []).filter(({ place }) => indexes.has(place))
  return {
    pattern: pattern.name,
    rate: pattern.traffic.rate,
    peakRate: pattern.traffic.peakRate,
    readUnits: measured?.readUnits ?? 0,
    writeUnits: measured?.writeUnits ?? 0,
    indexWriteUnits: sum(inIndexes.map(({ writeUnits }) => writeUnits)),
    onDemand:
      (secondsPerMonth * (reads * onDemand.perMillionReadUnits + writes * onDemand.perMillionWriteUnits)) / 1e6,
    provisioned:
      (hoursPerMonth * (peakReads * provisioned.perReadUnitHour + peakWrites * provisioned.perWriteUnitHour)) /
      targetUtilisation,
  }
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
