import type { TailedRecord } from './stream-tail.ts'

const mostRecords = 5_000
const mostBytes = 24 * 2 ** 20
const rateMs = 10_000

export interface BufferState {
  /** The newest first. */
  readonly records: readonly TailedRecord[]
  /** How many came in all, and how many of them had to make room. */
  readonly received: number
  readonly dropped: number
  readonly skipped: number
  readonly hasGap: boolean
}

export const emptyBuffer: BufferState = { records: [], received: 0, dropped: 0, skipped: 0, hasGap: false }

/** Adds what has come, in the order of time. Memory is bounded by number and by size: the oldest go. */
export function withRecords(
  state: BufferState,
  added: readonly TailedRecord[],
  { skipped = 0, hasGap = false, most = mostRecords, mostSizeBytes = mostBytes } = {},
): BufferState {
  const records = [...added.toReversed(), ...state.records]
  let kept = 0
  let bytes = 0
  for (const { record } of records) {
    bytes += record.dynamodb.SizeBytes
    if (kept >= most || (bytes > mostSizeBytes && kept > 0)) break
    kept++
  }
  return {
    records: kept === records.length ? records : records.slice(0, kept),
    received: state.received + added.length,
    dropped: state.dropped + records.length - kept,
    skipped: state.skipped + skipped,
    hasGap: state.hasGap || hasGap,
  }
}

/** Records a second, as they come in: the average of the last ten seconds. */
export class Rate {
  #arrivals: { readonly atMs: number; readonly count: number }[] = []

  add(atMs: number, count: number): void {
    this.#arrivals = this.#arrivals.filter((one) => one.atMs > atMs - rateMs)
    if (count > 0) this.#arrivals.push({ atMs, count })
  }

  perSecond(atMs: number): number {
    const recent = this.#arrivals.filter((one) => one.atMs > atMs - rateMs)
    return recent.reduce((sum, { count }) => sum + count, 0) / (rateMs / 1000)
  }
}
