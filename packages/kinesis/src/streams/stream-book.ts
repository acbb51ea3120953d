import type { Decision, RecordSpace, Scope, ServiceHost, Value, Write } from '@hashrange/engine'
import type { StreamDefinition } from './stream-definition.ts'
import { streamNotFound } from './stream-errors.ts'

/** The result of a change of a stream: its definition afterwards, and what is written with it. */
export interface StreamChange<T> {
  /** Undefined removes it. */
  readonly definition: StreamDefinition | undefined
  readonly writes?: readonly Write[]
  readonly answer: T
}

/** The streams that there are. What was parsed is remembered, because every request needs it, and a stream may have
 *  many shards: a process that has the store for itself compares the bytes; servers that share one look again after a
 *  moment. Writing does not depend on it: the state of a shard is read in the transaction itself. */
export class StreamBook {
  readonly #host: Pick<ServiceHost, 'isShared' | 'transact' | 'view'>
  readonly #records: RecordSpace<StreamDefinition>
  readonly #known = new Map<string, KnownStream>()

  constructor(host: ServiceHost) {
    this.#host = host
    this.#records = host.records<StreamDefinition>('kinesisStream')
  }

  /** `isFresh`: as it is in the store now. */
  async find(scope: Scope, name: string, isFresh = false): Promise<StreamDefinition | undefined> {
    const place = `${scope.accountId}/${scope.region}/${name}`
    const known = this.#known.get(place)
    if (known !== undefined && !isFresh && this.#host.isShared && performance.now() - known.atMs < trustedMs) {
      return known.definition
    }
    const atMs = performance.now()
    const key = this.#records.key(scope, [name])
    const value = await this.#host.view((snapshot) => snapshot.get(key))
    if (value === undefined) {
      this.#known.delete(place)
      return undefined
    }
    if (known?.value.equals(value) === true) {
      known.atMs = atMs
      return known.definition
    }
    const definition = this.#records.decode(value)
    if (definition === undefined) return undefined
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(place, { value: Buffer.from(value), definition, atMs })
    return definition
  }

  async require(scope: Scope, name: string, isFresh = false): Promise<StreamDefinition> {
    const definition = await this.find(scope, name, isFresh)
    if (definition === undefined) throw streamNotFound(scope, name)
    return definition
  }

  /** All streams of a scope, by name. */
  list(scope: Scope): Promise<readonly StreamDefinition[]> {
    return this.#records.list(scope)
  }

  /** Those of all scopes. */
  all(): ReturnType<RecordSpace<StreamDefinition>['all']> {
    return this.#records.all()
  }

  page(scope: Scope, limit: number, after: string | undefined): ReturnType<RecordSpace<StreamDefinition>['page']> {
    return this.#records.page(scope, { limit, after: after === undefined ? undefined : [after] })
  }

  /** Decides on a stream that may not exist, and on further keys that are read with it. */
  async decide<T>(
    scope: Scope,
    name: string,
    keys: readonly Buffer[],
    decide: (current: StreamDefinition | undefined, values: readonly (Value | undefined)[]) => StreamChange<T>,
  ): Promise<T> {
    const key = this.#records.key(scope, [name])
    const answer = await this.#host.transact([key, ...keys], ([value, ...others]): Decision<T> => {
      const current = this.#records.decode(value)
      const change = decide(current, others)
      const own: readonly Write[] =
        change.definition === current
          ? []
          : [
              change.definition === undefined
                ? this.#records.delete(scope, [name])
                : this.#records.put(scope, [name], change.definition),
            ]
      return { writes: [...own, ...(change.writes ?? [])], answer: change.answer }
    })
    this.#known.delete(`${scope.accountId}/${scope.region}/${name}`)
    return answer
  }

  /** Replaces the definition of an existing stream. */
  async change(
    scope: Scope,
    name: string,
    change: (current: StreamDefinition) => StreamDefinition,
  ): Promise<StreamDefinition> {
    return this.decide(scope, name, [], (current) => {
      if (current === undefined) throw streamNotFound(scope, name)
      const definition = change(current)
      return { definition, answer: definition }
    })
  }
}

interface KnownStream {
  readonly value: Buffer
  readonly definition: StreamDefinition
  atMs: number
}

const trustedMs = 400
const mostKnown = 1_000
