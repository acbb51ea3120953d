import type { TokenBucket } from '../partitions/token-bucket.ts'
import { shareOf } from './share-of.ts'

/** What a server tells others of one of its buckets. ON DISK, for as long as the server lives. */
export type BucketReport = readonly [
  /** What it has taken in all, and what it had taken when it last told. */
  taken: number,
  takenBefore: number,
  /** Units a second that are asked for, let in or not. */
  demand: number,
  /** What is left for all servers together, as far as it knows. */
  level: number,
]

/** A bucket that several servers give out from. Each keeps account of the whole, from what all have taken; the others' part
 *  comes late, by as long as it takes to be told. So nothing is lost or given out twice in the long run, and between two
 *  meetings each gives out no more than its share of what was left. */
export class SharedBucket {
  readonly #bucket: TokenBucket
  readonly #seen = new Map<string, number>()
  #level: number
  #atMs: number
  #taken: number
  #wanted: number
  #demand = 0
  #told: number
  #takenElsewhere = 0
  #elsewherePerSecond = 0
  #isNew = true

  constructor(bucket: TokenBucket, nowMs: number) {
    this.#bucket = bucket
    this.#level = bucket.level(nowMs) / bucket.share
    this.#atMs = nowMs
    this.#taken = bucket.taken
    this.#wanted = bucket.wanted
    this.#told = bucket.taken
  }

  get demand(): number {
    return this.#demand
  }

  /** What others have taken between the last two meetings. */
  get takenElsewhere(): number {
    return this.#takenElsewhere
  }

  /** The same, by the second. */
  get elsewherePerSecond(): number {
    return this.#elsewherePerSecond
  }

  /** Takes in what others have told, by server, and what was asked of this one since. */
  meet(others: ReadonlyMap<string, BucketReport>, nowMs: number, present: number): void {
    const elapsedSeconds = Math.max(0, nowMs - this.#atMs) / 1000
    const { unitsPerSecond, capacity, taken, wanted } = this.#bucket
    // Rises at once and falls by half each time: a pause of a moment is none.
    const asked = elapsedSeconds === 0 ? 0 : (wanted - this.#wanted) / elapsedSeconds
    this.#demand = Math.max(asked, this.#demand / 2)
    const news = [...others].filter(([server, [taken]]) => this.#seen.get(server) !== taken)
    this.#takenElsewhere = this.#countElsewhere(others)
    this.#elsewherePerSecond = elapsedSeconds === 0 ? 0 : this.#takenElsewhere / elapsedSeconds
    const before = this.#level
    const filled = Math.min(capacity, before + unitsPerSecond * elapsedSeconds)
    this.#level = filled - (taken - this.#taken) - this.#takenElsewhere
    this.#atMs = nowMs
    this.#taken = taken
    this.#wanted = wanted
    const expected = Math.min(capacity, before + (unitsPerSecond * elapsedSeconds) / 2)
    // What was heard before has been considered before.
    this.#agree(
      expected,
      news.map(([, [, , , level]]) => level),
    )
    const demands = [...others.values()].map(([, , demand]) => demand)
    const share = shareOf(this.#demand, demands, unitsPerSecond, present)
    this.#bucket.shareTo(share, this.#level * share, nowMs)
  }

  report(): BucketReport {
    const report: BucketReport = [
      rounded(this.#taken),
      rounded(this.#told),
      rounded(this.#demand),
      rounded(this.#level),
    ]
    this.#told = this.#taken
    return report
  }

  /** Of a server that is heard of for the first time, what it has taken lately counts. */
  #countElsewhere(others: ReadonlyMap<string, BucketReport>): number {
    let sum = 0
    for (const [server, [taken, before]] of others) {
      sum += taken - (this.#seen.get(server) ?? before)
      this.#seen.set(server, taken)
    }
    for (const server of this.#seen.keys()) if (!others.has(server)) this.#seen.delete(server)
    return sum
  }

  /** Accounts of the same thing drift apart, and come together again; a new one knows nothing. What others report is from
   *  the time since the last meeting, half of it ago on average: it contains what was refilled until then, all that the
   *  reporter itself has taken, and half of what others have. */
  #agree(expected: number, levels: readonly number[]): void {
    const { length } = levels
    if (length === 0) return
    const known = this.#takenElsewhere * ((1 + (length - 1) / 2) / length)
    const apart = levels.reduce((sum, level) => sum + level, 0) / length - (expected - known)
    this.#level += this.#isNew ? apart : apart / 4
    this.#isNew = false
  }
}

function rounded(units: number): number {
  return Math.round(units * 100) / 100
}
