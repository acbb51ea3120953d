import { itemSizeBytes } from '../check/item-size.ts'
import { idOfKey } from '../client/batch-get.ts'
import type { Connection, Meter } from '../client/connection.ts'
import { canceled, reasonsOf, refusalOf, writeRequest, type Sent } from '../client/send-writes.ts'
import type { WriteAction } from '../client/write-action.ts'
import { isThrottled, type AdaptivePace } from './adaptive-pace.ts'
import { withResolvers } from './grouped-reads.ts'

/** The service's limit for one transaction. */
const mostActions = 100
/** The service allows four times as much, but who waits for such a transaction waits long. */
const mostBytes = 1_000_000
/** Requests under way at once. A client of the AWS SDK has 50 connections, of which reads need some. */
const mostRequests = 32

interface Waiting {
  readonly actions: readonly WriteAction[]
  readonly keys: readonly string[]
  readonly bytes: number
  readonly resolve: (sent: Sent) => void
  readonly reject: (error: unknown) => void
}

/** Small transactions that are asked for at about the same time are sent as one. Each still has its own outcome: if the conditions
 *  of some do not hold, those are told so, and the others are sent again without them. */
export class GroupedWrites {
  readonly #connection: Connection
  readonly #meter: Meter
  readonly #pace: AdaptivePace
  readonly #keyNames: ReadonlyMap<string, readonly string[]>
  #waiting: Waiting[] = []
  #waitingActions = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Falls when others write the same items: a large transaction is in their way, and they in its. */
  #most = mostActions
  #underWay = 0
  readonly #turns: (() => void)[] = []

  constructor(
    connection: Connection,
    meter: Meter,
    pace: AdaptivePace,
    keyNames: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#connection = connection
    this.#meter = meter
    this.#pace = pace
    this.#keyNames = keyNames
  }

  /** One action is a request of its own: in a transaction it would cost twice as much. */
  send(actions: readonly WriteAction[]): Promise<Sent> {
    if (actions.length === 1) return this.#inTurn(() => this.#sendAlone(actions))
    const { promise, resolve, reject } = withResolvers<Sent>()
    const keys = actions.map((action) => this.#idOf(action))
    const bytes = actions.reduce(
      (sum, { input: { Item } }) => sum + (Item === undefined ? 0 : itemSizeBytes(Item)),
      0,
    )
    this.#wait([{ actions, keys, bytes, resolve, reject }])
    return promise
  }

  async #sendAlone(actions: readonly WriteAction[]): Promise<Sent> {
    const { operation, input } = writeRequest(this.#connection, actions, {})
    try {
      // Nobody looks at what comes back.
      await this.#connection.send(operation, { ...input, ReturnValues: 'NONE' }, this.#meter)
      return { isDone: true, attributes: undefined }
    } catch (error) {
      return refusalOf(error, actions)
    }
  }

  #wait(members: readonly Waiting[]): void {
    for (const member of members) {
      this.#waiting.push(member)
      this.#waitingActions += member.actions.length
    }
    if (this.#waitingActions >= this.#limit()) this.#flush()
    else if (members.length > 0) this.#timer ??= setTimeout(() => this.#flush(), 0)
  }

  /** At a low rate, none should be as large as what may be used in a second. */
  #limit(): number {
    return Math.max(2, Math.min(this.#most, Math.floor(this.#pace.unitsPerSecond / 4)))
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingActions = 0
    for (const group of groupsOf(waiting, this.#limit())) void this.#inTurn(() => this.#send(group))
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    try {
      const { operation, input } = writeRequest(
        this.#connection,
        group.flatMap(({ actions }) => actions),
        {},
      )
      await this.#connection.send(operation, input, this.#meter)
      this.#most = Math.min(mostActions, this.#most + 2)
      for (const { resolve } of group) resolve({ isDone: true, attributes: undefined })
    } catch (error) {
      await this.#sendOthers(group, error)
    }
  }

  /** It may be about one of them only: a condition that does not hold, or an item that is too large. */
  async #sendOthers(group: readonly Waiting[], error: unknown): Promise<void> {
    const name = error instanceof Error ? error.name : ''
    // The rate is lower now, and so are the groups.
    if (isThrottled(error) && !this.#pace.isHopeless) return this.#wait(group)
    if (error instanceof Error && name === 'TransactionCanceledException') {
      this.#most = Math.max(4, Math.floor(this.#most / 2))
      const others = refuse(group, error)
      if (others.length < group.length) return this.#wait(others)
    }
    const isOfOne = name === 'ValidationException' || name === 'TransactionCanceledException'
    if (group.length === 1 || !isOfOne) for (const { reject } of group) reject(error)
    else for (const member of group) await this.#send([member])
  }

  #idOf({ input: { TableName, Key, Item } }: WriteAction): string {
    if (Key !== undefined) return idOfKey(TableName, Key)
    const names = this.#keyNames.get(TableName) ?? []
    return idOfKey(TableName, Object.fromEntries(names.map((name) => [name, Item?.[name] ?? { S: '' }])))
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#underWay >= mostRequests) await new Promise<void>((resolve) => this.#turns.push(resolve))
    else this.#underWay++
    try {
      return await run()
    } finally {
      const next = this.#turns.shift()
      // Whoever is next takes over the place.
      if (next === undefined) this.#underWay--
      else next()
    }
  }
}

/** Tells those whose conditions did not hold; the others are left. */
function refuse(group: readonly Waiting[], error: Error): readonly Waiting[] {
  const reasons = reasonsOf(error)
  let from = 0
  return group.filter(({ actions, resolve, reject }) => {
    const own = reasons.slice(from, (from += actions.length))
    if (own.every(({ Code = 'None' }) => Code === 'None')) return true
    try {
      resolve(canceled(error, own, actions))
    } catch (other) {
      reject(other)
    }
    return false
  })
}

/** As few groups as their limits allow. No two actions of a transaction may be about the same item. */
function groupsOf(waiting: readonly Waiting[], most: number): readonly (readonly Waiting[])[] {
  const groups: Waiting[][] = []
  let left = waiting
  while (left.length > 0) {
    const group: Waiting[] = []
    const later: Waiting[] = []
    const keys = new Set<string>()
    let [actions, bytes] = [0, 0]
    for (const member of left) {
      const isFull = actions + member.actions.length > most || bytes + member.bytes > mostBytes
      if (group.length > 0 && (isFull || member.keys.some((key) => keys.has(key)))) {
        later.push(member)
        continue
      }
      group.push(member)
      for (const key of member.keys) keys.add(key)
      actions += member.actions.length
      bytes += member.bytes
    }
    groups.push(group)
    left = later
  }
  return groups
}
