import type { Key, MaybePromise, Range, Snapshot, Value } from '@hashrange/engine'
import type { Link } from '../connection/link.ts'
import type { LinkPool } from '../connection/link-pool.ts'
import { readKeys, type Dialect } from './found.ts'
import type { PointReads } from './point-reads.ts'
import type { RunCalls } from './read-page.ts'
import { readRange } from './read-range.ts'

export interface ReadPaths {
  readonly pool: LinkPool
  readonly points: PointReads
  readonly dialect: Dialect
  /** Reads keys from several nodes as of one moment, which only locks can do. */
  readonly readLocked: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>
}

/** Runs `read` against one snapshot. If all it does is to hand back the promise of its first answer, that answer needs no
 *  transaction, and shares its statement with others; else the answers come from one transaction, which is over with the last. */
export function runView<T>(paths: ReadPaths, read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
  const snapshot = new ViewSnapshot(paths)
  const result = read(snapshot)
  if (!(result instanceof Promise)) return result
  snapshot.begin(result)
  return result
}

/** What is asked for before it is known whether more will follow waits until `begin`. */
class ViewSnapshot implements Snapshot {
  readonly #paths: ReadPaths
  #first: { readonly promise: Promise<unknown>; readonly points: readonly Key[] | undefined } | undefined
  #begin: () => void = () => undefined
  readonly #begun: Promise<void>
  #isAlone = false
  #link: Promise<Link> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(paths: ReadPaths) {
    this.#paths = paths
    this.#begun = new Promise((resolve) => (this.#begin = resolve))
  }

  get(key: Key): Promise<Value | undefined> {
    return this.#answer([key], async () => (await this.#read([key]))[0])
  }

  getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    return this.#answer(keys, () => this.#read(keys))
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean): Promise<void> {
    return this.#answer(undefined, async () => {
      const link = await this.#transaction()
      await readRange(this.#paths.dialect, (calls) => link.runInTransaction(calls), bounds, visit)
    })
  }

  begin(result: Promise<unknown>): void {
    this.#isAlone = result === this.#first?.promise && this.#first.points !== undefined
    this.#begin()
    if (this.#isAlone) return
    const end = (): void => void this.#end()
    result.then(end, end)
  }

  /** One after the other: they share a connection. */
  #answer<T>(points: readonly Key[] | undefined, answer: () => Promise<T>): Promise<T> {
    const before = this.#first === undefined ? this.#begun : this.#last
    const promise = before.then(answer)
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
