import { randomUUID } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import type { Lease } from '@hashrange/engine'
import type { Invoked } from '../functions/runner.ts'
import type { ShardProgress } from '../mappings/mapping-record.ts'
import type { ObjectPattern } from '../patterns/pattern.ts'
import { matchesPattern } from '../patterns/match-pattern.ts'
import type { SourceRecord } from '../sources/shard-source.ts'
import { countDone } from './batch-failures.ts'
import type { DeliveryHost } from './delivery-host.ts'
import { eventOf } from './event-of.ts'
import { noteBatch, type MappingFigures } from './figures.ts'
import { Lane, type DiscardReason } from './lane.ts'
import { laneOf } from './lane-of.ts'
import type { Mapping } from './mapping.ts'
import { TumblingWindow } from './tumbling-window.ts'
import { Wakeup } from './wakeup.ts'

const pollMs = 200
const longestRetryMs = 60_000
/** No more is read ahead than this, however slow the function is. */
const mostQueuedBytes = 8 * 1024 * 1024

export interface ShardConsumerOptions {
  readonly host: DeliveryHost
  readonly mapping: Mapping
  readonly shardId: string
  readonly filters: readonly ObjectPattern[]
  readonly figures: MappingFigures
  /** Of an earlier consumer; undefined if there was none. */
  readonly progress: ShardProgress | undefined
}

/** Delivers the records of one shard to a function, in order, and notes how far it has come. What is noted is done: after
 *  a crash, a batch may be delivered again, but none is left out. */
export class ShardConsumer {
  readonly #host: DeliveryHost
  readonly #mapping: Mapping
  readonly #shardId: string
  readonly #filters: readonly ObjectPattern[]
  readonly #figures: MappingFigures
  readonly #wakeup = new Wakeup()
  readonly #calls = new Set<Promise<void>>()
  #lanes: Lane[] = []
  #window: TumblingWindow | undefined
  #after = -1n
  #isEnd = false
  #isStopped = false
  #hasChanged = false
  #givingUp = 0
  #result: string | undefined
  #resultAtMs = 0
  #requestedLook = 0
  /** The last request to look for records after which nothing was left to do but to wait. */
  #quietLook = -1
  /** Why the function is called again, if it failed. */
  failure: { readonly message: string } | undefined
  readonly #earlier: ShardProgress | undefined

  constructor({ host, mapping, shardId, filters, figures, progress }: ShardConsumerOptions) {
    this.#host = host
    this.#mapping = mapping
    this.#shardId = shardId
    this.#filters = filters
    this.#figures = figures
    this.#earlier = progress
  }

  /** Whether the shard is closed and all of it is done. */
  get isDone(): boolean {
    return this.#isEnd && this.#lanes.every(({ length }) => length === 0) && this.#window?.isOpen !== true
  }

  /** Asks to look for records at once. `isQuiet` then says when that has led to nothing more. */
  look(): void {
    this.#requestedLook++
    this.#wakeup.wake()
  }

  get isQuiet(): boolean {
    return this.#quietLook >= this.#requestedLook
  }

  stop(): void {
    this.#isStopped = true
    this.#wakeup.wake()
  }

  /** Runs until it is stopped, until the lease is lost, or until the shard is done. */
  async run(lease: Lease): Promise<void> {
    await this.#begin()
    while (!lease.aborted && !this.#isStopped) {
      const look = this.#requestedLook
      // What is there is read before a batch that is not full is delivered.
      let hasRead = false
      while (await this.#fill()) hasRead = true
      const hasStarted = await this.#deliver()
      await this.#save(lease)
      if (this.isDone) return
      if (hasRead || hasStarted) continue
      if (this.#calls.size === 0) this.#quietLook = look
      await this.#wakeup.sleep(this.#pause())
    }
    await Promise.race([Promise.all(this.#calls), patience()])
    if (!lease.aborted) await this.#save(lease)
  }

  /** Until the next poll, or until a batch is due. */
  #pause(): number {
    const nowMs = this.#host.nowMs()
    let pauseMs = pollMs
    for (const { dueAtMs } of this.#lanes) {
      if (dueAtMs !== undefined && dueAtMs > nowMs) pauseMs = Math.min(pauseMs, dueAtMs - nowMs)
    }
    return pauseMs
  }

  async #begin(): Promise<void> {
    const { settings, source } = this.#mapping
    const earlier = this.#earlier
    // Where a mapping begins was noted for every shard that was there then. One without a note is newer, and wanted whole.
    this.#after = earlier === undefined ? await source.start(this.#shardId, 'TRIM_HORIZON') : BigInt(earlier.after)
    const count = settings.parallelization
    // Lanes of another number would not hold the same keys.
    const done = earlier?.lanes?.length === count ? earlier.lanes.map(BigInt) : []
    this.#lanes = Array.from({ length: count }, (_, index) => new Lane(settings, done[index] ?? this.#after))
    if (settings.tumblingSeconds > 0)
      this.#window = new TumblingWindow(this.#mapping, this.#shardId, earlier?.window)
  }

  /** Reads ahead, as far as the lanes have room; returns whether anything was read. */
  async #fill(): Promise<boolean> {
    const { settings, source } = this.#mapping
    let length = 0
    let bytes = 0
    for (const lane of this.#lanes) {
      length += lane.length
      bytes += lane.bytes
    }
    const room = 2 * settings.batchSize * this.#lanes.length - length
    if (this.#isEnd || room <= 0 || bytes > mostQueuedBytes) return false
    const page = await source.read(this.#shardId, this.#after, room)
    const nowMs = this.#host.nowMs()
    for (const record of page.records) {
      const lane = this.#lanes[laneOf(record.orderKey, this.#lanes.length)]
      if (lane === undefined || record.sequence <= lane.done) continue
      if (this.#isWanted(record)) lane.add(record, nowMs)
      else this.#figures.filtered++
    }
    const hasMoved = page.after !== this.#after
    if (hasMoved || page.isEnd) this.#hasChanged = true
    this.#after = page.after
    this.#isEnd = page.isEnd
    return page.records.length > 0
  }

  #isWanted(record: SourceRecord): boolean {
    if (this.#filters.length === 0) return true
    const event: unknown =
      record.filtered === undefined ? JSON.parse(record.json.toString('utf8')) : record.filtered()
    return this.#filters.some((filter) => matchesPattern(filter, event))
  }

  /** Starts what it is time for; returns whether anything was started. */
  async #deliver(): Promise<boolean> {
    let hasStarted = false
    for (const lane of this.#lanes) {
      const nowMs = this.#host.nowMs()
      const old = lane.expired(nowMs)
      if (old.length > 0) await this.#giveUp(old, 'MaximumRecordAgeExceeded', lane.failures, '')
      if (this.#window !== undefined && !lane.isBusy && this.#window.isOver(lane.first, nowMs, this.#isEnd)) {
        hasStarted ||= await this.#closeWindow(this.#window, nowMs)
        continue
      }
      const records = lane.take(nowMs, this.#isEnd)
      if (records === undefined) continue
      hasStarted = true
      const call = this.#call(lane, records)
        .catch((error: unknown) => {
          lane.postponed(this.#host.nowMs() + this.#pauseMs(lane.failures + 1))
          this.#host.report(`A batch for ${this.#mapping.functionName} could not be delivered: ${String(error)}`)
        })
        .finally(() => {
          this.#calls.delete(call)
          this.#wakeup.wake()
        })
      this.#calls.add(call)
    }
    return hasStarted
  }

  async #call(lane: Lane, records: readonly SourceRecord[]): Promise<void> {
    const { settings } = this.#mapping
    const figures = this.#figures
    const nowMs = this.#host.nowMs()
    figures.iteratorAgeMs = Math.max(0, nowMs - (records.at(-1)?.atMs ?? nowMs))
    this.#host.measureAge(this.#mapping.scope, this.#mapping.functionName, figures.iteratorAgeMs)
    const requestId = randomUUID()
    const startedAtMs = performance.now()
    const attempt = lane.failures + 1
    const invoked = await this.#invoke(eventOf(records, this.#window?.forBatch(records)))
    const note = (done: number): void =>
      noteBatch(figures, {
        atMs: nowMs,
        shardId: this.#shardId,
        sequenceNumber: records[0]?.sequenceNumber ?? '',
        records: records.length,
        done,
        durationMs: performance.now() - startedAtMs,
        attempt,
        failure: this.failure?.message,
      })
    const retryAtMs = (failures: number): number => this.#host.nowMs() + this.#pauseMs(failures)
    if (invoked === undefined) {
      note(0)
      return lane.postponed(retryAtMs(lane.failures + 1))
    }
    figures.calls++
    if (invoked.functionError !== undefined) {
      figures.failures++
      this.failure = { message: messageOf(invoked.payload) }
      this.#note('PROBLEM: Function call failed')
      note(0)
      const { failures } = lane
      const left = lane.failed(retryAtMs(failures + 1))
      return this.#giveUp(left, 'RetryAttemptsExhausted', failures + 1, requestId)
    }
    const response = responseOf(invoked.payload)
    const done = settings.reportsFailures ? countDone(records, response) : records.length
    figures.records += done
    this.#hasChanged = true
    if (done > 0) this.#window?.returned(response, this.#host.report)
    if (done === records.length) {
      this.failure = undefined
      this.#note('OK')
      note(done)
      return lane.succeeded()
    }
    this.failure = { message: `${this.#mapping.functionName} reported a record as failed.` }
    this.#note('OK')
    note(done)
    const { failures } = lane
    const left = lane.succeededUpTo(done, retryAtMs(done > 0 ? 1 : failures + 1))
    await this.#giveUp(left, 'RetryAttemptsExhausted', failures + 1, requestId)
  }

  /** The last call for a window. If it fails, it is repeated like any other. */
  async #closeWindow(window: TumblingWindow, nowMs: number): Promise<boolean> {
    if (nowMs < window.retryAtMs) return false
    const invoked = await this.#invoke(eventOf([], window.atItsEnd()))
    if (invoked !== undefined) this.#figures.calls++
    if (invoked?.functionError === undefined && invoked !== undefined) {
      window.close()
      this.failure = undefined
      this.#note('OK')
    } else {
      if (invoked !== undefined) {
        this.#figures.failures++
        this.failure = { message: messageOf(invoked.payload) }
      }
      this.#note('PROBLEM: Function call failed')
      window.failed(this.#host.nowMs() + this.#pauseMs(window.failures + 1), this.#mapping.settings.retries)
    }
    this.#hasChanged = true
    return true
  }

  /** Undefined if the function could not be called. */
  async #invoke(event: Buffer): Promise<Invoked | undefined> {
    const { scope, functionName } = this.#mapping
    try {
      return await this.#host.invoke(scope, functionName, event)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.failure = { message: error.message }
      this.#note(`PROBLEM: ${error.message}`)
      return undefined
    }
  }

  #pauseMs(failures: number): number {
    return Math.min(longestRetryMs, this.#host.retryMs * 2 ** Math.min(20, failures - 1))
  }

  async #giveUp(
    records: readonly SourceRecord[],
    reason: DiscardReason,
    calls: number,
    requestId: string,
  ): Promise<void> {
    if (records.length === 0) return
    this.#figures.discarded += records.length
    // They are not noted as done before the destination knows.
    this.#givingUp++
    try {
      await this.#host.discard({
        mapping: this.#mapping,
        shardId: this.#shardId,
        records,
        reason,
        calls,
        requestId: requestId === '' ? randomUUID() : requestId,
        nowMs: this.#host.nowMs(),
      })
    } finally {
      this.#givingUp--
    }
    this.failure = undefined
    this.#hasChanged = true
  }

  #note(result: string): void {
    if (this.#result === result) return
    this.#result = result
    this.#resultAtMs = this.#host.nowMs()
    this.#hasChanged = true
  }

  async #save(lease: Lease): Promise<void> {
    if (!this.#hasChanged || this.#givingUp > 0) return
    this.#hasChanged = false
    await this.#mapping.progress.save(lease, this.#progress())
  }

  #progress(): ShardProgress {
    let after = this.#after
    for (const { first } of this.#lanes)
      if (first !== undefined && first.sequence <= after) after = first.sequence - 1n
    const lanes = this.#lanes.map((lane) => (lane.first === undefined ? this.#after : lane.done))
    const hasLanes = lanes.length > 1 && lanes.some((done) => done > after)
    const window = this.#window?.state
    return {
      mapping: this.#mapping.uuid,
      shardId: this.#shardId,
      after: after.toString(),
      ...(hasLanes && { lanes: lanes.map(String) }),
      ...(this.isDone && { isEnded: true }),
      ...(window && { window }),
      ...(this.#result !== undefined && { result: this.#result, resultAtMs: this.#resultAtMs }),
    }
  }
}

/** A function that does not come to an end keeps nobody from closing the database. */
function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5_000).unref())
}

function responseOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
}

function messageOf(payload: Buffer): string {
  const response = responseOf(payload)
  const message =
    typeof response === 'object' && response !== null
      ? (response as Readonly<Record<string, unknown>>)['errorMessage']
      : undefined
  return typeof message === 'string' ? message : payload.toString('utf8', 0, 500)
}
