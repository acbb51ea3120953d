import { attributeOf, type AttributeValue, type Item } from '@hashrange/core'
import type { KeySchema } from '../definitions/table-definition.ts'
import type { Side } from '../partitions/partition-limits.ts'
import type { PartitionModel } from '../partitions/partition-model.ts'
import type { Exhaustion } from '../partitions/throughput.ts'
import type { Scope } from '../scope.ts'
import type { Key } from '../store/store.ts'
import { HeavyHitters } from './heavy-hitters.ts'
import { LatencyHistogram } from './latency-histogram.ts'
import { MeterRow, type PartitionUse } from './meter-row.ts'
import { keyRankings, keysKept, rankedKeys, type RankedKeys } from './ranked-keys.ts'
import { settingMetrics, type MetricName, type Settings } from './metric-names.ts'
import type { HeatTotals, KeyRanking } from './metrics.ts'
import { secondFields, SecondsRing } from './seconds-ring.ts'
import { textOfValues } from './text-of-values.ts'
import type { Tally } from './tally.ts'

/** What is metered: a table, one of its global indexes, or, without a table name, an account in a region. */
export interface ResourceName {
  readonly scope: Scope
  readonly tableName: string | undefined
  readonly indexName: string | undefined
}

/** The key that was used: an item, or the values of a partition key in order; a Scan has none. */
export type KeyOwner = Owner | undefined

type Owner = Item | UnreadItem | readonly AttributeValue[]

/** An item that is only read if its key is needed: most requests are not ranked. */
export abstract class UnreadItem {
  abstract read(): Item
}

/** What other servers have counted recently. */
export interface HeatElsewhere extends HeatTotals {
  readonly keys: RankedKeys
}

/** A completed minute. */
export interface ClosedRow {
  readonly minute: number
  readonly row: MeterRow
}

const keysTracked = 128

/** Counts what one table or index is used for, in memory that does not grow with traffic. */
export class ResourceMeter {
  readonly name: ResourceName
  readonly seconds = new SecondsRing()
  /** Set once the keys, partitions and limits are known; accounts have none. */
  model: PartitionModel | undefined
  /** Whose partitions these are. */
  modelId: number | undefined
  keySchema: KeySchema = { hash: [], range: [] }
  ranksItems = false
  #settings: Settings = {}
  lastUsedMs = 0
  /** How hot it is on other servers of the same store, as far as they have reported. */
  elsewhere: HeatElsewhere | undefined
  /** Minutes that are completed and not yet stored. */
  readonly closed: ClosedRow[] = []
  readonly #totals = new MeterRow()
  readonly #keys: { [ranking in KeyRanking]?: HeavyHitters } = {}
  readonly #items: { [ranking in KeyRanking]?: HeavyHitters } = {}
  #lastKeys: RankedKeys = {}
  #minute = Number.NEGATIVE_INFINITY
  #row = new MeterRow()
  #consumedRead = this.#row.tally('ConsumedReadCapacityUnits')
  #consumedWrite = this.#row.tally('ConsumedWriteCapacityUnits')
  #latencies: (LatencyHistogram | undefined)[] = []
  #wouldRead: Tally | undefined
  #wouldWrite: Tally | undefined
  #requestsInSecond = 0

  constructor(name: ResourceName) {
    this.name = name
  }

  /** What is provisioned and allowed: one sample for every minute with traffic, and for each change. */
  set(settings: Settings, nowMs: number): void {
    const isSame = settingMetrics.every((name) => this.#settings[name] === settings[name])
    this.#settings = settings
    if (isSame) return
    const before = this.#minute
    this.#advance(Math.floor(nowMs / 1000))
    if (this.#minute === before) this.#sampleSettings()
  }

  #sampleSettings(): void {
    for (const name of settingMetrics) {
      const value = this.#settings[name]
      if (value !== undefined) this.#row.tally(name).add(value)
    }
  }

  /** Counts units that were used at `key`, in a second since 1970. If not all requests are counted, returns how many
   *  requests this one stands for; zero if others stand for it. */
  consumed(side: Side, second: number, key: Key, units: number, owner: KeyOwner): number {
    if (second !== this.seconds.second) this.#advance(second)
    if (side === 'read') {
      this.#consumedRead.add(units)
      this.seconds.add(secondFields.readUnits, units)
    } else {
      this.#consumedWrite.add(units)
      this.seconds.add(secondFields.writeUnits, units)
    }
    const weight = weightOf(this.#requestsInSecond++)
    if (weight > 0 && owner !== undefined) {
      this.#rank(side === 'read' ? 'reads' : 'writes', key, units * weight, owner)
    }
    return weight
  }

  /** Counts a throttled request. */
  throttled(side: Side, nowMs: number, key: Key, owner: KeyOwner, exhaustions: readonly Exhaustion[]): void {
    this.#advance(Math.floor(nowMs / 1000))
    const prefix = side === 'read' ? 'Read' : 'Write'
    this.#row.tally(`${prefix}ThrottleEvents`).add(1)
    for (const exhaustion of exhaustions) this.#row.tally(`${prefix}${exhaustion}ThrottleEvents`).add(1)
    this.seconds.add(side === 'read' ? secondFields.readThrottles : secondFields.writeThrottles, 1)
    if (owner !== undefined) this.#rank(side === 'read' ? 'throttledReads' : 'throttledWrites', key, 1, owner)
  }

  /** Counts requests that would have been throttled, right after what they consumed. */
  wouldBeThrottled(
    side: Side,
    key: Key,
    owner: KeyOwner,
    requests: number,
    exhaustions: readonly Exhaustion[],
  ): void {
    if (side === 'read') {
      this.#wouldRead ??= this.#row.tally('ReadWouldBeThrottleEvents')
      this.#wouldRead.addMany(requests, 1)
      this.seconds.add(secondFields.readWouldThrottles, requests)
    } else {
      this.#wouldWrite ??= this.#row.tally('WriteWouldBeThrottleEvents')
      this.#wouldWrite.addMany(requests, 1)
      this.seconds.add(secondFields.writeWouldThrottles, requests)
    }
    const prefix = side === 'read' ? 'Read' : 'Write'
    for (const exhaustion of exhaustions) {
      this.#row.tally(`${prefix}${exhaustion}WouldBeThrottleEvents`).addMany(requests, 1)
    }
    if (owner !== undefined)
      this.#rank(side === 'read' ? 'throttledReads' : 'throttledWrites', key, requests, owner)
  }

  /** The partition key as people read it. */
  keyText(owner: KeyOwner): string | undefined {
    return owner === undefined ? undefined : textOfValues(this.#hashValues(owner))
  }

  /** Adds a sample to a metric of the whole resource. */
  count(name: MetricName, nowMs: number, amount = 1): void {
    this.#advance(Math.floor(nowMs / 1000))
    this.#row.tally(name).add(amount)
  }

  /** Adds a sample to a metric of one operation. */
  countOperation(name: MetricName, operation: number, nowMs: number, amount = 1): void {
    this.#advance(Math.floor(nowMs / 1000))
    this.#row.operationTally(operation, name).add(amount)
  }

  /** Counts a request that was answered, in the minute in which it last used something. If its latency was not
   *  measured, it is counted like the previous one. */
  served(operation: number, latencyMs: number | undefined): void {
    const latency = this.#latencies[operation]
    if (latency === undefined) {
      const added = this.#row.operationTally(operation, 'SuccessfulRequestLatency')
      added.add(latencyMs ?? 0)
      if (added instanceof LatencyHistogram) this.#latencies[operation] = added
    } else if (latencyMs === undefined) latency.repeat()
    else latency.add(latencyMs)
  }

  /** What is counted in the current minute. */
  get open(): ClosedRow {
    return { minute: this.#minute, row: this.#row }
  }

  /** Totals since the process started. */
  totals(): MeterRow {
    const totals = new MeterRow()
    totals.merge(this.#totals)
    totals.merge(this.#row)
    return totals
  }

  /** The keys of the current minute, and of the one before. */
  ranked(ranking: KeyRanking): RankedPair {
    return { current: this.#keys[ranking]?.top(keysKept) ?? [], previous: this.#lastKeys[ranking] ?? [] }
  }

  rankedItems(ranking: KeyRanking): RankedPair['current'] {
    return this.#items[ranking]?.top(keysKept) ?? []
  }

  /** Closes the current minute if it is over, or in any case if it is the last. */
  settle(nowMs: number, final = false): void {
    if (final || Math.floor(nowMs / 60_000) > this.#minute) this.#close()
  }

  /** Whether a minute is open; there is none before the first use. */
  get isOpen(): boolean {
    return this.#minute > 0
  }

  #advance(second: number): void {
    if (second === this.seconds.second) return
    this.#requestsInSecond = 0
    this.seconds.advance(second)
    this.lastUsedMs = second * 1000
    const minute = Math.floor(second / 60)
    if (minute <= this.#minute) return
    this.#close()
    this.#minute = minute
    this.#sampleSettings()
  }

  #close(): void {
    const row = this.#row
    if (!row.isEmpty) {
      row.partitions = this.partitionUse()
      row.keys = rankedKeys((ranking) => this.#keys[ranking]?.top(keysKept) ?? [])
      row.items = rankedKeys((ranking) => this.#items[ranking]?.top(keysKept) ?? [])
      this.closed.push({ minute: this.#minute, row })
      this.#totals.mergeCounts(row)
    }
    this.#lastKeys = row.keys
    for (const ranking of keyRankings) {
      this.#keys[ranking]?.clear()
      this.#items[ranking]?.clear()
    }
    this.#row = new MeterRow()
    this.#consumedRead = this.#row.tally('ConsumedReadCapacityUnits')
    this.#consumedWrite = this.#row.tally('ConsumedWriteCapacityUnits')
    this.#wouldRead = undefined
    this.#wouldWrite = undefined
    this.#latencies = []
  }

  /** What the partitions used in the current minute. */
  partitionUse(): readonly PartitionUse[] {
    const used = (this.model?.partitions ?? []).filter(({ isUsed }) => isUsed)
    return used.flatMap(({ from, to, use }) => {
      const readUnits = use.inMinute(this.#minute, 'read')
      const writeUnits = use.inMinute(this.#minute, 'write')
      const readThrottles = use.inMinute(this.#minute, 'readThrottles')
      const writeThrottles = use.inMinute(this.#minute, 'writeThrottles')
      if (readUnits + writeUnits + readThrottles + writeThrottles === 0) return []
      return [{ from: from.hex, to: to?.hex ?? '', readUnits, writeUnits, readThrottles, writeThrottles }]
    })
  }

  #rank(ranking: KeyRanking, key: Key, amount: number, owner: Owner): void {
    const keys = (this.#keys[ranking] ??= new HeavyHitters(keysTracked))
    keys.add(shortHash(key), amount, owner, this.#hashValues)
    if (!this.ranksItems || Array.isArray(owner)) return
    const items = (this.#items[ranking] ??= new HeavyHitters(keysTracked))
    items.add(fnv1a(key), amount, owner, this.#keyValues)
  }

  readonly #hashValues = (owner: Owner): readonly AttributeValue[] => valuesOf(owner, this.keySchema.hash)

  readonly #keyValues = (owner: Owner): readonly AttributeValue[] =>
    valuesOf(owner, [...this.keySchema.hash, ...this.keySchema.range])
}

interface RankedPair {
  readonly current: ReturnType<HeavyHitters['top']>
  readonly previous: ReturnType<HeavyHitters['top']>
}

/** Above a few hundred requests per second, one in eight is counted and stands for eight; with thousands, one in
 *  thirty-two. The choice follows no fixed rhythm: traffic often has one, and every eighth request may be of the same
 *  kind. */
function weightOf(request: number): number {
  if (request < 256) return 1
  const scattered = Math.imul(request, goldenRatio)
  if (request < 4096) return scattered >>> 29 === 0 ? 8 : 0
  return scattered >>> 27 === 0 ? 32 : 0
}

/** Out of 2^32. Its multiples are spread evenly, whatever the step size. */
const goldenRatio = 0x9e3779b1

function valuesOf(owner: Owner, names: readonly string[]): readonly AttributeValue[] {
  if (isValues(owner)) return owner
  const item = owner instanceof UnreadItem ? owner.read() : owner
  return names.map((name) => attributeOf(item, name) ?? { NULL: true })
}

function isValues(owner: Owner): owner is readonly AttributeValue[] {
  return Array.isArray(owner)
}

/** Four bytes of the partition key's hash, as a number that needs no allocation. */
function shortHash(key: Key): number {
  return ((key[9] ?? 0) << 24) | ((key[10] ?? 0) << 16) | ((key[11] ?? 0) << 8) | (key[12] ?? 0)
}

function fnv1a(key: Key): number {
  let hash = 0x811c9dc5
  for (const byte of key) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash | 0
}
