import {
  partsOfRecordKey,
  recordKey,
  recordRange,
  recordSpaceRange,
  type RecordSpaceName,
} from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import type { Decision, Key, Range, Store, Value, Write } from '../store/store.ts'

const removedAtOnce = 1000

/** Small records that a scope has by name, such as alarms: stored as JSON, and never cached, because another server
 *  of the same store may have changed them. */
export class RecordSpace<T extends object> {
  readonly #store: Store
  readonly #space: RecordSpaceName

  constructor(store: Store, space: RecordSpaceName) {
    this.#store = store
    this.#space = space
  }

  async get(scope: Scope, parts: readonly string[]): Promise<T | undefined> {
    const value = await this.#store.view((snapshot) => snapshot.get(this.key(scope, parts)))
    return this.decode(value)
  }

  /** The records of a scope that start with these parts, in the order of their names. */
  async list(scope: Scope, parts: readonly string[] = []): Promise<readonly T[]> {
    const found: T[] = []
    await this.scan(scope, parts, (record) => {
      found.push(record)
      return true
    })
    return found
  }

  /** Passes records to `visit`, in the order of `list` or in reverse, until it returns false. */
  async scan(
    scope: Scope,
    parts: readonly string[],
    visit: (record: T) => boolean,
    { reverse = false } = {},
  ): Promise<void> {
    const range = recordRange(this.#space, scope.accountId, scope.region, parts)
    await this.#visit({ ...range, reverse }, ({ record }) => visit(record))
  }

  /** One page of a scope's records, in the order of their names or in reverse, of those that match `matches`. */
  async page(scope: Scope, request: PageRequest<T>): Promise<Page<T>> {
    const bounds = recordRange(this.#space, scope.accountId, scope.region, request.parts ?? [])
    const start = request.after === undefined ? undefined : this.key(scope, request.after)
    const range: Range = request.reverse
      ? { from: bounds.from, to: start ?? bounds.to, reverse: true }
      : { from: start === undefined ? bounds.from : Buffer.concat([start, Buffer.of(0)]), to: bounds.to }
    const records: T[] = []
    let last: readonly string[] | undefined
    let more = false
    await this.#visit(range, ({ parts, record }) => {
      if (request.matches !== undefined && !request.matches(record)) return true
      if (records.length === request.limit) {
        more = true
        return false
      }
      records.push(record)
      last = parts
      return true
    })
    return { records, next: more ? last : undefined }
  }

  /** Every record of every scope. */
  async all(): Promise<readonly ScopedRecord<T>[]> {
    const found: ScopedRecord<T>[] = []
    await this.#visit(recordSpaceRange(this.#space), (scoped) => {
      found.push(scoped)
      return true
    })
    return found
  }

  /** Replaces a record with the result of `decide`; undefined removes it. Returns the record afterwards. */
  async change(
    scope: Scope,
    parts: readonly string[],
    decide: (current: T | undefined) => T | undefined,
  ): Promise<T | undefined> {
    return (await this.replace(scope, parts, decide)).record
  }

  /** The same, but also returns whether it has changed. */
  replace(
    scope: Scope,
    parts: readonly string[],
    decide: (current: T | undefined) => T | undefined,
  ): Promise<ReplacedRecord<T>> {
    return this.#store.transact([this.key(scope, parts)], ([value]): Decision<ReplacedRecord<T>> => {
      const current = this.decode(value)
      const record = decide(current)
      if (record === current) return { writes: [], answer: { record, isOther: false } }
      return {
        writes: [record === undefined ? this.delete(scope, parts) : this.put(scope, parts, record)],
        answer: { record, isOther: true },
      }
    })
  }

  /** Removes the records of all scopes that match `matches`, a few at a time. */
  async removeAll(matches: (record: T) => boolean): Promise<void> {
    let from = recordSpaceRange(this.#space).from
    for (;;) {
      const keys: Key[] = []
      let last: Buffer | undefined
      let seen = 0
      await this.#store.view((snapshot) =>
        snapshot.range({ from, to: recordSpaceRange(this.#space).to }, (key, value) => {
          last = Buffer.from(key)
          const record = this.decode(value)
          if (record !== undefined && matches(record)) keys.push(last)
          return ++seen < removedAtOnce
        }),
      )
      if (keys.length > 0) {
        const writes = keys.map((key): Write => ({ kind: 'delete', key }))
        await this.#store.transact([], () => ({ writes, answer: undefined }))
      }
      if (last === undefined || seen < removedAtOnce) return
      from = Buffer.concat([last, Buffer.of(0)])
    }
  }

  key(scope: Scope, parts: readonly string[]): Buffer {
    return recordKey(this.#space, scope.accountId, scope.region, parts)
  }

  put(scope: Scope, parts: readonly string[], record: T): Write {
    return { kind: 'put', key: this.key(scope, parts), value: Buffer.from(JSON.stringify(record), 'utf8') }
  }

  delete(scope: Scope, parts: readonly string[]): Write {
    return { kind: 'delete', key: this.key(scope, parts) }
  }

  decode(value: Value | undefined): T | undefined {
    return value === undefined ? undefined : (JSON.parse(value.toString('utf8')) as T)
  }

  async #visit(range: Range, visit: (found: ScopedRecord<T>) => boolean): Promise<void> {
    await this.#store.view((snapshot) =>
      snapshot.range(range, (key, value) => {
        const record = this.decode(value)
        if (record === undefined) return true
        const { accountId, region, parts } = partsOfRecordKey(key)
        return visit({ scope: { accountId, region }, parts, record })
      }),
    )
  }
}

export interface ReplacedRecord<T> {
  readonly record: T | undefined
  readonly isOther: boolean
}

export interface ScopedRecord<T> {
  readonly scope: Scope
  readonly parts: readonly string[]
  readonly record: T
}

export interface PageRequest<T> {
  readonly parts?: readonly string[]
  readonly limit: number
  /** The name of the last record of the previous page. */
  readonly after?: readonly string[] | undefined
  readonly reverse?: boolean
  readonly matches?: (record: T) => boolean
}

export interface Page<T> {
  readonly records: readonly T[]
  /** Where the next page starts, if there is one. */
  readonly next: readonly string[] | undefined
}
