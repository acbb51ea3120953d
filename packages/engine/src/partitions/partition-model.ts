import type { Key } from '../store/store.ts'
import { divisionPoint } from './division-point.ts'
import { hashOfKey } from '../layout/hash-of-key.ts'
import type { KeyBoundary } from './key-boundary.ts'
import type { Partition } from './partition.ts'
import {
  partitionLimits,
  partitionsFor,
  partitionUnitsPerSecond,
  provisionedPartitions,
  type Side,
} from './partition-limits.ts'
import { evenPartitions, storedPartitions, withAtLeast, withDivided, withWidthUpTo } from './partition-row.ts'
import { OnDemandThroughput, ProvisionedThroughput, type Exhaustion, type Throughput } from './throughput.ts'

/** The settings of a table or global index. */
export interface CapacitySettings {
  readonly mode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  /** Provisioned units a second. */
  readonly read: number
  readonly write: number
  /** Its warm throughput. */
  readonly warmRead: number
  readonly warmWrite: number
  /** Its on-demand maximum, if one was set. */
  readonly maximumRead: number | undefined
  readonly maximumWrite: number | undefined
  /** Whether the items of one partition key may be in several partitions: they have a sort key, and no local index. */
  readonly divisible: boolean
}

/** The state of a model that is kept across restarts. ON DISK as JSON. */
export interface ModelState {
  /** Where partitions begin, except for the first, in hexadecimal. */
  readonly boundaries: readonly string[]
  /** The previous peak of an on-demand table, or the saved burst capacity of a provisioned one. */
  readonly read: ThroughputState
  readonly write: ThroughputState
  readonly atMs: number
}

interface ThroughputState {
  readonly previousPeak?: number
  readonly saved?: number
}

/** The service's partitions, as far as they are known from outside: ranges of keys with 3,000 read and 1,000 write
 *  units per second each, and a table that as a whole has its provisioned throughput or what it has grown to. Pure:
 *  time is an argument of each call. */
export class PartitionModel {
  #settings: CapacitySettings
  #partitions: readonly Partition[]
  #read: Throughput
  #write: Throughput
  #nextTickMs: number
  #tickDelayMs = 0
  #told = 0

  /** `sinceMs` is when the table was created, unless `state` has a later time: from then on, unused capacity was
   *  saved up. */
  constructor(settings: CapacitySettings, nowMs: number, sinceMs: number, state?: ModelState) {
    this.#settings = settings
    this.#read = throughputOf(settings, 'read', state?.atMs ?? sinceMs, state?.read)
    this.#write = throughputOf(settings, 'write', state?.atMs ?? sinceMs, state?.write)
    this.#partitions =
      state === undefined
        ? evenPartitions(initialPartitions(settings), nowMs)
        : storedPartitions(state.boundaries, nowMs)
    this.#nextTickMs = nextMinuteMs(nowMs)
    this.#keepUp(nowMs)
  }

  get partitions(): readonly Partition[] {
    return this.#partitions
  }

  state(nowMs: number): ModelState {
    return {
      boundaries: this.#partitions.slice(1).map(({ from }) => from.hex),
      read: stateOf(this.#read, nowMs),
      write: stateOf(this.#write, nowMs),
      atMs: nowMs,
    }
  }

  /** The settings of the table have changed. Partitions are never merged. */
  configure(settings: CapacitySettings, nowMs: number): void {
    const previous = this.#settings
    this.#settings = settings
    this.#read = changed(this.#read, previous, settings, 'read', nowMs)
    this.#write = changed(this.#write, previous, settings, 'write', nowMs)
    this.#keepUp(nowMs)
  }

  partitionOf(key: Key): Partition {
    const partitions = this.#partitions
    const hash = hashOfKey(key)
    let low = 0
    let high = partitions.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (partitions[middle]?.to?.isAfter(hash, key) === true) high = middle
      else low = middle + 1
    }
    const found = partitions[low]
    if (found === undefined) throw new Error('partitions hold every key')
    return found
  }

  /** Whether a request would be admitted now. */
  admits(side: Side, partition: Partition, nowMs: number): boolean {
    return partition.bucket(side).isOpen(nowMs) && this.#throughput(side).isOpen(nowMs)
  }

  /** Why a request is not admitted. */
  exhaustions(side: Side, partition: Partition, nowMs: number): readonly Exhaustion[] {
    const found = this.#throughput(side).exhaustions(nowMs)
    if (partition.bucket(side).isOpen(nowMs) || found.includes('KeyRangeThroughput')) return found
    return [...found, 'KeyRangeThroughput']
  }

  /** A request was not admitted that wanted at least this much. */
  refuse(side: Side, partition: Partition, units: number): void {
    partition.bucket(side).refuse(units)
    this.#throughput(side).refuse(units)
  }

  /** Whether a reason has not been reported yet: once for each range of keys, or once for all of them if it does not
   *  concern ranges. */
  tells(side: Side, exhaustion: Exhaustion, partition: Partition): boolean {
    const bit = 1 << (exhaustionBits[exhaustion] * 2 + (side === 'read' ? 0 : 1))
    if (exhaustion === 'KeyRangeThroughput') return partition.tells(bit)
    if ((this.#told & bit) !== 0) return false
    this.#told |= bit
    return true
  }

  charge(side: Side, partition: Partition, units: number, nowMs: number): void {
    partition.bucket(side).take(units)
    this.#throughput(side).take(units, nowMs)
  }

  /** Reserves units for a running request. */
  hold(side: Side, partition: Partition, units: number): void {
    partition.bucket(side).take(units)
    this.#throughput(side).hold(units)
  }

  /** Ends a reservation. */
  giveBack(side: Side, partition: Partition, units: number): void {
    partition.bucket(side).giveBack(units)
    this.#throughput(side).giveBack(units)
  }

  /** The sustained units per second of the whole table. */
  capacity(side: Side, nowMs: number): number {
    return this.#throughput(side).capacity(nowMs)
  }

  /** Lets the table grow, and splits partitions that have been hot for some minutes. Call this from time to time; it
   *  does its work once a minute. Returns whether partitions have changed. */
  tick(nowMs: number): boolean {
    if (nowMs < this.#nextTickMs) return false
    this.#nextTickMs = nextMinuteMs(nowMs) + this.#tickDelayMs
    const minute = Math.floor(nowMs / 60_000)
    const before = this.#partitions.length
    for (const partition of this.#partitions) {
      if (!isHot(partition, minute)) continue
      const sinceMs = (minute - partitionLimits.hotMinutes) * 60_000
      const point = divisionPoint(partition.samples(sinceMs), this.#settings.divisible)
      if (point !== undefined) this.#partitions = withDivided(this.#partitions, partition, point, nowMs)
    }
    this.#keepUp(nowMs)
    return this.#partitions.length !== before
  }

  /** Splits partitions that have become too large, assuming that the table's bytes are spread evenly. */
  grow(sizeBytes: number, nowMs: number): void {
    if (!(sizeBytes > partitionLimits.sizeBytes)) return
    const width = (partitionLimits.sizeBytes / sizeBytes) * 2 ** 32
    this.#partitions = withWidthUpTo(this.#partitions, width, nowMs)
  }

  /** The table as a whole. */
  throughput(side: Side): Throughput {
    return this.#throughput(side)
  }

  /** Sets the part of everything that belongs to this server. */
  shareTo(share: number, nowMs: number): void {
    const buckets = [...this.#read.buckets, ...this.#write.buckets]
    for (const { read, write } of this.#partitions) buckets.push(read, write)
    for (const bucket of buckets) bucket.shareTo(share, (bucket.level(nowMs) / bucket.share) * share, nowMs)
  }

  /** If several servers model the same partitions, each looks a little later than the one before, which has reported its
   *  splits by then. */
  delayTicks(delayMs: number): void {
    this.#tickDelayMs = delayMs
  }

  /** Splits where another server has split, unless it is split there already. */
  divideAt(boundary: KeyBoundary, nowMs: number): void {
    const hex = boundary.hex
    const inside = this.#partitions.find(({ from, to }) => from.hex < hex && (to === undefined || hex < to.hex))
    if (inside !== undefined) this.#partitions = withDivided(this.#partitions, inside, boundary, nowMs)
  }

  #keepUp(nowMs: number): void {
    const wanted =
      this.#settings.mode === 'PROVISIONED'
        ? initialPartitions(this.#settings)
        : partitionsFor(this.capacity('read', nowMs), this.capacity('write', nowMs))
    if (this.#partitions.length < wanted) this.#partitions = withAtLeast(this.#partitions, wanted, nowMs)
  }

  #throughput(side: Side): Throughput {
    return side === 'read' ? this.#read : this.#write
  }
}

const exhaustionBits = {
  ProvisionedThroughput: 0,
  AccountLimit: 1,
  KeyRangeThroughput: 2,
  MaxOnDemandThroughput: 3,
} as const satisfies Record<Exhaustion, number>

function initialPartitions({ mode, read, write, warmRead, warmWrite }: CapacitySettings): number {
  const warm = partitionsFor(warmRead, warmWrite)
  return mode === 'PROVISIONED' ? Math.max(provisionedPartitions(read, write), warm) : warm
}

function throughputOf(
  settings: CapacitySettings,
  side: Side,
  sinceMs: number,
  state: ThroughputState = {},
): Throughput {
  const isRead = side === 'read'
  if (settings.mode === 'PROVISIONED') {
    return new ProvisionedThroughput(isRead ? settings.read : settings.write, sinceMs, state.saved)
  }
  return new OnDemandThroughput(
    isRead ? settings.warmRead : settings.warmWrite,
    isRead ? settings.maximumRead : settings.maximumWrite,
    sinceMs,
    state.previousPeak,
  )
}

function changed(
  current: Throughput,
  previous: CapacitySettings,
  settings: CapacitySettings,
  side: Side,
  nowMs: number,
): Throughput {
  if (previous.mode !== settings.mode) return throughputOf(settings, side, nowMs)
  const isRead = side === 'read'
  if (current instanceof ProvisionedThroughput) current.change(isRead ? settings.read : settings.write, nowMs)
  if (current instanceof OnDemandThroughput) {
    current.change(
      isRead ? settings.warmRead : settings.warmWrite,
      isRead ? settings.maximumRead : settings.maximumWrite,
      nowMs,
    )
  }
  return current
}

function stateOf(throughput: Throughput, nowMs: number): ThroughputState {
  if (throughput instanceof OnDemandThroughput) return { previousPeak: throughput.growth.previousPeak }
  return throughput instanceof ProvisionedThroughput ? { saved: throughput.level(nowMs) } : {}
}

function nextMinuteMs(nowMs: number): number {
  return (Math.floor(nowMs / 60_000) + 1) * 60_000
}

/** Hot for some whole minutes in a row, up to the one that just ended. */
function isHot(partition: Partition, minute: number): boolean {
  return (['read', 'write'] as const).some((side) => {
    const hot = partitionUnitsPerSecond(side) * 60 * partitionLimits.hotShare
    for (let ago = 1; ago <= partitionLimits.hotMinutes; ago++) {
      if (partition.usedInMinute(minute - ago, side) < hot) return false
    }
    return true
  })
}
