import { attributeOf, compareScalars, itemSizeBytes } from '@hashrange/core'
import type { Item } from '../../../api-types.ts'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { Listeners } from '../../../state/listeners.ts'

/** What is run: one request, or one for each shard of a pattern. */
export interface Runnable {
  readonly requests: readonly ServiceRequest[]
  /** Of a lookup: the request for the owner of what the first has found. */
  readonly follow?: ((found: Item) => Promise<ServiceRequest | undefined>) | undefined
  /** What the answers of shards are merged by. */
  readonly mergeBy?: { readonly attribute: string; readonly isDescending: boolean } | undefined
}

/** What one request took. */
export interface PageFacts {
  readonly operation: string
  readonly count: number
  /** What a statement has read is not told. */
  readonly scannedCount: number | undefined
  readonly units: number
  /** Of the items as they came. */
  readonly bytes: number
}

export interface RunState {
  readonly status: 'idle' | 'running' | 'done' | 'cancelled' | 'failed'
  readonly items: readonly Item[]
  readonly pages: readonly PageFacts[]
  /** From the first request to the last answer of each page: shards are read at the same time. */
  readonly ms: number
  /** Whether there is more to read. */
  readonly hasMore: boolean
  readonly error: unknown
  /** Whether reading all stopped because the page would hold too much. */
  readonly isFull: boolean
}

export type Send = (operation: string, input: object, signal: AbortSignal) => Promise<Record<string, unknown>>

export const idleRun: RunState = {
  status: 'idle',
  items: [],
  pages: [],
  ms: 0,
  hasMore: false,
  error: undefined,
  isFull: false,
}
/** How much the page shows at most; the items view is for browsing a table. */
export const mostItems = 200_000
export const mostBytes = 64 * 1024 * 1024

/** A query that is being run, page by page: each page is requested separately, so that nobody pays for what they did
 *  not want. */
export class QueryRun {
  readonly #runnable: Runnable
  readonly #send: Send
  /** By shard: where the next page begins; undefined after the last. */
  #cursors: (object | undefined)[]
  #controller = new AbortController()
  readonly #listeners = new Listeners()
  #bytes = 0
  #current: RunState = idleRun

  constructor(runnable: Runnable, send: Send) {
    this.#runnable = runnable
    this.#send = send
    this.#cursors = runnable.requests.map(() => ({}))
  }

  get state(): RunState {
    return this.#current
  }

  get subscribe() {
    return this.#listeners.subscribe
  }

  /** One page, of every shard that has more. */
  readonly nextPage = (): Promise<void> => this.#work(() => this.#readPage())

  /** Page after page until the end, or until there is too much to hold. */
  readonly readAll = (): Promise<void> =>
    this.#work(async () => {
      do await this.#readPage()
      while (this.#hasMore && !this.#isFull && !this.#controller.signal.aborted)
    })

  readonly cancel = (): void => this.#controller.abort()

  get #hasMore(): boolean {
    return this.#cursors.some((cursor) => cursor !== undefined)
  }

  get #isFull(): boolean {
    return this.#current.items.length >= mostItems || this.#bytes >= mostBytes
  }

  async #work(read: () => Promise<void>): Promise<void> {
    if (this.#current.status === 'running' || !this.#hasMore || this.#isFull) return
    this.#controller = new AbortController()
    const { signal } = this.#controller
    this.#change({ status: 'running', error: undefined, isFull: false })
    try {
      await read()
      signal.throwIfAborted()
      this.#change({ status: 'done', hasMore: this.#hasMore, isFull: this.#hasMore && this.#isFull })
    } catch (error) {
      if (signal.aborted) this.#change({ status: 'cancelled', hasMore: this.#hasMore })
      else this.#change({ status: 'failed', error, hasMore: this.#hasMore && this.#current.items.length > 0 })
    }
  }

  async #readPage(): Promise<void> {
    const started = performance.now()
    const answers = await Promise.all(
      this.#runnable.requests.map(async (request, shard) => {
        const cursor = this.#cursors[shard]
        return cursor === undefined ? [] : this.#ask(request, cursor, shard)
      }),
    )
    const items = await this.#followed(answers.flat())
    for (const item of items) this.#bytes += itemSizeBytes(item)
    this.#change({
      items: this.#merged([...this.#current.items, ...items]),
      ms: this.#current.ms + performance.now() - started,
      hasMore: this.#hasMore,
    })
  }

  async #ask(request: ServiceRequest, cursor: object, shard: number): Promise<readonly Item[]> {
    const { signal } = this.#controller
    const { operation, input } = request
    const answer = await this.#send(operation, { ...input, ...cursor, ReturnConsumedCapacity: 'INDEXES' }, signal)
    const { Item: single, Items, Count, ScannedCount, LastEvaluatedKey, NextToken, ConsumedCapacity } = answer
    const items = (operation === 'GetItem' ? (single === undefined ? [] : [single]) : (Items ?? [])) as Item[]
    this.#cursors[shard] =
      LastEvaluatedKey !== undefined
        ? { ExclusiveStartKey: LastEvaluatedKey }
        : NextToken !== undefined
          ? { NextToken }
          : undefined
    const count = typeof Count === 'number' ? Count : items.length
    this.#addPage({
      operation,
      count,
      scannedCount: typeof ScannedCount === 'number' ? ScannedCount : operation === 'GetItem' ? count : undefined,
      units: unitsOf(ConsumedCapacity),
      bytes: items.reduce((sum, item) => sum + itemSizeBytes(item), 0),
    })
    return items
  }

  /** Of a lookup, the owner in place of what led to it. */
  async #followed(items: readonly Item[]): Promise<readonly Item[]> {
    const { follow } = this.#runnable
    const [first] = items
    if (follow === undefined || first === undefined) return items
    this.#cursors = this.#cursors.map(() => undefined)
    const request = await follow(first)
    if (request === undefined) return items
    const owners = await this.#ask(request, {}, 0)
    this.#cursors = this.#cursors.map(() => undefined)
    return owners
  }

  #merged(items: Item[]): readonly Item[] {
    const { mergeBy, requests } = this.#runnable
    if (mergeBy === undefined || requests.length < 2) return items
    const { attribute, isDescending } = mergeBy
    return items.toSorted((one, other) => {
      const [a, b] = [attributeOf(one, attribute), attributeOf(other, attribute)]
      if (a === undefined || b === undefined) return 0
      return (isDescending ? -1 : 1) * (compareScalars(a, b) ?? 0)
    })
  }

  #addPage(page: PageFacts): void {
    this.#change({ pages: [...this.#current.pages, page] })
  }

  #change(changes: Partial<RunState>): void {
    this.#current = { ...this.#current, ...changes }
    this.#listeners.notify()
  }
}

function unitsOf(consumed: unknown): number {
  const { CapacityUnits } = (consumed ?? {}) as { readonly CapacityUnits?: unknown }
  return typeof CapacityUnits === 'number' ? CapacityUnits : 0
}
