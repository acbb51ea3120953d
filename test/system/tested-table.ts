import { toPlain, type Engine } from '@hashrange/engine'
import { expect } from 'vitest'
import type { ReferenceItem } from './reference-table.ts'

/** What a write depends on. */
export type Condition = 'none' | 'absent' | 'present' | 'v-positive'

function expressionOf(wanted: Condition): Record<string, unknown> {
  switch (wanted) {
    case 'none':
      return {}
    case 'absent':
      return { ConditionExpression: 'attribute_not_exists(pk)' }
    case 'present':
      return { ConditionExpression: 'attribute_exists(pk)' }
    case 'v-positive':
      return { ConditionExpression: 'v > :zero', ExpressionAttributeValues: { ':zero': { N: '0' } } }
  }
}

type Wire = Readonly<Record<string, { S?: string; N?: string }>>

function toWire(from: ReferenceItem): Wire {
  return Object.fromEntries(
    Object.entries(from).flatMap(([name, value]: [string, string | number | undefined]) =>
      value === undefined ? [] : [[name, typeof value === 'number' ? { N: String(value) } : { S: value }]],
    ),
  )
}

function fromWire(wire: Wire | undefined): ReferenceItem | undefined {
  if (wire === undefined) return undefined
  const entries = Object.entries(wire).map(([name, { S, N }]) => [name, N === undefined ? S : Number(N)])
  return Object.fromEntries(entries)
}

interface Answer {
  readonly Item?: Wire
  readonly Items?: readonly Wire[]
  readonly Attributes?: Wire
  readonly LastEvaluatedKey?: Wire
  readonly Table?: {
    readonly ItemCount: number
    readonly TableStatus: string
    readonly GlobalSecondaryIndexes?: readonly { readonly ItemCount: number; readonly IndexStatus: string }[]
  }
}

const globalIndex = {
  IndexName: 'global',
  KeySchema: [
    { AttributeName: 'g', KeyType: 'HASH' },
    { AttributeName: 'h', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
}

/** The table of an engine, with the operations of the reference. */
export class TestedTable {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async #run(operation: string, body: object): Promise<Answer> {
    const scope = { accountId: '000000000000', region: 'us-east-1' }
    return toPlain(
      await this.#engine.execute(scope, 'DynamoDB_20120810', operation, { TableName: 'tab', ...body }),
    ) as Answer
  }

  async createTable(withGlobalIndex: boolean): Promise<void> {
    const attributes = withGlobalIndex ? { pk: 'S', sk: 'N', l: 'S', g: 'S', h: 'N' } : { pk: 'S', sk: 'N', l: 'S' }
    await this.#run('CreateTable', {
      AttributeDefinitions: Object.entries(attributes).map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'local',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'l', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['v'] },
        },
      ],
      ...(withGlobalIndex && { GlobalSecondaryIndexes: [globalIndex] }),
      BillingMode: 'PAY_PER_REQUEST',
    })
  }

  async addIndex(): Promise<void> {
    await this.#run('UpdateTable', {
      AttributeDefinitions: [
        { AttributeName: 'g', AttributeType: 'S' },
        { AttributeName: 'h', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexUpdates: [{ Create: globalIndex }],
    })
  }

  async indexIsReady(): Promise<void> {
    await this.#engine.background.idle()
    const { Table } = await this.#run('DescribeTable', {})
    expect(Table?.TableStatus).toBe('ACTIVE')
    expect(Table?.GlobalSecondaryIndexes?.[0]?.IndexStatus).toBe('ACTIVE')
  }

  async get({ pk, sk }: ReferenceItem): Promise<ReferenceItem | undefined> {
    return fromWire((await this.#run('GetItem', { Key: toWire({ pk, sk }) })).Item)
  }

  async put(item: ReferenceItem, wanted: Condition): Promise<ReferenceItem | undefined> {
    return fromWire(
      (await this.#run('PutItem', { Item: toWire(item), ReturnValues: 'ALL_OLD', ...expressionOf(wanted) }))
        .Attributes,
    )
  }

  async delete({ pk, sk }: ReferenceItem, wanted: Condition): Promise<ReferenceItem | undefined> {
    const body = { Key: toWire({ pk, sk }), ReturnValues: 'ALL_OLD', ...expressionOf(wanted) }
    return fromWire((await this.#run('DeleteItem', body)).Attributes)
  }

  async update({ pk, sk, g }: ReferenceItem, wanted: Condition, add: number): Promise<ReferenceItem | undefined> {
    const { ExpressionAttributeValues = {}, ...condition } = expressionOf(wanted)
    const answer = await this.#run('UpdateItem', {
      Key: toWire({ pk, sk }),
      UpdateExpression: g === undefined ? 'REMOVE g ADD v :add' : 'SET g = :g ADD v :add',
      ExpressionAttributeValues: {
        ...(ExpressionAttributeValues as object),
        ':add': { N: String(add) },
        ...(g !== undefined && { ':g': { S: g } }),
      },
      ...condition,
      ReturnValues: 'ALL_NEW',
    })
    return fromWire(answer.Attributes)
  }

  async transact(items: readonly ReferenceItem[], wanted: Condition): Promise<undefined> {
    await this.#run('TransactWriteItems', {
      TransactItems: items.map((each) => ({
        Put: { TableName: 'tab', Item: toWire(each), ...expressionOf(wanted) },
      })),
    })
  }

  async batch(items: readonly ReferenceItem[]): Promise<void> {
    await this.#run('BatchWriteItem', {
      RequestItems: { tab: items.map((each) => ({ PutRequest: { Item: toWire(each) } })) },
    })
  }

  query(pk: string, from: number, to: number, reverse: boolean): Promise<ReferenceItem[]> {
    return this.#pages('Query', {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { N: String(from) }, ':to': { N: String(to) } },
      ScanIndexForward: !reverse,
      Limit: 3,
    })
  }

  queryLocal(pk: string): Promise<ReferenceItem[]> {
    return this.#pages('Query', {
      IndexName: 'local',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
      Select: 'ALL_ATTRIBUTES',
      Limit: 2,
    })
  }

  scan(IndexName?: string): Promise<ReferenceItem[]> {
    return this.#pages('Scan', {
      Limit: 4,
      ...(IndexName !== undefined && { IndexName, ...(IndexName === 'local' && { Select: 'ALL_ATTRIBUTES' }) }),
    })
  }

  async counts(): Promise<{ items: number | undefined; global: number | undefined }> {
    const { Table } = await this.#run('DescribeTable', {})
    return { items: Table?.ItemCount, global: Table?.GlobalSecondaryIndexes?.[0]?.ItemCount }
  }

  async #pages(operation: string, body: object): Promise<ReferenceItem[]> {
    const items: ReferenceItem[] = []
    let ExclusiveStartKey: Wire | undefined
    do {
      const page = await this.#run(operation, { ...body, ...(ExclusiveStartKey && { ExclusiveStartKey }) })
      items.push(...(page.Items ?? []).map((wire) => fromWire(wire) ?? { pk: '', sk: 0 }))
      ExclusiveStartKey = page.LastEvaluatedKey
    } while (ExclusiveStartKey !== undefined)
    return items
  }
}
