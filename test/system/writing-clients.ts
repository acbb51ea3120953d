import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ServerProcess } from './server-process.ts'

const TableName = 'ledger'
const clientCount = 6
/** They are there to be interrupted: to keep the processors busy would only delay what interrupts them. */
const pauseMs = 25

/** Clients that write all the time to whichever server is there, and try again as the AWS SDKs do: after a connection that is refused or
 *  lost, and after a 5xx. Whoever runs out of attempts has seen an error. */
export class WritingClients {
  readonly anItem = { TableName, Item: { pk: { S: 'probe' } } }
  readonly aKey = { TableName, Key: { pk: { S: 'probe' } } }
  readonly #servers: readonly ServerProcess[]
  readonly #mostAttempts: number
  readonly #acknowledged: string[] = []
  readonly #run = randomUUID()
  readonly #errors: unknown[] = []
  #transactions = 0
  #isOver = false
  #writing: Promise<unknown> = Promise.resolve()

  private constructor(servers: readonly ServerProcess[], mostAttempts: number) {
    this.#servers = servers
    this.#mostAttempts = mostAttempts
  }

  /** `servers` may change: whoever is in it when a request is made is asked. */
  static async start(servers: readonly ServerProcess[], mostAttempts = 12): Promise<WritingClients> {
    const clients = new WritingClients(servers, mostAttempts)
    await clients
      .#call(0, 'CreateTable', {
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      })
      .catch((error: unknown) => {
        if ((error as Error).name !== 'ResourceInUseException') throw error
      })
    clients.#writing = Promise.all(Array.from({ length: clientCount }, (_, client) => clients.#write(client)))
    return clients
  }

  /** Resolves when so many more writes have been acknowledged. */
  async haveWritten(more: number): Promise<void> {
    const until = this.#acknowledged.length + more
    await expect
      .poll(() => this.#acknowledged.length >= until || this.#errors.length > 0, { timeout: 60_000 })
      .toBe(true)
    expect(this.#errors).toEqual([])
  }

  /** Ends the writing. What was acknowledged is there, and every transaction with a token was applied once. */
  async assertNothingLost(): Promise<void> {
    this.#isOver = true
    await this.#writing
    expect(this.#errors).toEqual([])
    const found = new Set<string>()
    let start: object | undefined
    do {
      const page: Page = await this.#call<Page>(0, 'Scan', {
        TableName,
        ConsistentRead: true,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      })
      for (const { pk } of page.Items) found.add(pk.S)
      start = page.LastEvaluatedKey
    } while (start !== undefined)
    expect(this.#acknowledged.filter((pk) => !found.has(pk))).toEqual([])
    const total = await this.#call<{ Item?: { count: { N: string } } }>(0, 'GetItem', {
      TableName,
      Key: { pk: { S: `total ${this.#run}` } },
      ConsistentRead: true,
    })
    expect(Number(total.Item?.count.N ?? 0)).toBe(this.#transactions)
  }

  async #write(client: number): Promise<void> {
    try {
      for (let n = 0; !this.#isOver; n++) {
        const pk = `${this.#run} ${client} ${n}`
        const item = { pk: { S: pk }, text: { S: 'x'.repeat(200) } }
        if (n % 5 === 0) await this.#writeAndCount(client + n, item)
        else await this.#call(client + n, 'PutItem', { TableName, Item: item })
        this.#acknowledged.push(pk)
        await pause(pauseMs)
      }
    } catch (error) {
      this.#errors.push(error)
    }
  }

  async #writeAndCount(from: number, Item: object): Promise<void> {
    await this.#call(from, 'TransactWriteItems', {
      ClientRequestToken: randomUUID(),
      TransactItems: [
        { Put: { TableName, Item } },
        {
          Update: {
            TableName,
            Key: { pk: { S: `total ${this.#run}` } },
            UpdateExpression: 'ADD #count :one',
            ExpressionAttributeNames: { '#count': 'count' },
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        },
      ],
    })
    this.#transactions++
  }

  /** The first attempt goes to the server at `from`, in the order of the list, and each further one to the next. */
  async #call<Answer>(from: number, operation: string, body: object): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const server = this.#servers[(from + attempt) % this.#servers.length]
      try {
        if (server === undefined) throw new Error('there is no server')
        return await server.call<Answer>(operation, body)
      } catch (error) {
        if (attempt === this.#mostAttempts || !mayBeTriedAgain(error)) throw error
      }
      await pause(Math.random() * Math.min(1_000, 25 * 2 ** attempt))
    }
  }
}

interface Page {
  readonly Items: readonly { readonly pk: { readonly S: string } }[]
  readonly LastEvaluatedKey?: object
}

function mayBeTriedAgain(error: unknown): boolean {
  const { status, name, message } = error as { status?: number; name: string; message: string }
  // `fetch` throws a TypeError where the connection failed.
  if (status === undefined) return name === 'TypeError'
  return status >= 500 || message.includes('TransactionConflict') || name === 'TransactionInProgressException'
}
