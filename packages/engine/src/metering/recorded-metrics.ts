import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import type { Scope } from '../scope.ts'
import { constantSeries, constantsOf } from './constant-metrics.ts'
import { datapointOf } from './datapoint.ts'
import { heatOf } from './heat.ts'
import type { KeyCount } from './heavy-hitters.ts'
import { hotKeyOf } from './hot-key.ts'
import { LatencyHistogram } from './latency-histogram.ts'
import { mergePartitions, type MeterRow, type PartitionUse } from './meter-row.ts'
import { mergeKeys } from './ranked-keys.ts'
import type { Meters } from './meters.ts'
import { linkName, regionOfLink, settingMetrics, type Metric, type MetricName } from './metric-names.ts'
import type { MetricStore, StoredPeriod } from './metric-store.ts'
import { keyRangePeriod } from './key-ranges.ts'
import type {
  Consumption,
  ConsumptionResolution,
  Datapoint,
  Heat,
  HotKey,
  KeyRangePeriod,
  KeyRangesRequest,
  Metrics,
  TopKeysRequest,
  Total,
} from './metrics.ts'
import { addConsumption } from './add-consumption.ts'
import { codeOfOperation, meteredOperations } from './operation-codes.ts'
import { coarsest, stretchesOf } from './resolutions.ts'
import type { ResourceMeter, ResourceName } from './resource-meter.ts'
import { secondFields, secondsKept } from './seconds-ring.ts'
import { Tally } from './tally.ts'

const listedMs = 14 * 24 * 60 * 60_000

/** Reads what was counted: from the store, and from memory what is not stored yet. */
export class RecordedMetrics implements Metrics {
  readonly #meters: Meters
  readonly #store: MetricStore
  readonly #catalog: Catalog
  readonly #clock: Clock

  constructor(meters: Meters, store: MetricStore, catalog: Catalog, clock: Clock) {
    this.#meters = meters
    this.#store = store
    this.#catalog = catalog
    this.#clock = clock
  }

  async scopes(): Promise<readonly Scope[]> {
    const stored = await this.#store.inTurn(() => this.#store.names(coarsest))
    const found = new Map<string, Scope>()
    for (const { scope } of [...stored, ...[...this.#meters.all()].map(({ name }) => name)]) {
      found.set(`${scope.accountId} ${scope.region}`, scope)
    }
    return [...found.values()]
  }

  async list(scope: Scope): Promise<readonly Metric[]> {
    const nowMs = this.#clock.now()
    const found = new Map<string, Metric>()
    const add = (metric: Metric): void => {
      found.set(JSON.stringify([metric.name, metric.dimensions]), metric)
    }
    for (const metric of constantsOf(this.#catalog, scope)) add(metric)
    await this.#store.inTurn(async () => {
      for (const name of await this.#store.names(coarsest, scope)) {
        for (const { row } of await this.#store.read(name, coarsest, nowMs - listedMs, nowMs + 1)) {
          for (const metric of metricsIn(name, row)) add(metric)
        }
      }
      for (const meter of this.#meters.all()) {
        if (!sameScope(meter.name.scope, scope)) continue
        for (const { row } of [...meter.closed, meter.open]) {
          for (const metric of metricsIn(meter.name, row)) add(metric)
        }
      }
    })
    return [...found.values()]
  }

  async series(
    scope: Scope,
    metric: Metric,
    fromMs: number,
    toMs: number,
    periodMs: number,
  ): Promise<readonly Datapoint[]> {
    const nowMs = this.#clock.now()
    const { name, dimensions } = metric
    const { TableName: tableName, GlobalSecondaryIndexName, Operation: operationName, ReceivingRegion } = dimensions
    const indexName = ReceivingRegion === undefined ? GlobalSecondaryIndexName : linkName(ReceivingRegion)
    const resource: ResourceName = { scope, tableName, indexName }
    if (periodMs < 60_000) return this.#secondSeries(resource, metric, fromMs, toMs, periodMs)
    const operation = operationName === undefined ? undefined : codeOfOperation(operationName)
    if (operation === -1) return []
    const periods = new Map<number, Tally>()
    for (const { startMs, row } of await this.#periods(resource, fromMs, toMs, periodMs)) {
      const tally = row.find(name, operation)
      if (tally === undefined) continue
      const atMs = Math.floor(startMs / periodMs) * periodMs
      let sum = periods.get(atMs)
      if (sum === undefined) {
        sum = tally instanceof LatencyHistogram ? new LatencyHistogram() : new Tally()
        periods.set(atMs, sum)
      }
      sum.merge(tally)
    }
    const before = isSetting(name) ? await this.#before(resource, name, fromMs) : undefined
    const within = { fromMs, toMs: Math.min(toMs, nowMs + 1), periodMs }
    const filled = constantSeries(this.#catalog, scope, metric, within, { periods, before })
    return [...(filled ?? periods)].toSorted(([a], [b]) => a - b).map(([atMs, tally]) => datapointOf(atMs, tally))
  }

  *totals(): Iterable<Total> {
    for (const meter of this.#meters.all()) {
      for (const { name, operation, tally } of meter.totals().all()) {
        if (isSetting(name)) continue
        yield {
          ...metricOf(meter.name, name, operation),
          scope: meter.name.scope,
          sampleCount: tally.count,
          sum: tally.sum,
          ...(tally instanceof LatencyHistogram && { buckets: latencyBuckets(tally) }),
        }
      }
    }
  }

  heat(scope: Scope, tableName?: string): readonly Heat[] {
    const nowMs = this.#clock.now()
    return [...this.#meters.all()]
      .filter(({ name }) => sameScope(name.scope, scope) && name.tableName !== undefined)
      .filter(({ name }) => tableName === undefined || name.tableName === tableName)
      .flatMap((meter) => heatOf(meter, nowMs) ?? [])
      .toSorted((a, b) => compareNames(a.tableName, b.tableName) || compareNames(a.indexName, b.indexName))
  }

  async topKeys(request: TopKeysRequest): Promise<readonly HotKey[]> {
    const { scope, tableName, indexName, fromMs, toMs, ranking, periodMs, items, limit } = request
    const resource: ResourceName = { scope, tableName, indexName }
    let keys: readonly KeyCount[] = []
    for (const { row } of await this.#periods(resource, fromMs, toMs, periodMs)) {
      keys = mergeKeys(keys, (items === true ? row.items : row.keys)[ranking] ?? [], keysConsidered)
    }
    const meter = this.#meters.find(scope, tableName, indexName)
    if (meter !== undefined && isWithin(meter.open.minute, fromMs, toMs)) {
      const open = items === true ? meter.rankedItems(ranking) : meter.ranked(ranking).current
      keys = mergeKeys(keys, open, keysConsidered)
    }
    return keys.slice(0, limit).map(hotKeyOf)
  }

  async keyRanges(request: KeyRangesRequest): Promise<readonly KeyRangePeriod[]> {
    const { scope, tableName, indexName, fromMs, toMs, periodMs, limit } = request
    const periods = new Map<number, readonly PartitionUse[]>()
    const add = (startMs: number, uses: readonly PartitionUse[]): void => {
      if (uses.length === 0) return
      const atMs = Math.floor(startMs / periodMs) * periodMs
      periods.set(atMs, mergePartitions(periods.get(atMs) ?? [], uses))
    }
    const rows = await this.#periods({ scope, tableName, indexName }, fromMs, toMs, periodMs)
    for (const { startMs, row } of rows) add(startMs, row.partitions)
    const meter = this.#meters.find(scope, tableName, indexName)
    if (meter !== undefined && isWithin(meter.open.minute, fromMs, toMs)) {
      add(meter.open.minute * 60_000, meter.partitionUse())
    }
    return [...periods].toSorted(([a], [b]) => a - b).map(([atMs, uses]) => keyRangePeriod(atMs, uses, limit))
  }

  async consumption(
    scope: Scope,
    tableName: string,
    indexName: string | undefined,
    fromMs: number,
    toMs: number,
    resolution: ConsumptionResolution,
  ): Promise<readonly Consumption[]> {
    const resource: ResourceName = { scope, tableName, indexName }
    if (resolution === 'second') return this.#seconds(resource, fromMs, toMs)
    const periodMs = consumptionPeriodsMs[resolution]
    const periods = new Map<number, Consumption>()
    for (const { startMs, row } of await this.#periods(resource, fromMs, toMs, periodMs)) {
      const atMs = Math.floor(startMs / periodMs) * periodMs
      const sum = (name: Metric['name']): number => row.find(name, undefined)?.sum ?? 0
      const more: Consumption = {
        atMs,
        readUnits: sum('ConsumedReadCapacityUnits'),
        writeUnits: sum('ConsumedWriteCapacityUnits'),
        readThrottles: sum('ReadThrottleEvents'),
        writeThrottles: sum('WriteThrottleEvents'),
        readWouldThrottles: sum('ReadWouldBeThrottleEvents'),
        writeWouldThrottles: sum('WriteWouldBeThrottleEvents'),
      }
      periods.set(atMs, addConsumption(periods.get(atMs), more))
    }
    return [...periods.values()].toSorted((a, b) => a.atMs - b.atMs)
  }

  rankItems(scope: Scope, tableName: string, indexName: string | undefined, on: boolean): void {
    this.#meters.rankItems(scope, tableName, indexName, on)
  }

  /** All rows of a resource between two moments, stored or not, as fine as periods of `periodMs` need. */
  #periods(
    resource: ResourceName,
    fromMs: number,
    toMs: number,
    periodMs?: number,
  ): Promise<readonly StoredPeriod[]> {
    return this.#store.inTurn(async () => {
      const periods: StoredPeriod[] = []
      for (const stretch of stretchesOf(fromMs, toMs, this.#clock.now(), periodMs)) {
        periods.push(...(await this.#store.read(resource, stretch.resolution, stretch.fromMs, stretch.toMs)))
      }
      const meter = this.#meters.find(resource.scope, resource.tableName, resource.indexName)
      if (meter === undefined) return periods
      for (const { minute, row } of [...meter.closed, meter.open]) {
        if (isWithin(minute, fromMs, toMs)) periods.push({ startMs: minute * 60_000, row })
      }
      return periods
    })
  }

  /** The value of a setting before a moment. */
  #before(resource: ResourceName, name: MetricName, beforeMs: number): Promise<number | undefined> {
    return this.#store.inTurn(async () => {
      const meter = this.#meters.find(resource.scope, resource.tableName, resource.indexName)
      const inMemory = [...(meter?.closed ?? []), ...(meter === undefined ? [] : [meter.open])]
        .filter(({ minute }) => (minute + 1) * 60_000 <= beforeMs)
        .map(({ row }) => row.find(name, undefined)?.last)
        .findLast((value) => value !== undefined)
      return inMemory ?? (await this.#store.lastBefore(resource, name, beforeMs))
    })
  }

  #secondSeries(
    resource: ResourceName,
    { name }: Metric,
    fromMs: number,
    toMs: number,
    periodMs: number,
  ): readonly Datapoint[] {
    const field = fieldsOfMetrics[name]
    const meter = this.#meters.find(resource.scope, resource.tableName, resource.indexName)
    if (field === undefined || meter === undefined) return []
    const periods = new Map<number, Tally>()
    for (const second of secondsBetween(meter, fromMs, toMs)) {
      const amount = meter.seconds.at(second, field)
      if (amount === 0) continue
      const atMs = Math.floor((second * 1000) / periodMs) * periodMs
      const tally = periods.get(atMs) ?? new Tally()
      tally.add(amount)
      periods.set(atMs, tally)
    }
    return [...periods].map(([atMs, tally]) => datapointOf(atMs, tally))
  }

  #seconds(resource: ResourceName, fromMs: number, toMs: number): readonly Consumption[] {
    const meter = this.#meters.find(resource.scope, resource.tableName, resource.indexName)
    if (meter === undefined) return []
    return secondsBetween(meter, fromMs, toMs)
      .map((second): Consumption => {
        const at = (field: number): number => meter.seconds.at(second, field)
        return {
          atMs: second * 1000,
          readUnits: at(secondFields.readUnits),
          writeUnits: at(secondFields.writeUnits),
          readThrottles: at(secondFields.readThrottles),
          writeThrottles: at(secondFields.writeThrottles),
          readWouldThrottles: at(secondFields.readWouldThrottles),
          writeWouldThrottles: at(secondFields.writeWouldThrottles),
        }
      })
      .filter(isSome)
  }
}

const keysConsidered = 500

const consumptionPeriodsMs = { minute: 60_000, fiveMinutes: 300_000, hour: 3_600_000 } as const

function isSetting(name: MetricName): boolean {
  return settingMetrics.some((setting) => setting === name)
}

const fieldsOfMetrics: { readonly [name in Metric['name']]?: number } = {
  ConsumedReadCapacityUnits: secondFields.readUnits,
  ConsumedWriteCapacityUnits: secondFields.writeUnits,
  ReadThrottleEvents: secondFields.readThrottles,
  WriteThrottleEvents: secondFields.writeThrottles,
  ReadWouldBeThrottleEvents: secondFields.readWouldThrottles,
  WriteWouldBeThrottleEvents: secondFields.writeWouldThrottles,
}

function isSome(consumption: Consumption): boolean {
  return Object.entries(consumption).some(([name, amount]) => name !== 'atMs' && amount !== 0)
}

function secondsBetween({ seconds }: ResourceMeter, fromMs: number, toMs: number): readonly number[] {
  const from = Math.max(Math.ceil(fromMs / 1000), seconds.second - secondsKept + 1)
  const to = Math.min(Math.ceil(toMs / 1000), seconds.second + 1)
  return Array.from({ length: Math.max(0, to - from) }, (_, position) => from + position)
}

function metricsIn(resource: ResourceName, row: MeterRow): readonly Metric[] {
  return [...row.all()].map(({ name, operation }) => metricOf(resource, name, operation))
}

function metricOf(
  { tableName, indexName }: ResourceName,
  name: Metric['name'],
  operation: number | undefined,
): Metric {
  const toRegion = regionOfLink(indexName)
  return {
    name,
    dimensions: {
      ...(tableName !== undefined && { TableName: tableName }),
      ...(toRegion !== undefined && { ReceivingRegion: toRegion }),
      ...(indexName !== undefined && toRegion === undefined && { GlobalSecondaryIndexName: indexName }),
      ...(operation !== undefined && { Operation: meteredOperations[operation] }),
    },
  }
}

/** Bounds that work well for dashboards, in milliseconds. */
const bucketBoundsMs = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

function latencyBuckets(histogram: LatencyHistogram): NonNullable<Total['buckets']> {
  return [
    ...bucketBoundsMs.map((atMost) => ({ atMost, count: histogram.countUpTo(atMost) })),
    { atMost: Number.POSITIVE_INFINITY, count: histogram.count },
  ]
}

function isWithin(minute: number, fromMs: number, toMs: number): boolean {
  return minute * 60_000 >= Math.floor(fromMs / 60_000) * 60_000 && minute * 60_000 < toMs
}

function sameScope(left: Scope, right: Scope): boolean {
  return left.accountId === right.accountId && left.region === right.region
}

function compareNames(left = '', right = ''): number {
  return left < right ? -1 : left > right ? 1 : 0
}
