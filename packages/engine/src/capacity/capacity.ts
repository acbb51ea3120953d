import { ServiceError } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'
import type { IndexDefinition } from '../definitions/table-definition.ts'
import type { Clock } from '../clock.ts'
import { meterOf, type Meters, type TableMeters } from '../metering/meters.ts'
import type { KeyOwner, ResourceMeter } from '../metering/resource-meter.ts'
import type { Effect } from '../store/effect.ts'
import type { Key } from '../store/store.ts'
import { Admission, type Hold } from './admission.ts'
import type { Partition } from '../partitions/partition.ts'
import type { Side } from '../partitions/partition-limits.ts'
import { ThrottledError, type ThrottleCause } from './throttled.ts'
import type { Exhaustion } from '../partitions/throughput.ts'
import { writeUnits } from './units.ts'
import { wouldThrottle, type WouldThrottle } from './would-throttle.ts'

/** The effect of a write on one of its table's indexes. */
export interface IndexWrite {
  readonly index: IndexDefinition
  /** The key of the entry that was written or removed. */
  readonly key: Key
  readonly units: number
  readonly owner: KeyOwner
}

export const noIndexWrites: readonly IndexWrite[] = []

/** Meters what requests use, and admits or throttles them. The cost of a request is only known when it is done, so
 *  there are two calls: `admit…` before, which throttles where that is enforced, and `did…` after. Where throttling
 *  is enforced, an admission between them reserves the least that the request can cost; it must be released. */
export class Capacity {
  readonly meters: Meters
  readonly #clock: Clock
  readonly #onWouldThrottle: ((would: WouldThrottle) => void) | undefined

  readonly #isOn: boolean

  constructor(
    meters: Meters,
    clock: Clock,
    onWouldThrottle: ((would: WouldThrottle) => void) | undefined,
    isOn: boolean,
  ) {
    this.meters = meters
    this.#isOn = isOn
    this.#clock = clock
    this.#onWouldThrottle = onWouldThrottle
  }

  /** Throttles a read that the service would throttle. The key of a Scan is where it starts. */
  admitRead(
    table: Table,
    index: IndexDefinition | undefined,
    key: Key,
    owner: KeyOwner,
    leastUnits = 0.5,
  ): Admission | undefined {
    if (!this.#isOn) return undefined
    const meters = this.meters.of(table)
    if (meters.throttling !== 'enforce') return undefined
    this.#assertTakes(table, meters, index, 'read', key, owner)
    return holding(new Admission(), meters, index, 'read', key, leastUnits)
  }

  /** Admits writes that are carried out together or not at all, and that `assertTakes` has checked: they do not block
   *  each other. */
  admitTogether(
    side: Side,
    requests: readonly { readonly table: Table; readonly key: Key }[],
    leastUnits: number,
  ): Admission | undefined {
    let admission: Admission | undefined
    for (const { table, key } of requests) {
      const meters = this.meters.of(table)
      if (meters.throttling !== 'enforce') continue
      admission = holding(admission ?? new Admission(), meters, undefined, side, key, leastUnits)
    }
    return admission
  }

  /** Throttles what the service would throttle, and reserves nothing. */
  assertTakes(table: Table, side: Side, key: Key, owner: KeyOwner): void {
    const meters = this.meters.of(table)
    if (meters.throttling === 'enforce') this.#assertTakes(table, meters, undefined, side, key, owner)
  }

  didRead(table: Table, index: IndexDefinition | undefined, key: Key, units: number, owner: KeyOwner): void {
    if (!this.#isOn) return
    const meters = this.meters.of(table)
    const meter = meterOf(meters, index)
    const { model } = meter
    if (model === undefined) return
    const nowMs = this.#clock.now()
    const second = Math.floor(nowMs / 1000)
    const weight = weightIn(meters, meter.consumed('read', second, key, units, owner))
    if (weight === 0) return
    const partition = model.partitionOf(key)
    partition.use.count('read', units * weight, second)
    if (meters.throttling === 'off') return
    partition.sample(key, units, nowMs)
    if (meters.throttling === 'enforce' || model.admits('read', partition, nowMs)) {
      model.charge('read', partition, units * weight, nowMs)
    } else {
      const exhaustions = model.exhaustions('read', partition, nowMs)
      model.refuse('read', partition, units * weight)
      meter.wouldBeThrottled('read', key, owner, weight, exhaustions)
      partition.use.countThrottle('read', second, weight)
      this.#tell(table, index, 'read', meter, partition, owner, exhaustions, nowMs)
    }
    model.tick(nowMs)
  }

  /** Records that a request was answered, and with how many items if its operation returns any. If the latency was
   *  not measured, it is counted like the previous one. */
  didServe(table: Table, operation: number, latencyMs: number | undefined, returned: number | undefined): void {
    const meter = this.meters.of(table).table
    if (meter.isOpen) meter.served(operation, latencyMs)
    else meter.countOperation('SuccessfulRequestLatency', operation, this.#clock.now(), latencyMs ?? 0)
    if (returned !== undefined) {
      meter.countOperation('ReturnedItemCount', operation, this.#clock.now(), returned)
    }
  }

  /** Throttles a write that the service would throttle for its table. Its indexes are checked once it is known which
   *  of them it changes. */
  admitWrite(table: Table, key: Key, owner: KeyOwner, leastUnits = 1): Admission | undefined {
    if (!this.#isOn) return undefined
    const meters = this.meters.of(table)
    if (meters.throttling !== 'enforce') return undefined
    this.#assertTakes(table, meters, undefined, 'write', key, owner)
    return holding(new Admission(), meters, undefined, 'write', key, leastUnits)
  }

  /** The effect of an admitted write on its table's indexes: it reserves what it does to them. */
  holdingIndexWrites(
    admission: Admission | undefined,
    table: Table,
    writes: readonly IndexWrite[],
  ): Effect | undefined {
    if (admission === undefined || writes.length === 0) return undefined
    const meters = this.meters.of(table)
    const holds = writes.flatMap(({ index, key, units }): readonly Hold[] => {
      const model = meters.indexes.get(index.indexId)?.model
      return model === undefined ? [] : [{ model, partition: model.partitionOf(key), side: 'write', units }]
    })
    return { apply: () => admission.holdAll(holds), undo: () => admission.releaseAll(holds) }
  }

  /** Throttles a write that one of its table's indexes cannot take. It only checks, because decisions may run again,
   *  and gets the time as an argument. */
  assertIndexesTake(table: Table, writes: readonly IndexWrite[], nowMs: number): void {
    if (writes.length === 0) return
    const meters = this.meters.of(table)
    if (meters.throttling !== 'enforce') return
    const causes = writes.flatMap(({ index, key }) => {
      const { model } = meterOf(meters, index)
      if (model === undefined || index.kind === 'local') return []
      const partition = model.partitionOf(key)
      if (model.admits('write', partition, nowMs)) return []
      return [causeOf(table, index, 'write', model.exhaustions('write', partition, nowMs), true)]
    })
    if (causes.length > 0) throw new ThrottledError(causes)
  }

  /** Counts a write that did not happen. If its condition failed, it is charged by the size of the existing item; if
   *  an index throttled it, it is a throttle event of that index. */
  didNotWrite(table: Table, key: Key, owner: KeyOwner, foundBytes: number, error: unknown): void {
    if (!this.#isOn) return
    if (error instanceof ThrottledError) {
      this.#didRefuseWrite(table, key, owner, error)
    } else if (error instanceof ServiceError && error.code === 'ConditionalCheckFailedException') {
      this.didFailCondition(table)
      this.didWrite(table, key, writeUnits(foundBytes), owner, noIndexWrites)
    }
  }

  /** Deleting expired items costs nothing. */
  didExpire(table: Table, items: number): void {
    if (items > 0) this.meters.of(table).table.count('TimeToLiveDeletedItemCount', this.#clock.now(), items)
  }

  /** Counts how long after it was made a change has reached another region. */
  didReplicate({ definition }: Table, toRegion: string, latencyMs: number): void {
    if (!this.#isOn) return
    this.meters.ofLink(definition, toRegion).count('ReplicationLatency', this.#clock.now(), Math.max(0, latencyMs))
  }

  /** Counts what has not reached another region yet. */
  hasToReplicate({ definition }: Table, toRegion: string, pending: number): void {
    if (!this.#isOn) return
    this.meters.ofLink(definition, toRegion).count('PendingReplicationCount', this.#clock.now(), pending)
  }

  didFailCondition(table: Table): void {
    this.meters.of(table).table.count('ConditionalCheckFailedRequests', this.#clock.now())
  }

  #didRefuseWrite(table: Table, key: Key, owner: KeyOwner, { causes }: ThrottledError): void {
    const meters = this.meters.of(table)
    const nowMs = this.#clock.now()
    for (const cause of causes) {
      if (!cause.isBackPressure) continue
      const index = table.definition.globalIndexes.find((one) => indexArn(table, one) === cause.resource)
      if (index === undefined) continue
      const meter = meterOf(meters, index)
      for (const bucket of meter.model?.throughput('write').buckets ?? []) bucket.refuse(1)
      meter.throttled('write', nowMs, key, owner, cause.exhaustions)
    }
  }

  /** `units` are those of the table and its local indexes. */
  didWrite(table: Table, key: Key, units: number, owner: KeyOwner, writes: readonly IndexWrite[]): void {
    if (!this.#isOn) return
    const meters = this.meters.of(table)
    const meter = meters.table
    const { model } = meter
    if (model === undefined) return
    const nowMs = this.#clock.now()
    const second = Math.floor(nowMs / 1000)
    const weight = weightIn(meters, meter.consumed('write', second, key, units, owner))
    for (const write of writes) this.#countIndexWrite(meters, write, nowMs, weight)
    if (weight === 0) return
    const partition = model.partitionOf(key)
    partition.use.count('write', units * weight, second)
    if (meters.throttling === 'off') return
    partition.sample(key, units, nowMs)
    if (meters.throttling === 'measure') {
      const isOpen = model.admits('write', partition, nowMs)
      if (!isOpen) {
        const exhaustions = model.exhaustions('write', partition, nowMs)
        model.refuse('write', partition, units * weight)
        meter.wouldBeThrottled('write', key, owner, weight, exhaustions)
        partition.use.countThrottle('write', second, weight)
        this.#tell(table, undefined, 'write', meter, partition, owner, exhaustions, nowMs)
      }
      const areOpen = writes.length === 0 || this.#indexesTook(table, meters, writes, nowMs, weight)
      // What would have been throttled would not have been charged.
      if (!isOpen || !areOpen) {
        model.tick(nowMs)
        return
      }
    }
    model.charge('write', partition, units * weight, nowMs)
    for (const write of writes) chargeIndexWrite(meters, write, nowMs, weight)
    model.tick(nowMs)
  }

  #countIndexWrite(
    meters: TableMeters,
    { index, key, units, owner }: IndexWrite,
    nowMs: number,
    weight: number,
  ): void {
    const meter = meters.indexes.get(index.indexId)
    const model = meter?.model
    if (meter === undefined || model === undefined) return
    const second = Math.floor(nowMs / 1000)
    meter.consumed('write', second, key, units, owner)
    if (weight === 0) return
    const partition = model.partitionOf(key)
    partition.use.count('write', units * weight, second)
    partition.sample(key, units, nowMs)
  }

  #indexesTook(
    table: Table,
    meters: TableMeters,
    writes: readonly IndexWrite[],
    nowMs: number,
    weight: number,
  ): boolean {
    let took = true
    for (const { index, key, units, owner } of writes) {
      const meter = meters.indexes.get(index.indexId)
      const model = meter?.model
      if (meter === undefined || model === undefined) continue
      const partition = model.partitionOf(key)
      if (model.admits('write', partition, nowMs)) continue
      took = false
      const exhaustions = model.exhaustions('write', partition, nowMs)
      model.refuse('write', partition, units * weight)
      meter.wouldBeThrottled('write', key, owner, weight, exhaustions)
      partition.use.countThrottle('write', Math.floor(nowMs / 1000), weight)
      this.#tell(table, index, 'write', meter, partition, owner, exhaustions, nowMs)
    }
    return took
  }

  #assertTakes(
    table: Table,
    meters: TableMeters,
    index: IndexDefinition | undefined,
    side: Side,
    key: Key,
    owner: KeyOwner,
  ): void {
    const meter = meterOf(meters, index)
    const { model } = meter
    if (model === undefined) return
    const nowMs = this.#clock.now()
    const partition = model.partitionOf(key)
    if (model.admits(side, partition, nowMs)) return
    const exhaustions = model.exhaustions(side, partition, nowMs)
    model.refuse(side, partition, 1)
    meter.throttled(side, nowMs, key, owner, exhaustions)
    partition.use.countThrottle(side, Math.floor(nowMs / 1000), 1)
    model.tick(nowMs)
    throw new ThrottledError([causeOf(table, index, side, exhaustions, false)])
  }

  /** Reports requests that would have been throttled, once for each reason. */
  #tell(
    table: Table,
    index: IndexDefinition | undefined,
    side: Side,
    meter: ResourceMeter,
    partition: Partition,
    owner: KeyOwner,
    exhaustions: readonly Exhaustion[],
    nowMs: number,
  ): void {
    const { model } = meter
    if (this.#onWouldThrottle === undefined || model === undefined || !partition.isToldNow(nowMs)) return
    const cause = causeOf(table, index, side, exhaustions, index?.kind === 'global' && side === 'write')
    for (const exhaustion of exhaustions) {
      if (!model.tells(side, exhaustion, partition)) continue
      this.#onWouldThrottle(wouldThrottle(table, index, cause, exhaustion, partition, meter.keyText(owner)))
    }
  }
}

function holding(
  admission: Admission,
  meters: TableMeters,
  index: IndexDefinition | undefined,
  side: Side,
  key: Key,
  units: number,
): Admission {
  const { model } = meterOf(meters, index)
  if (model !== undefined) admission.hold({ model, partition: model.partitionOf(key), side, units })
  return admission
}

/** Where the model admits requests, every request counts. */
function weightIn({ throttling }: TableMeters, weight: number): number {
  return throttling === 'enforce' ? 1 : weight
}

function chargeIndexWrite(
  meters: TableMeters,
  { index, key, units }: IndexWrite,
  nowMs: number,
  weight: number,
): void {
  const model = meters.indexes.get(index.indexId)?.model
  if (model === undefined) return
  model.charge('write', model.partitionOf(key), units * weight, nowMs)
  model.tick(nowMs)
}

function causeOf(
  table: Table,
  index: IndexDefinition | undefined,
  side: Side,
  exhaustions: ThrottleCause['exhaustions'],
  isBackPressure: boolean,
): ThrottleCause {
  const isIndex = index?.kind === 'global'
  return {
    resource: isIndex ? indexArn(table, index) : table.arn,
    isIndex,
    side,
    mode: table.definition.billing.mode,
    exhaustions,
    isBackPressure,
  }
}

function indexArn(table: Table, { indexName }: IndexDefinition): string {
  return `${table.arn}/index/${indexName}`
}
