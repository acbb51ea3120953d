import { NoAnswer } from '../support/api-connection.ts'
import { ApiClient, Refused } from '../support/api-client.ts'
import type { Randomness } from '../support/randomness.ts'
import { counterTable, itemOf, itemTable } from './items.ts'
import type { Ledger, Write } from './ledger.ts'

/** A transaction with a token: sent again, it must not happen again. */
export interface TokenTransaction {
  readonly writes: readonly Write[]
  readonly request: object
}

export interface WriterOptions {
  readonly name: string
  readonly port: number
  readonly ledger: Ledger
  readonly random: Randomness
  /** Given each transaction that was acknowledged, and each of which no answer came. */
  readonly note: (transaction: TokenTransaction, isAcknowledged: boolean) => void
}

const itemsPerWriter = 40

/** Writes its own items, in every way there is, until there is no server any more. */
export class Writer {
  readonly #options: WriterOptions
  readonly #client: ApiClient
  readonly #keys: readonly string[]
  #count = 0

  constructor(options: WriterOptions) {
    this.#options = options
    this.#client = new ApiClient({ port: options.port, timeoutMs: 20_000 })
    this.#keys = Array.from({ length: itemsPerWriter }, (_, n) => `${options.name}/${n}`)
  }

  async run(isOver: () => boolean): Promise<void> {
    try {
      while (!isOver()) await this.#step()
    } catch (error) {
      // What a server that is stopping says: it is not known what became of the request.
      const isGone = error instanceof NoAnswer || (error instanceof Refused && error.status === 503)
      if (!isGone) throw error
    } finally {
      this.#client.close()
    }
  }

  async #step(): Promise<void> {
    const { random, ledger } = this.#options
    const choice = random.next()
    if (choice < 0.25) return this.#transact(random.someOf(this.#keys, random.between(1, 4)))
    if (choice < 0.35) return this.#batch(random.someOf(this.#keys, random.between(2, 12)))
    const key = random.oneOf(this.#keys)
    const isDelete = choice < 0.45 && ledger.isThere(key)
    const writes = ledger.ask([{ key, isDelete }])
    for (const write of writes) {
      if (isDelete) await this.#client.call('DeleteItem', { TableName: itemTable, Key: keyOf(write) })
      else if (choice < 0.7) await this.#client.call('UpdateItem', updateOf(write))
      else await this.#client.call('PutItem', { TableName: itemTable, Item: itemOf(write) })
    }
    ledger.acknowledge(writes)
  }

  async #transact(keys: readonly string[]): Promise<void> {
    const { ledger, random, name, note } = this.#options
    const writes = ledger.ask(keys.map((key) => ({ key, isDelete: ledger.isThere(key) && random.chance(0.1) })))
    const request = {
      ClientRequestToken: `${name}-${this.#count++}-${random.next()}`.slice(0, 36),
      TransactItems: [
        ...writes.map((write) =>
          write.isDelete
            ? { Delete: { TableName: itemTable, Key: keyOf(write) } }
            : { Put: { TableName: itemTable, Item: itemOf(write) } },
        ),
        {
          Update: {
            TableName: counterTable,
            Key: { pk: { S: 'transactions' } },
            UpdateExpression: 'ADD n :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        },
      ],
    }
    let isAcknowledged = false
    try {
      await this.#client.call('TransactWriteItems', request)
      isAcknowledged = true
      ledger.acknowledge(writes)
    } finally {
      note({ writes, request }, isAcknowledged)
    }
  }

  /** Each of its writes stands for itself. */
  async #batch(keys: readonly string[]): Promise<void> {
    const { ledger } = this.#options
    const asked = keys.map((key) => ledger.ask([{ key, isDelete: false }]))
    const requests = asked.flat().map((write) => ({ PutRequest: { Item: itemOf(write) } }))
    const answer = await this.#client.call<{ UnprocessedItems: object }>('BatchWriteItem', {
      RequestItems: { [itemTable]: requests },
    })
    if (Object.keys(answer.UnprocessedItems).length > 0) throw new Error('a batch was not processed whole')
    for (const writes of asked) ledger.acknowledge(writes)
  }
}

function keyOf(write: Write): object {
  const { pk, sk } = itemOf(write)
  return { pk, sk }
}

function updateOf(write: Write): object {
  const { pk, sk, v, text, g } = itemOf(write)
  return {
    TableName: itemTable,
    Key: { pk, sk },
    UpdateExpression: g === undefined ? 'SET v = :v, #text = :text REMOVE g' : 'SET v = :v, #text = :text, g = :g',
    ExpressionAttributeNames: { '#text': 'text' },
    ExpressionAttributeValues: { ':v': v, ':text': text, ...(g !== undefined && { ':g': g }) },
  }
}
