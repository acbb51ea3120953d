import { idOfKey, readMany, type WantedItem } from '../client/batch-get.ts'
import type { Connection, Meter } from '../client/connection.ts'
import type { StoredItem } from '../client/entity-runtime.ts'

/** The service's limit for one BatchGetItem. */
const mostKeys = 100

interface Waiting {
  readonly wanted: WantedItem
  readonly answer: Promise<StoredItem | undefined>
  readonly resolve: (item: StoredItem | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Reads that are asked for at about the same time are one request. Each asks for the newest version of its item. */
export class GroupedReads {
  readonly #connection: Connection
  readonly #meter: Meter
  #waiting = new Map<string, Waiting>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(connection: Connection, meter: Meter) {
    this.#connection = connection
    this.#meter = meter
  }

  read(table: string, key: StoredItem): Promise<StoredItem | undefined> {
    const id = idOfKey(table, key)
    const known = this.#waiting.get(id)
    if (known !== undefined) return known.answer
    const { promise, resolve, reject } = withResolvers<StoredItem | undefined>()
    this.#waiting.set(id, { wanted: { table, key }, answer: promise, resolve, reject })
    if (this.#waiting.size >= mostKeys) this.#flush()
    // Whatever else can be asked for now is.
    else this.#timer ??= setTimeout(() => this.#flush(), 0)
    return promise
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const group = this.#waiting
    this.#waiting = new Map()
    void this.#send(group)
  }

  async #send(group: ReadonlyMap<string, Waiting>): Promise<void> {
    try {
      const wanted = new Map([...group].map(([id, each]) => [id, each.wanted]))
      const found = await readMany(this.#connection, wanted, true, this.#meter)
      for (const [id, { resolve }] of group) resolve(found.get(id))
    } catch (error) {
      for (const { reject } of group.values()) reject(error)
    }
  }
}

/** Promise.withResolvers, which Node.js 20 does not have. */
export function withResolvers<T>(): {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
} {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle
    reject = fail
  })
  return { promise, resolve, reject }
}
