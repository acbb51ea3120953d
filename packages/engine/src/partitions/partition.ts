import type { Key } from '../store/store.ts'
import type { KeyBoundary } from './key-boundary.ts'
import { partitionLimits, type Side } from './partition-limits.ts'
import { TokenBucket } from './token-bucket.ts'

/** A range of keys, its capacity per second, and its recent use. */
export class Partition {
  readonly from: KeyBoundary
  /** Undefined at the end of all keys. */
  readonly to: KeyBoundary | undefined
  readonly read: TokenBucket
  readonly write: TokenBucket
  #use: PartitionUseHistory | undefined
  #elsewhere: PartitionUseHistory | undefined
  readonly #samples: KeySample[] = []
  #told = 0
  #lookedAtMs = 0
  #nextSample = 0
  #nextSampleMs = 0
  #passed = 0

  constructor(from: KeyBoundary, to: KeyBoundary | undefined, nowMs: number) {
    this.from = from
    this.to = to
    const { readUnitsPerSecond, writeUnitsPerSecond } = partitionLimits
    this.read = new TokenBucket(readUnitsPerSecond, readUnitsPerSecond, readUnitsPerSecond, nowMs)
    this.write = new TokenBucket(writeUnitsPerSecond, writeUnitsPerSecond, writeUnitsPerSecond, nowMs)
  }

  /** Allocated at first use: most partitions are idle. */
  get use(): PartitionUseHistory {
    this.#use ??= new PartitionUseHistory()
    return this.#use
  }

  get isUsed(): boolean {
    return this.#use !== undefined
  }

  /** What other servers of the same store have used it for, as far as it was told. */
  get elsewhere(): PartitionUseHistory | undefined {
    return this.#elsewhere
  }

  countElsewhere(side: Side, units: number, second: number): void {
    this.#elsewhere ??= new PartitionUseHistory()
    this.#elsewhere.count(side, units, second)
  }

  /** By all servers. */
  usedInMinute(minute: number, field: UseField): number {
    return (this.#use?.inMinute(minute, field) ?? 0) + (this.#elsewhere?.inMinute(minute, field) ?? 0)
  }

  usedPerSecond(side: Side, nowMs: number): number {
    return (this.#use?.unitsPerSecond(side, nowMs) ?? 0) + (this.#elsewhere?.unitsPerSecond(side, nowMs) ?? 0)
  }

  bucket(side: Side): TokenBucket {
    return side === 'read' ? this.read : this.write
  }

  /** Samples one key every few seconds: enough to see how the heat is spread, whatever the traffic. */
  sample(key: Key, units: number, nowMs: number): void {
    if (nowMs < this.#nextSampleMs) return
    // Requests may come in a fixed rhythm, so it is not always the first one that is sampled.
    if (this.#passed++ < (this.#nextSample * 7) % 31) return
    this.#passed = 0
    this.#nextSampleMs = nowMs + sampleEveryMs
    this.#samples[this.#nextSample % samplesKept] = { key, units, atMs: nowMs }
    this.#nextSample++
  }

  /** Whether to look again why requests are throttled: once a second is enough. */
  isToldNow(nowMs: number): boolean {
    if (nowMs < this.#lookedAtMs + 1000 && nowMs >= this.#lookedAtMs) return false
    this.#lookedAtMs = nowMs
    return true
  }

  /** Whether something, given as one bit, has not been reported yet; marks it as reported. */
  tells(bit: number): boolean {
    if ((this.#told & bit) !== 0) return false
    this.#told |= bit
    return true
  }

  /** The keys that were sampled since `sinceMs`, in order of time. */
  samples(sinceMs: number): readonly KeySample[] {
    return this.#samples.filter(({ atMs }) => atMs >= sinceMs).toSorted((a, b) => a.atMs - b.atMs)
  }

  /** The share of all hashes that it covers. */
  get width(): number {
    return (this.to?.hash ?? 2 ** 32) - this.from.hash
  }
}

export interface KeySample {
  readonly key: Key
  readonly units: number
  readonly atMs: number
}

const samplesKept = 128
const sampleEveryMs = 2_400

const minutesKept = 60
const secondsKept = 16
const fields = { read: 0, write: 1, readThrottles: 2, writeThrottles: 3 } as const
export type UseField = keyof typeof fields

/** Units and throttles of each of the last 60 minutes, and units of each of the last seconds. */
class PartitionUseHistory {
  readonly #minutes = new Float64Array(minutesKept * 4)
  readonly #seconds = new Float64Array(secondsKept * 2)
  #minute = 0
  #second = 0
  #minuteOffset = 0
  #secondOffset = 0

  count(side: Side, units: number, second: number): void {
    if (second !== this.#second) this.#advance(second)
    const field = side === 'read' ? 0 : 1
    const inMinute = this.#minuteOffset + field
    this.#minutes[inMinute] = (this.#minutes[inMinute] ?? 0) + units
    const inSecond = this.#secondOffset + field
    this.#seconds[inSecond] = (this.#seconds[inSecond] ?? 0) + units
  }

  countThrottle(side: Side, second: number, requests: number): void {
    if (second !== this.#second) this.#advance(second)
    const at = this.#minuteOffset + (side === 'read' ? fields.readThrottles : fields.writeThrottles)
    this.#minutes[at] = (this.#minutes[at] ?? 0) + requests
  }

  /** What was counted in a minute since 1970. */
  inMinute(minute: number, field: UseField): number {
    if (minute > this.#minute || minute <= this.#minute - minutesKept) return 0
    return this.#minutes[(minute % minutesKept) * 4 + fields[field]] ?? 0
  }

  /** The average of the last ten seconds. */
  unitsPerSecond(side: Side, nowMs: number): number {
    const now = Math.floor(nowMs / 1000)
    let sum = 0
    for (let second = now - 9; second <= now; second++) {
      if (second > this.#second || second <= this.#second - secondsKept) continue
      sum += this.#seconds[(second % secondsKept) * 2 + (side === 'read' ? 0 : 1)] ?? 0
    }
    return sum / 10
  }

  /** If time goes back, counting continues where it was. */
  #advance(second: number): void {
    if (second <= this.#second) return
    for (let at = Math.max(this.#second + 1, second - secondsKept + 1); at <= second; at++) {
      this.#seconds.fill(0, (at % secondsKept) * 2, (at % secondsKept) * 2 + 2)
    }
    this.#second = second
    this.#secondOffset = (second % secondsKept) * 2
    const minute = Math.floor(second / 60)
    for (let at = Math.max(this.#minute + 1, minute - minutesKept + 1); at <= minute; at++) {
      this.#minutes.fill(0, (at % minutesKept) * 4, (at % minutesKept) * 4 + 4)
    }
    this.#minute = minute
    this.#minuteOffset = (minute % minutesKept) * 4
  }
}
