import type { Key, MaybePromise, Range, Snapshot, Value } from '@hashrange/engine'
import type { Link } from '../connection/link.ts'
import type { LinkPool } from '../connection/link-pool.ts'
import { readKeys, type Dialect } from './found.ts'
import type { PointReads } from './point-reads.ts'
import type { RunCalls } from './read-page.ts'
import { readRange, readRangeAtOnce } from './read-range.ts'

export interface ReadPaths {
  readonly pool: LinkPool
  readonly points: PointReads
  readonly dialect: Dialect
  /** Reads keys from several nodes as of one moment, which requires locks. */
  readonly readLocked: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>
}

/** Handles a read that failed. Returns undefined if the error is the reader's own. */
export type Elsewhere = (error: unknown) => RunView | undefined

type RunView = <T>(read: (snapshot: Snapshot) => MaybePromise<T>) => MaybePromise<T>

/** Runs `read` on one snapshot. If it only returns the promise of its first result, that result needs no transaction,
 *  and shares its statement with others; otherwise the results come from one transaction, which ends with the last. */
export function runView<T>(
  paths: ReadPaths,
  read: (snapshot: Snapshot) => MaybePromise<T>,
  elsewhere?: Elsewhere,
): MaybePromise<T> {
  const snapshot = new ViewSnapshot(paths, elsewhere)
  const result = read(snapshot)
  if (!(result instanceof Promise)) return result
  snapshot.begin(result)
  return result
}

/** What is requested before it is known whether more will follow waits until `begin`. */
class ViewSnapshot implements Snapshot {
  readonly #paths: ReadPaths
  readonly #elsewhere: Elsewhere | undefined
  #first: { readonly promise: Promise<unknown>; readonly points: readonly Key[] | undefined } | undefined
  #begin: () => void = () => undefined
  readonly #begun: Promise<void>
  #isAlone = false
  #link: Promise<Link> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(paths: ReadPaths, elsewhere: Elsewhere | undefined) {
    this.#paths = paths
    this.#elsewhere = elsewhere
    this.#begun = new Promise((resolve) => (this.#begin = resolve))
  }

  get(key: Key): Promise<Value | undefined> {
    return this.#answer(
      [key],
      async () => (await this.#read([key]))[0],
      (view) => view((snapshot) => snapshot.get(key)),
    )
  }

  getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    return this.#answer(
      keys,
      () => this.#read(keys),
      (view) => view((snapshot) => snapshot.getMany(keys)),
    )
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean): Promise<void> {
    let hasVisited = false
    const visiting =
      this.#elsewhere === undefined
        ? visit
        : (key: Key, value: Value): boolean => {
            hasVisited = true
            return visit(key, value)
          }
    return this.#answer(
      undefined,
      async () => {
        if (bounds.isAlone === true && (await this.#readAtOnce(bounds, visiting))) return
        const link = await this.#transaction()
        await readRange(this.#paths.dialect, (calls) => link.runInTransaction(calls), bounds, visiting)
      },
      // A visitor that has seen the beginning must not see it again.
      (view) => (hasVisited ? undefined : view((snapshot) => snapshot.range(bounds, visit))),
    )
  }

  begin(result: Promise<unknown>): void {
    this.#isAlone = result === this.#first?.promise && this.#first.points !== undefined
    this.#begin()
    if (this.#isAlone) return
    const end = (): void => void this.#end()
    result.then(end, end)
  }

  /** One after the other: they share a connection. */
  #answer<T>(
    points: readonly Key[] | undefined,
    answer: () => Promise<T>,
    again: (view: RunView) => MaybePromise<T> | undefined,
  ): Promise<T> {
    const before = this.#first === undefined ? this.#begun : this.#last
    const elsewhere = this.#elsewhere
    const promise =
      elsewhere === undefined
        ? before.then(answer)
        : before.then(answer).catch((error: unknown) => {
            const view = elsewhere(error)
            const answered = view && again(view)
            if (answered === undefined) throw error
            return answered
          })
    this.#first ??= { promise, points }
    this.#last = promise.catch(() => undefined)
    return promise
  }

  async #read(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    if (this.#isAlone) {
      if (this.#isOnSeveralNodes(keys)) return this.#paths.readLocked(keys)
      return (await this.#paths.points.read(keys)).map((found) => found?.value)
    }
    const link = await this.#transaction()
    return readInTransaction(this.#paths.dialect, (calls) => link.runInTransaction(calls), keys)
  }

  /** The connection is free again with the answer: nothing has to be said to end a transaction. */
  async #readAtOnce(bounds: Range, visit: (key: Key, value: Value) => boolean): Promise<boolean> {
    const { pool, dialect } = this.#paths
    if (dialect.distributed || this.#link !== undefined) return false
    const run: RunCalls = async (calls) => {
      const link = await pool.acquire()
      try {
        const [error] = await link.run(calls)
        if (error !== undefined) throw error
      } finally {
        pool.release(link)
      }
    }
    return readRangeAtOnce(dialect, run, bounds, visit)
  }

  #isOnSeveralNodes(keys: readonly Key[]): boolean {
    const { distributed, placement } = this.#paths.dialect
    return distributed && new Set(keys.map((key) => placement.shardOf(key))).size > 1
  }

  #transaction(): Promise<Link> {
    this.#link ??= this.#paths.pool.acquire()
    return this.#link
  }

  /** Nobody waits for it. */
  async #end(): Promise<void> {
    const link = await this.#link?.catch(() => undefined)
    if (link === undefined) return
    await this.#last
    await link.finish().catch(() => undefined)
    this.#paths.pool.release(link)
  }
}

export async function readInTransaction(
  dialect: Dialect,
  run: RunCalls,
  keys: readonly Key[],
): Promise<readonly (Value | undefined)[]> {
  const { calls, answers } = readKeys(dialect, keys)
  if (calls.length > 0) await run(calls)
  return answers.map((found) => found?.value)
}
