import type { History, Outcome } from './history/history.ts'
import type { ServerProcess } from './server-process.ts'

export const listTable = 'lists'

/** Lists that clients append to, in every way that the API has; each list is an item, and all are in one global index too. */
export async function createListTable(server: ServerProcess): Promise<void> {
  await server.call('CreateTable', {
    TableName: listTable,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'all', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'together',
        KeySchema: [
          { AttributeName: 'all', KeyType: 'HASH' },
          { AttributeName: 'pk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  })
}

interface ListItem {
  readonly pk: { readonly S: string }
  readonly list?: { readonly L: readonly { readonly S: string }[] }
}

/** A refusal or failure as ServerProcess throws it. */
export interface Failure {
  readonly name: string
  readonly status?: number
  readonly answer?: {
    readonly Item?: ListItem
    readonly CancellationReasons?: readonly { readonly Code: string }[]
  }
}

/** One client of one server, which writes down what it does. */
export class ListClient {
  readonly #name: string
  readonly #server: () => ServerProcess
  readonly #history: History
  readonly #onFailure: (failure: Failure) => void
  #count = 0

  constructor(
    name: string,
    server: () => ServerProcess,
    history: History,
    onFailure: (failure: Failure) => void = () => undefined,
  ) {
    this.#name = name
    this.#server = server
    this.#history = history
    this.#onFailure = onFailure
  }

  append(key: string): Promise<Outcome['kind']> {
    return this.#append(key, {})
  }

  /** Only if the list is as long as it was when it was last looked at: mostly it is not, and what it is comes back. */
  appendIf(key: string, length: number): Promise<Outcome['kind']> {
    const condition =
      length === 0
        ? { ConditionExpression: 'attribute_not_exists(#list)' }
        : { ConditionExpression: 'size(#list) = :length' }
    return this.#append(key, condition, length === 0 ? {} : { ':length': { N: String(length) } })
  }

  appendTogether(keys: readonly string[]): Promise<Outcome['kind']> {
    const appends = new Map(keys.map((key) => [key, this.#value()]))
    return this.#record(appends, async () => {
      await this.#server().call('TransactWriteItems', {
        TransactItems: [...appends].map(([key, value]) => ({ Update: { ...updateOf(key, value) } })),
      })
      return new Map()
    })
  }

  /** Appends to one list only if another is as long as it was thought to be: what must not be interleaved with appends to that. */
  appendGuarded(key: string, guard: string, length: number): Promise<Outcome['kind']> {
    const appends = new Map([[key, this.#value()]])
    return this.#record(appends, async () => {
      await this.#server().call('TransactWriteItems', {
        TransactItems: [
          ...[...appends].map(([name, value]) => ({ Update: updateOf(name, value) })),
          {
            ConditionCheck: {
              TableName: listTable,
              Key: { pk: { S: guard } },
              ConditionExpression: 'size(#list) >= :length',
              ExpressionAttributeNames: { '#list': 'list' },
              ExpressionAttributeValues: { ':length': { N: String(length) } },
            },
          },
        ],
      })
      return new Map()
    })
  }

  read(key: string): Promise<Outcome['kind']> {
    return this.#record(new Map(), async () => {
      const { Item } = await this.#server().call<{ Item?: ListItem }>('GetItem', {
        TableName: listTable,
        Key: { pk: { S: key } },
        ConsistentRead: true,
      })
      return new Map([[key, valuesOf(Item)]])
    })
  }

  readTogether(keys: readonly string[]): Promise<Outcome['kind']> {
    return this.#record(new Map(), async () => {
      const { Responses } = await this.#server().call<{ Responses: readonly { Item?: ListItem }[] }>(
        'TransactGetItems',
        {
          TransactItems: keys.map((key) => ({ Get: { TableName: listTable, Key: { pk: { S: key } } } })),
        },
      )
      return new Map(keys.map((key, index) => [key, valuesOf(Responses[index]?.Item)]))
    })
  }

  /** All lists at once, as the index holds them. */
  readIndex(keys: readonly string[]): Promise<Outcome['kind']> {
    return this.#record(new Map(), async () => {
      const { Items } = await this.#server().call<{ Items: readonly ListItem[] }>('Query', {
        TableName: listTable,
        IndexName: 'together',
        KeyConditionExpression: '#all = :all',
        ExpressionAttributeNames: { '#all': 'all' },
        ExpressionAttributeValues: { ':all': { S: 'all' } },
      })
      const found = new Map(Items.map((item) => [item.pk.S, valuesOf(item)]))
      return new Map(keys.map((key) => [key, found.get(key) ?? []]))
    })
  }

  #append(key: string, condition: object, values: object = {}): Promise<Outcome['kind']> {
    const value = this.#value()
    const update = updateOf(key, value)
    return this.#record(new Map([[key, value]]), async () => {
      const { Attributes } = await this.#server().call<{ Attributes?: ListItem }>('UpdateItem', {
        ...update,
        ...condition,
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...values },
        ReturnValues: 'ALL_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      })
      return new Map([[key, valuesOf(Attributes)]])
    })
  }

  #record(
    appends: ReadonlyMap<string, string>,
    attempt: () => Promise<ReadonlyMap<string, readonly string[]>>,
  ): Promise<Outcome['kind']> {
    return this.#history.record(this.#name, appends, async () => {
      try {
        return { kind: 'done', reads: await attempt() }
      } catch (error) {
        const failure = error as Failure
        this.#onFailure(failure)
        // What is refused has not happened. Whatever else fails may have.
        if (failure.status === undefined || failure.status >= 500) return { kind: 'unknown', reads: new Map() }
        const seen = failure.answer?.Item
        return { kind: 'refused', reads: seen === undefined ? new Map() : new Map([[seen.pk.S, valuesOf(seen)]]) }
      }
    })
  }

  #value(): string {
    return `${this.#name}-${this.#count++}`
  }
}

function updateOf(key: string, value: string) {
  return {
    TableName: listTable,
    Key: { pk: { S: key } },
    UpdateExpression: 'SET #list = list_append(if_not_exists(#list, :none), :value), #all = :all',
    ExpressionAttributeNames: { '#list': 'list', '#all': 'all' },
    ExpressionAttributeValues: { ':none': { L: [] }, ':value': { L: [{ S: value }] }, ':all': { S: 'all' } },
  }
}

function valuesOf(item: ListItem | undefined): readonly string[] {
  return item?.list?.L.map(({ S }) => S) ?? []
}
