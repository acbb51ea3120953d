import { OnDemandGrowth } from './on-demand-growth.ts'
import { partitionLimits } from './partition-limits.ts'
import { TokenBucket } from './token-bucket.ts'

/** Why a whole table or index is exhausted; partitions have a reason of their own. */
export type Exhaustion = 'ProvisionedThroughput' | 'AccountLimit' | 'KeyRangeThroughput' | 'MaxOnDemandThroughput'

/** The read or write capacity of a table or index as a whole. */
export interface Throughput {
  isOpen(nowMs: number): boolean
  take(units: number, nowMs: number): void
  /** Reserves units for a running request; they do not count as used yet. */
  hold(units: number): void
  giveBack(units: number): void
  exhaustions(nowMs: number): readonly Exhaustion[]
  /** A request was not admitted that wanted at least this much. */
  refuse(units: number): void
  /** What it consists of. The first one is what it has grown to, or what is provisioned. */
  readonly buckets: readonly TokenBucket[]
  /** The sustained units per second, without what was saved up. */
  capacity(nowMs: number): number
}

/** A fixed number of units per second, of which unused ones are saved up for five minutes. Any partition may use all
 *  of it: the service distributes it by need ("adaptive capacity"). */
export class ProvisionedThroughput implements Throughput {
  readonly #bucket: TokenBucket

  /** A new table has saved nothing yet, but may use its first second. What was saved under other settings is kept as
   *  far as it fits. */
  constructor(unitsPerSecond: number, sinceMs: number, level = unitsPerSecond) {
    const capacity = saved(unitsPerSecond)
    this.#bucket = new TokenBucket(unitsPerSecond, capacity, Math.min(level, capacity), sinceMs)
  }

  change(unitsPerSecond: number, nowMs: number): void {
    if (unitsPerSecond !== this.#bucket.unitsPerSecond) {
      this.#bucket.resize(unitsPerSecond, saved(unitsPerSecond), nowMs)
    }
  }

  isOpen(nowMs: number): boolean {
    return this.#bucket.isOpen(nowMs)
  }

  take(units: number): void {
    this.#bucket.take(units)
  }

  hold(units: number): void {
    this.#bucket.take(units)
  }

  giveBack(units: number): void {
    this.#bucket.giveBack(units)
  }

  exhaustions(nowMs: number): readonly Exhaustion[] {
    return this.#bucket.isOpen(nowMs) ? [] : ['ProvisionedThroughput']
  }

  refuse(units: number): void {
    this.#bucket.refuse(units)
  }

  get buckets(): readonly TokenBucket[] {
    return [this.#bucket]
  }

  capacity(): number {
    return this.#bucket.unitsPerSecond
  }

  /** What is saved up, by all servers together. */
  level(nowMs: number): number {
    return this.#bucket.level(nowMs) / this.#bucket.share
  }
}

/** As much as the table has grown to, up to the maximum that its owner has set and the account's quota. */
export class OnDemandThroughput implements Throughput {
  readonly growth: OnDemandGrowth
  readonly #grown: TokenBucket
  readonly #account: TokenBucket
  #maximum: TokenBucket | undefined

  constructor(warm: number, maximum: number | undefined, nowMs: number, previousPeak = 0) {
    this.growth = new OnDemandGrowth(warm, previousPeak)
    const capacity = this.growth.capacity(nowMs)
    this.#grown = new TokenBucket(capacity, capacity, capacity, nowMs)
    const quota = partitionLimits.accountUnitsPerTable
    this.#account = new TokenBucket(quota, quota, quota, nowMs)
    this.change(warm, maximum, nowMs)
  }

  change(warm: number, maximum: number | undefined, nowMs: number): void {
    this.growth.raiseFloor(warm)
    if (maximum === undefined) this.#maximum = undefined
    else if (this.#maximum === undefined) this.#maximum = new TokenBucket(maximum, maximum, maximum, nowMs)
    else this.#maximum.resize(maximum, maximum, nowMs)
  }

  isOpen(nowMs: number): boolean {
    return (
      this.#grown.isOpen(nowMs) &&
      this.#account.isOpen(nowMs) &&
      (this.#maximum === undefined || this.#maximum.isOpen(nowMs))
    )
  }

  take(units: number, nowMs: number): void {
    this.hold(units)
    this.growth.count(units, nowMs)
  }

  hold(units: number): void {
    this.#grown.take(units)
    this.#account.take(units)
    this.#maximum?.take(units)
  }

  giveBack(units: number): void {
    this.#grown.giveBack(units)
    this.#account.giveBack(units)
    this.#maximum?.giveBack(units)
  }

  refuse(units: number): void {
    this.#grown.refuse(units)
    this.#account.refuse(units)
    this.#maximum?.refuse(units)
  }

  get buckets(): readonly TokenBucket[] {
    return this.#maximum === undefined ? [this.#grown, this.#account] : [this.#grown, this.#account, this.#maximum]
  }

  /** The service has no reason for an on-demand table that grows too fast, other than that its key ranges are
   *  exhausted. */
  exhaustions(nowMs: number): readonly Exhaustion[] {
    const found: Exhaustion[] = []
    if (this.#maximum?.isOpen(nowMs) === false) found.push('MaxOnDemandThroughput')
    if (!this.#account.isOpen(nowMs)) found.push('AccountLimit')
    if (!this.#grown.isOpen(nowMs)) found.push('KeyRangeThroughput')
    return found
  }

  capacity(nowMs: number): number {
    const capacity = this.growth.capacity(nowMs)
    if (capacity !== this.#grown.unitsPerSecond) this.#grown.resize(capacity, capacity, nowMs)
    return capacity
  }
}

function saved(unitsPerSecond: number): number {
  return unitsPerSecond * partitionLimits.burstSeconds
}
