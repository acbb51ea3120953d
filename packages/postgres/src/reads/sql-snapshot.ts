import { StorageError, type Key, type OpenSnapshot, type Range, type Value } from '@hashrange/engine'
import type { Call, Link } from '../connection/link.ts'
import { rethrowAsStorageError } from '../connection/rethrow.ts'
import type { Dialect } from './found.ts'
import { readRange } from './read-range.ts'
import { readInTransaction } from './view-snapshot.ts'

/** A snapshot that a connection of its own holds until it is closed. */
export class SqlSnapshot implements OpenSnapshot {
  readonly #dialect: Dialect
  readonly #link: Link
  readonly #end: () => void
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(dialect: Dialect, link: Link, end: () => void) {
    this.#dialect = dialect
    this.#link = link
    this.#end = end
  }

  async get(key: Key): Promise<Value | undefined> {
    return (await this.getMany([key]))[0]
  }

  getMany(keys: readonly Key[]): Promise<readonly (Value | undefined)[]> {
    return this.#inTurn(() => readInTransaction(this.#dialect, (calls) => this.#run(calls), keys))
  }

  range(bounds: Range, visit: (key: Key, value: Value) => boolean): Promise<void> {
    return this.#inTurn(() => readRange(this.#dialect, (calls) => this.#run(calls), bounds, visit))
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    void this.#last.then(this.#end)
  }

  async #run(calls: readonly Call[]): Promise<void> {
    const [error] = await this.#link.run(calls)
    if (error !== undefined) throw error
  }

  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageError('io', 'The snapshot is closed.'))
    const answer = this.#last.then(read).catch(rethrowAsStorageError)
    this.#last = answer.catch(() => undefined)
    return answer
  }
}
