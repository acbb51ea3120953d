import type { Randomness } from '../../support/randomness.ts'
import type { Append, Read, Transaction } from '../checker/transaction.ts'
import type { Caller, Outcome } from './caller.ts'
import {
  checkOf,
  listTable,
  poolIndex,
  readsOfRefusal,
  statementOf,
  updateOf,
  valuesOf,
  type ListItem,
} from './list-requests.ts'
import type { ListSpace, Pool } from './list-space.ts'

/** What the clients of a run share. */
export interface ListHistory {
  readonly space: ListSpace
  readonly transactions: Transaction[]
  /** Of those that were committed, how many were transactions of the API, not single operations. */
  committed: number
  nextValue: number
  nextToken: number
}

/** One client that appends to lists and reads them, in every way the API has, and writes down what it does. */
export class ListClient {
  readonly #name: string
  readonly #caller: Caller
  readonly #history: ListHistory
  readonly #random: Randomness

  constructor(name: string, caller: Caller, history: ListHistory, random: Randomness) {
    this.#name = name
    this.#caller = caller
    this.#history = history
    this.#random = random
  }

  async step(): Promise<void> {
    const random = this.#random
    const { pool, keys } = this.#history.space.choose(random, random.between(1, 4))
    const [key = ''] = keys
    const choice = random.next()
    if (choice < 0.35) await this.#appendTogether(pool, this.#appendsTo(keys))
    else if (choice < 0.55) await this.#readAndAppend(pool, keys)
    else if (choice < 0.75) await this.readTogether(keys)
    else if (choice < 0.85) await this.#append(pool, key)
    else if (choice < 0.9) await this.#read(key)
    else await this.readPool(pool)
  }

  async readTogether(keys: readonly string[]): Promise<readonly Read[] | undefined> {
    const actions = keys.map((key) => ({ Get: { TableName: listTable, Key: { pk: { S: key } } } }))
    return this.#onlyRead('TransactGetItems', { TransactItems: actions }, (body) => {
      this.#history.committed++
      const { Responses } = body as { Responses: readonly { Item?: ListItem }[] }
      return keys.map((key, index) => ({ key, values: valuesOf(Responses[index]?.Item) }))
    })
  }

  /** All lists of a pool at once, as the index holds them. */
  readPool({ name, keys }: Pool): Promise<readonly Read[] | undefined> {
    const query = {
      TableName: listTable,
      IndexName: poolIndex,
      KeyConditionExpression: '#pool = :pool',
      ExpressionAttributeNames: { '#pool': 'pool' },
      ExpressionAttributeValues: { ':pool': { S: name } },
    }
    return this.#onlyRead('Query', query, (body) => {
      const { Items } = body as { Items: readonly ListItem[] }
      const found = new Map(Items.map((item) => [item.pk.S, valuesOf(item)]))
      return keys.map((key) => ({ key, values: found.get(key) ?? [] }))
    })
  }

  #read(key: string): Promise<readonly Read[] | undefined> {
    const input = { TableName: listTable, Key: { pk: { S: key } }, ConsistentRead: true }
    return this.#onlyRead('GetItem', input, (body) => [
      { key, values: valuesOf((body as { Item?: ListItem }).Item) },
    ])
  }

  /** An update that tells what it found. */
  async #append(pool: Pool, key: string): Promise<void> {
    const appends = this.#appendsTo([key])
    const startedAtMs = performance.now()
    const [append] = appends
    if (append === undefined) return
    const outcome = await this.#caller.call('UpdateItem', { ...updateOf(append), ReturnValues: 'ALL_OLD' })
    const reads =
      outcome.kind === 'done'
        ? [{ key, values: valuesOf((outcome.body as { Attributes?: ListItem }).Attributes) }]
        : []
    this.#note(startedAtMs, outcome, pool, appends, reads)
  }

  /** Blind appends to several lists. Half of them have a token, and are sent until they have an answer. */
  async #appendTogether(pool: Pool, appends: readonly Append[]): Promise<void> {
    if (this.#random.chance(0.15)) {
      const input = { TransactStatements: appends.map((append) => statementOf(append)) }
      await this.#transact(pool, 'ExecuteTransaction', input, appends, [], [])
    } else {
      const input = { TransactItems: appends.map((append) => ({ Update: updateOf(append) })) }
      await this.#transact(pool, 'TransactWriteItems', input, appends, [], [])
    }
  }

  /** Reads, then appends to some of what was read, if nothing has changed since. */
  async #readAndAppend(pool: Pool, keys: readonly string[]): Promise<void> {
    const seen = await this.readTogether(keys)
    if (seen === undefined) return
    const appends = this.#appendsTo(keys.slice(0, this.#random.between(1, keys.length)))
    const lengths = seen.map((read) => ({
      key: read.key,
      length: 'values' in read ? read.values.length : read.length,
    }))
    const TransactItems = lengths.map(({ key, length }, index) => {
      const append = appends[index]
      return append === undefined ? { ConditionCheck: checkOf(key, length) } : { Update: updateOf(append, length) }
    })
    await this.#transact(pool, 'TransactWriteItems', { TransactItems }, appends, lengths, keys)
  }

  async #transact(
    pool: Pool,
    operation: 'TransactWriteItems' | 'ExecuteTransaction',
    input: object,
    appends: readonly Append[],
    reads: readonly Read[],
    keys: readonly string[],
  ): Promise<void> {
    const random = this.#random
    const startedAtMs = performance.now()
    const hasToken = random.chance(0.5)
    const request = hasToken
      ? { ...input, ClientRequestToken: `${this.#history.nextToken++}-${Math.floor(random.next() * 2 ** 32)}` }
      : input
    let outcome = await this.#caller.call(operation, request)
    if (hasToken && outcome.kind === 'unknown') outcome = await this.#sendAgain(operation, request)
    if (outcome.kind === 'done') this.#history.committed++
    const seen =
      outcome.kind === 'done' ? reads : outcome.kind === 'refused' ? readsOfRefusal(outcome.body, keys) : []
    this.#note(startedAtMs, outcome, pool, appends, seen)
    // Somebody who did not trust the answer: it must not happen again.
    if (hasToken && outcome.kind === 'done' && random.chance(0.05)) {
      const again = await this.#caller.call(operation, request)
      const text = again.kind === 'refused' ? JSON.stringify(again.body) : ''
      if (/ConditionalCheckFailed|Mismatch/.test(text)) this.#caller.report(`a token was forgotten: ${text}`)
    }
  }

  async #sendAgain(operation: string, request: object): Promise<Outcome> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const outcome = await this.#caller.call(operation, request)
      if (outcome.kind === 'done') return outcome
      // The first one may still be on its way, and come when it is no longer refused.
      if (outcome.kind === 'refused' && outcome.type !== 'TransactionInProgressException') break
    }
    return { kind: 'unknown', why: 'it was sent again in vain' }
  }

  async #onlyRead(
    operation: string,
    input: object,
    readsOf: (body: unknown) => readonly Read[],
  ): Promise<readonly Read[] | undefined> {
    const startedAtMs = performance.now()
    const outcome = await this.#caller.call(operation, input)
    if (outcome.kind !== 'done') return undefined
    const endedAtMs = performance.now()
    const reads = readsOf(outcome.body)
    this.#push({ startedAtMs, endedAtMs, outcome: 'committed', appends: [], reads })
    return reads
  }

  #note(
    startedAtMs: number,
    outcome: Outcome,
    pool: Pool,
    appends: readonly Append[],
    reads: readonly Read[],
  ): void {
    const endedAtMs = performance.now()
    switch (outcome.kind) {
      case 'done':
        this.#history.space.noteAppends(pool, appends.length)
        this.#push({ startedAtMs, endedAtMs, outcome: 'committed', appends, reads })
        break
      case 'refused':
        this.#push({ startedAtMs, endedAtMs, outcome: 'aborted', appends, reads })
        break
      case 'unknown':
        this.#history.space.noteAppends(pool, appends.length)
        this.#push({ startedAtMs, endedAtMs: Infinity, outcome: 'unknown', appends, reads: [] })
        break
      case 'not sent':
        break
    }
  }

  #push(transaction: Omit<Transaction, 'id' | 'client'>): void {
    const { transactions } = this.#history
    transactions.push({ id: transactions.length, client: this.#name, ...transaction })
  }

  #appendsTo(keys: readonly string[]): readonly Append[] {
    return keys.map((key) => {
      const count = this.#random.chance(0.2) ? 2 : 1
      return { key, values: Array.from({ length: count }, () => this.#history.nextValue++) }
    })
  }
}

const mostAttempts = 100
