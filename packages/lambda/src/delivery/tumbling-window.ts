import type { WindowState } from '../mappings/mapping-record.ts'
import type { SourceRecord } from '../sources/shard-source.ts'
import type { EventWindow } from './event-of.ts'
import type { Mapping } from './mapping.ts'

/** What a function may keep from one batch of a window to the next. */
const mostStateBytes = 1024 * 1024

/** The tumbling window of a shard: the function gets with each batch what it returned with the last, and a last call when
 *  the time of the window is over. */
export class TumblingWindow {
  readonly #mapping: Mapping
  readonly #shardId: string
  readonly #tumblingMs: number
  #current: WindowState | undefined
  failures = 0
  retryAtMs = 0

  constructor(mapping: Mapping, shardId: string, earlier: WindowState | undefined) {
    this.#mapping = mapping
    this.#shardId = shardId
    this.#tumblingMs = mapping.settings.tumblingSeconds * 1000
    this.#current = earlier
  }

  get isOpen(): boolean {
    return this.#current !== undefined
  }

  get state(): WindowState | undefined {
    return this.#current
  }

  /** Whether the window's last call is due: its time has passed, or the next record belongs to a later one. */
  isOver(next: SourceRecord | undefined, nowMs: number, isEnd: boolean): boolean {
    if (this.#current === undefined) return false
    const endMs = this.#current.startMs + this.#tumblingMs
    return next === undefined ? isEnd || nowMs >= endMs : next.atMs >= endMs
  }

  /** The first batch of a window opens it. */
  forBatch(records: readonly SourceRecord[]): EventWindow {
    const atMs = records[0]?.atMs ?? 0
    this.#current ??= { startMs: Math.floor(atMs / this.#tumblingMs) * this.#tumblingMs, state: '{}' }
    return this.#window(this.#current, false)
  }

  atItsEnd(): EventWindow {
    return this.#window(this.#current ?? { startMs: 0, state: '{}' }, true)
  }

  returned(response: unknown, report: (sentence: string) => void): void {
    if (this.#current === undefined || typeof response !== 'object' || response === null) return
    const state = JSON.stringify((response as Readonly<Record<string, unknown>>)['state'] ?? {})
    if (Buffer.byteLength(state) > mostStateBytes) {
      report(`The state that ${this.#mapping.functionName} returned has more than 1 MB, and was not kept.`)
      return
    }
    this.#current = { ...this.#current, state }
  }

  failed(retryAtMs: number, retries: number): void {
    this.failures++
    this.retryAtMs = retryAtMs
    if (retries >= 0 && this.failures > retries) this.close()
  }

  close(): void {
    this.#current = undefined
    this.failures = 0
    this.retryAtMs = 0
  }

  #window(current: WindowState, isFinal: boolean): EventWindow {
    return {
      shardId: this.#shardId,
      sourceArn: this.#mapping.source.arn,
      tumblingMs: this.#tumblingMs,
      isFinal,
      current,
    }
  }
}
