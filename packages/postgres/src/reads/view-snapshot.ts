import type { Key, MaybePromise, Range, Snapshot, Value } from '@hashrange/engine'
import type { Link } from '../connection/link.ts'
import type { LinkPool } from '../connection/link-pool.ts'
import { readKeys, type Dialect, type Found } from './found.ts'
import type { PointReads } from './point-reads.ts'
import { readAcrossNodes, type ShardNodes } from './read-across-nodes.ts'
import type { RunCalls } from './read-page.ts'
import { readRange, readRangeAtOnce } from './read-range.ts'

export interface ReadPaths {
  readonly pool: LinkPool
  readonly points: PointReads
  readonly dialect: Dialect
  /** Nodes that can be asked directly. */
  readonly workers?: DirectNodes | undefined
  /** Reads keys from several nodes as of one moment, which requires locks. */
  readonly readLocked: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>
}

/** The nodes of a database that can be asked directly. */
export interface DirectNodes extends ShardNodes {
  /** The node that has all the keys, if one has. */
  nodeOf(keys: readonly Key[]): { readonly points: PointReads; readonly isSilent: boolean } | undefined
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
  #hasBegun = false
  #isAlone = false
  #link: Promise<Link> | undefined
  #last: Promise<unknown> | undefined

  constructor(paths: ReadPaths, elsewhere: Elsewhere | undefined) {
    this.#paths = paths
    this.#elsewhere = elsewhere
  }

  get(key: Key): Promise<Value | undefined> {
    const keys = [key]
    if (this.#isPlain) return this.#readFirst(keys, ([found]) => found?.value)
    return this.#answer(
      keys,
      async () => (await this.#read(keys))[0],
      (view) => view((snapshot) => snapshot.get(key)),
    )
  }

  getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    if (this.#isPlain) return this.#readFirst(keys, valuesOf)
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
        const rest = bounds.isAlone === true ? await this.#readAlone(bounds, visiting) : bounds
        if (rest === undefined) return
        const link = await this.#transaction()
        await readRange(this.#paths.dialect, (calls) => link.runInTransaction(calls), rest, visiting)
      },
      // A visitor that has seen the beginning must not see it again.
      (view) => (hasVisited ? undefined : view((snapshot) => snapshot.range(bounds, visit))),
    )
  }

  begin(result: Promise<unknown>): void {
    this.#isAlone = result === this.#first?.promise && this.#first.points !== undefined
    this.#hasBegun = true
    this.#begin()
    if (this.#isAlone) return
    const end = (): void => void this.#end()
    result.then(end, end)
  }

  get #isPlain(): boolean {
    return this.#first === undefined && this.#elsewhere === undefined
  }

  /** Most requests read once and nothing else: that takes one promise. */
  #readFirst<T>(keys: readonly Key[], shown: (found: readonly (Found | undefined)[]) => T): Promise<T> {
    const promise = new Promise<T>((resolve, reject) => {
      this.#begin = () => {
        const reader = { resolve: (found: readonly (Found | undefined)[]) => resolve(shown(found)), reject }
        if (this.#isAlone && !this.#paths.dialect.distributed) this.#paths.points.readFor(reader, keys)
        else this.#find(keys).then(reader.resolve, reject)
      }
    })
    this.#first = { promise, points: keys }
    if (this.#hasBegun) this.#begin()
    return promise
  }

  /** One after the other: they share a connection. */
  #answer<T>(
    points: readonly Key[] | undefined,
    answer: () => Promise<T>,
    again: (view: RunView) => MaybePromise<T> | undefined,
  ): Promise<T> {
    const before =
      this.#last ??
      this.#first?.promise.catch(() => undefined) ??
      (this.#hasBegun ? Promise.resolve() : new Promise<void>((resolve) => (this.#begin = resolve)))
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
    return valuesOf(await this.#find(keys))
  }

  async #find(keys: readonly Key[]): Promise<readonly (Found | undefined)[]> {
    if (this.#isAlone) {
      const found = await this.#findOnNode(keys)
      if (found !== undefined) return found
      if (!this.#isOnSeveralNodes(keys)) return this.#paths.points.read(keys)
      const values = await this.#paths.readLocked(keys)
      return values.map((value) => value && { version: undefined, value })
    }
    const link = await this.#transaction()
    return findInTransaction(this.#paths.dialect, (calls) => link.runInTransaction(calls), keys)
  }

  /** If one node has all the keys, and can be asked. */
  async #findOnNode(keys: readonly Key[]): Promise<readonly (Found | undefined)[] | undefined> {
    const { workers } = this.#paths
    const node = workers?.nodeOf(keys)
    if (node === undefined) return undefined
    try {
      return await node.points.read(keys)
    } catch (error) {
      if (node.isSilent) throw error
      workers?.noteFailure(error)
      return undefined
    }
  }

  /** Returns what is left of the range. */
  async #readAlone(bounds: Range, visit: (key: Key, value: Value) => boolean): Promise<Range | undefined> {
    const { dialect, workers } = this.#paths
    if (this.#link !== undefined) return bounds
    if (!dialect.distributed) return (await this.#readAtOnce(bounds, visit)) ? undefined : bounds
    if (workers === undefined) return bounds
    const { first, last } = dialect.placement.shardsBetween(bounds.from, bounds.to)
    if (first !== last) return readAcrossNodes(workers, dialect, bounds, visit)
    return (await this.#readAtOnceOnNode(workers, first, bounds, visit)) ? undefined : bounds
  }

  /** The connection is free again with the answer: nothing has to be said to end a transaction. */
  #readAtOnce(bounds: Range, visit: (key: Key, value: Value) => boolean): Promise<boolean> {
    const { pool, dialect } = this.#paths
    const run: RunCalls = async (calls) => {
      const link = pool.takeIdle() ?? (await pool.acquire())
      try {
        const error = await link.runOne(calls)
        if (error !== undefined) throw error
      } finally {
        pool.release(link)
      }
    }
    return readRangeAtOnce(dialect, run, bounds, visit)
  }

  async #readAtOnceOnNode(
    workers: DirectNodes,
    shard: number,
    bounds: Range,
    visit: (key: Key, value: Value) => boolean,
  ): Promise<boolean> {
    const [node] = workers.nodesOf([shard])?.keys() ?? []
    if (node === undefined) return false
    let failure: unknown
    const run: RunCalls = async (calls) => {
      try {
        await node.read([shard], calls)
      } catch (error) {
        failure = error
        throw error
      }
    }
    try {
      return await readRangeAtOnce(node.dialect, run, bounds, visit)
    } catch (error) {
      if (error !== failure || node.isSilent) throw error
      workers.noteFailure(error)
      return false
    }
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
    await (this.#last ?? this.#first?.promise.catch(() => undefined))
    await link.finish().catch(() => undefined)
    this.#paths.pool.release(link)
  }
}

export async function readInTransaction(
  dialect: Dialect,
  run: RunCalls,
  keys: readonly Key[],
): Promise<readonly (Value | undefined)[]> {
  return valuesOf(await findInTransaction(dialect, run, keys))
}

async function findInTransaction(
  dialect: Dialect,
  run: RunCalls,
  keys: readonly Key[],
): Promise<readonly (Found | undefined)[]> {
  const { calls, answers } = readKeys(dialect, keys)
  if (calls.length > 0) await run(calls)
  return answers
}

function valuesOf(found: readonly (Found | undefined)[]): readonly (Value | undefined)[] {
  return found.map((one) => one?.value)
}
