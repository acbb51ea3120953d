import type { MappingSettings } from '../mappings/mapping-settings.ts'
import type { WindowState } from '../mappings/mapping-record.ts'
import type { SourceRecord } from '../sources/shard-source.ts'

/** An event is no larger than this. */
const mostEventBytes = 6 * 1024 * 1024 - 64 * 1024

interface Queued {
  readonly record: SourceRecord
  readonly queuedAtMs: number
}

/** Why a batch goes nowhere. */
export type DiscardReason = 'RetryAttemptsExhausted' | 'MaximumRecordAgeExceeded'

/** Records of one shard that are delivered one batch after the other. With a parallelization of 1, a shard is one lane.
 *  A lane only decides: it knows what is next and what a failure means, and calls nobody. */
export class Lane {
  readonly #settings: MappingSettings
  #queue: Queued[] = []
  #queuedBytes = 0
  /** Sizes of the batches at the head of the queue that are fixed, because they failed before. */
  #pieces: number[] = []
  /** How often the batch at the head has failed. */
  #failures = 0
  /** The function is called again at this time. */
  #retryAtMs: number | undefined
  /** What is being delivered. */
  #current = 0
  done: bigint
  window: WindowState | undefined

  constructor(settings: MappingSettings, done: bigint) {
    this.#settings = settings
    this.done = done
  }

  get length(): number {
    return this.#queue.length
  }

  get bytes(): number {
    return this.#queuedBytes
  }

  get isBusy(): boolean {
    return this.#current > 0
  }

  get failures(): number {
    return this.#failures
  }

  /** The first record that is not done. */
  get first(): SourceRecord | undefined {
    return this.#queue[0]?.record
  }

  /** A batching window starts when its first record came about, so that it does not matter when that was read. */
  add(record: SourceRecord, nowMs: number): void {
    this.#queue.push({ record, queuedAtMs: Math.min(nowMs, record.atMs) })
    this.#queuedBytes += record.json.length
  }

  /** Removes the records at the head that are too old, and returns them. */
  expired(nowMs: number): readonly SourceRecord[] {
    const { maximumAgeSeconds } = this.#settings
    if (maximumAgeSeconds < 0 || this.isBusy) return []
    const bornMs = nowMs - maximumAgeSeconds * 1000
    let count = 0
    while ((this.#queue[count]?.record.atMs ?? Number.POSITIVE_INFINITY) < bornMs) count++
    return count === 0 ? [] : this.#drop(count)
  }

  /** The next batch, if it is time for it. `isEnd` says that no further record will come. */
  take(nowMs: number, isEnd: boolean): readonly SourceRecord[] | undefined {
    if (this.isBusy || this.#queue.length === 0) return undefined
    if (this.#retryAtMs !== undefined && nowMs < this.#retryAtMs) return undefined
    const size = this.#pieces[0] ?? this.#sizeOfNext(nowMs, isEnd)
    if (size === 0) return undefined
    this.#current = Math.min(size, this.#queue.length)
    return this.#queue.slice(0, this.#current).map(({ record }) => record)
  }

  /** Whether something can only happen later. */
  get isWaiting(): boolean {
    return !this.isBusy && this.#queue.length > 0
  }

  /** When it is time for the next batch, as far as that is known. */
  get dueAtMs(): number | undefined {
    const [head] = this.#queue
    if (head === undefined || this.isBusy) return undefined
    return this.#retryAtMs ?? head.queuedAtMs + this.#settings.windowSeconds * 1000
  }

  succeeded(): void {
    this.#failures = 0
    this.#retryAtMs = undefined
    this.#drop(this.#current)
    this.#current = 0
  }

  /** The function has done the first `count` records of the batch, and not the next. */
  succeededUpTo(count: number, retryAtMs: number): readonly SourceRecord[] {
    if (count === 0) return this.failed(retryAtMs, false)
    if (this.#pieces.length === 0) this.#pieces.push(this.#current)
    this.#drop(count)
    this.#failures = 1
    this.#current = 0
    return this.#afterFailure(retryAtMs)
  }

  /** Returns the records that are given up. */
  failed(retryAtMs: number, mayBisect = this.#settings.bisects): readonly SourceRecord[] {
    const size = this.#current
    this.#current = 0
    if (this.#pieces.length > 0) this.#pieces.shift()
    if (mayBisect && size > 1) {
      // To split a batch is no retry of it.
      const half = Math.ceil(size / 2)
      this.#pieces.unshift(half, size - half)
      this.#failures = 0
      this.#retryAtMs = retryAtMs
      return []
    }
    this.#pieces.unshift(size)
    this.#failures++
    return this.#afterFailure(retryAtMs)
  }

  /** The function could not be called. That does not count. */
  postponed(retryAtMs: number): void {
    if (this.#pieces.length === 0) this.#pieces.unshift(this.#current)
    this.#current = 0
    this.#retryAtMs = retryAtMs
  }

  #afterFailure(retryAtMs: number): readonly SourceRecord[] {
    const { retries } = this.#settings
    if (retries < 0 || this.#failures <= retries) {
      this.#retryAtMs = retryAtMs
      return []
    }
    this.#failures = 0
    this.#retryAtMs = undefined
    return this.#drop(this.#pieces[0] ?? 0)
  }

  #sizeOfNext(nowMs: number, isEnd: boolean): number {
    const { batchSize, windowSeconds } = this.#settings
    let size = 0
    let bytes = 0
    while (size < this.#queue.length && size < batchSize) {
      const length = (this.#queue[size]?.record.json.length ?? 0) + 1
      if (size > 0 && bytes + length > mostEventBytes) break
      if (size > 0 && this.#isOtherWindow(size)) break
      bytes += length
      size++
    }
    const isFull = size < this.#queue.length || size >= batchSize
    const isTime = nowMs >= (this.#queue[0]?.queuedAtMs ?? 0) + windowSeconds * 1000
    return isFull || isTime || isEnd ? size : 0
  }

  #isOtherWindow(index: number): boolean {
    const { tumblingSeconds } = this.#settings
    if (tumblingSeconds === 0) return false
    const windowOf = (record: SourceRecord | undefined): number =>
      Math.floor((record?.atMs ?? 0) / (tumblingSeconds * 1000))
    return windowOf(this.#queue[index]?.record) > windowOf(this.#queue[0]?.record)
  }

  /** What is dropped is done. */
  #drop(count: number): readonly SourceRecord[] {
    const dropped = this.#queue.slice(0, count).map(({ record }) => record)
    this.#queue = this.#queue.slice(count)
    for (const record of dropped) this.#queuedBytes -= record.json.length
    this.done = dropped.at(-1)?.sequence ?? this.done
    let left = count
    while (left > 0 && this.#pieces.length > 0) {
      const [head = 0] = this.#pieces
      if (head > left) this.#pieces[0] = head - left
      else this.#pieces.shift()
      left -= Math.min(head, left)
    }
    return dropped
  }
}
