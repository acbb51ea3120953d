import { describe, expect, test } from 'vitest'
import { noSqlWorkbench } from '../export/nosql-workbench.ts'
import { loadSource, typeErrorsOf } from '../testing/load-source.ts'
import { shopDescription } from '../testing/shop-description.ts'
import { modelSource } from './model-source.ts'
import { readNoSqlWorkbench } from './read-nosql-workbench.ts'

const exported: unknown = JSON.parse(JSON.stringify(noSqlWorkbench(shopDescription)))

describe('a model of NoSQL Workbench', () => {
  const { description, notes } = readNoSqlWorkbench(exported)

  test('that we exported has the same tables and keys again', () => {
    const keys = (model: typeof description): unknown =>
      model.entities.map(({ name, key, satellites, indexKeys }) => ({
        name,
        key: [key.partition.text, key.sort?.text],
        satellites: satellites.map((satellite) => satellite.name),
        indexes: indexKeys
          .filter(({ index }) => index !== 'open')
          .map(({ index, partition, sort }) => [index, ...[...partition, ...sort].map(({ text }) => text)]),
      }))
    expect(keys(description)).toEqual(keys(shopDescription))
    expect(
      description.tables.map(({ indexes, billing, partitionKey, sortKey }) => ({
        indexes,
        billing,
        partitionKey,
        sortKey,
      })),
    ).toEqual(
      shopDescription.tables.map(({ indexes, billing, partitionKey, sortKey }) => ({
        indexes,
        billing,
        partitionKey,
        sortKey,
      })),
    )
    expect(notes).toEqual([])
  })

  test('knows a sparse index by what its items have in common', () => {
    const order = description.entities.find(({ name }) => name === 'Order')
    expect(order?.indexKeys.find(({ index }) => index === 'open')).toMatchObject({
      when: [{ attribute: 'status', values: ['OPEN'] }],
    })
  })

  test('becomes a model file that loads and has no type errors', () => {
    const source = modelSource(description, notes)
    expect(loadSource(source).description.entities.map(({ name }) => name)).toEqual([
      'Customer',
      'Order',
      'Line',
      'Event',
    ])
    expect(typeErrorsOf(source)).toBe('')
  })

  test('goes back with everything it had', () => {
    const unknown = { ...(exported as object), Theme: 'dark' }
    const { description } = readNoSqlWorkbench(unknown)
    const again: unknown = JSON.parse(JSON.stringify(noSqlWorkbench(description, { base: unknown })))
    expect(again).toMatchObject({ Theme: 'dark', ModelName: 'shop' })
    expect(readNoSqlWorkbench(again).description).toEqual(description)
  })
})

const text = (S: string): { S: string } => ({ S })

describe('a model made by hand', () => {
  const offers = {
    ModelName: 'Credit Card Offers',
    ModelMetadata: { Author: 'A bank', Description: 'Offers', AWSService: 'Amazon DynamoDB', Version: '3.0' },
    DataModel: [
      {
        TableName: 'CreditCardOffers',
        KeyAttributes: {
          PartitionKey: { AttributeName: 'PK', AttributeType: 'S' },
          SortKey: { AttributeName: 'SK', AttributeType: 'S' },
        },
        NonKeyAttributes: [{ AttributeName: 'AccountId', AttributeType: 'N' }],
        TableFacets: [
          {
            FacetName: 'Accounts',
            KeyAttributeAlias: { PartitionKeyAlias: 'PK', SortKeyAlias: 'SK' },
            TableData: [
              {
                PK: text('ACCT#76584123'),
                SK: text('ACCT#76584123'),
                AccountId: { N: '76584123' },
                FirstName: text('Zhang'),
              },
              { PK: text('ACCT#7658'), SK: text('ACCT#7658'), AccountId: { N: '7658' }, FirstName: text('Ana') },
            ],
            NonKeyAttributes: ['AccountId', 'FirstName'],
          },
          {
            FacetName: 'AccountOffers',
            KeyAttributeAlias: { PartitionKeyAlias: 'PK', SortKeyAlias: 'SK' },
            TableData: [
              {
                PK: text('ACCT#76584123'),
                SK: text('OFFER#11'),
                GSI1SK: text('ACCEPTED#TRANSFER'),
                Status: text('ACCEPTED'),
              },
              {
                PK: text('ACCT#76584123'),
                SK: text('OFFER#12'),
                GSI1SK: text('DECLINED#MILES'),
                Status: text('DECLINED'),
              },
            ],
            NonKeyAttributes: ['Status', 'GSI1SK'],
          },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'GSI1',
            KeyAttributes: {
              PartitionKey: { AttributeName: 'PK', AttributeType: 'S' },
              SortKey: { AttributeName: 'GSI1SK', AttributeType: 'S' },
            },
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['Status'] },
          },
        ],
        BillingMode: 'PROVISIONED',
        ProvisionedCapacitySettings: { ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 3 } },
      },
    ],
  }
  const { description, notes } = readNoSqlWorkbench(offers)
  const source = modelSource(description, notes)

  test('has its keys read from its data', () => {
    expect(source).toContain(".key({ pk: 'ACCT#{AccountId}', sk: 'ACCT#{AccountId}' })")
    expect(source).toContain(".key({ pk: 'ACCT#{acctId}', sk: 'OFFER#{offerId}' })")
    expect(source).toMatch(/\.index\('GSI1', \{ pk: 'ACCT#\{acctId\}', sk: '\{Status\}#\{gsi1skPart2\}' \}\)/i)
    expect(source).toContain("billing: { mode: 'provisioned', readUnits: 7, writeUnits: 3 }")
    expect(source).toContain("GSI1: { pk: 'PK', sk: 'GSI1SK', projection: ['Status'] }")
  })

  test('says that its items lack a discriminator', () => {
    expect(notes.join()).toContain('do not say which entity they are')
  })

  test('loads, without type errors', () => {
    expect(loadSource(source).description.name).toBe('Credit Card Offers')
    expect(typeErrorsOf(source)).toBe('')
  })
})

describe('a model without data', () => {
  const song = (name: string, attributes: readonly string[]): object => ({
    FacetName: name,
    KeyAttributeAlias: { PartitionKeyAlias: 'SongId', SortKeyAlias: 'Metadata' },
    NonKeyAttributes: attributes,
  })
  const key = (AttributeName: string): object => ({ AttributeName, AttributeType: 'S' })
  const { description, notes } = readNoSqlWorkbench({
    ModelName: 'Songs',
    DataModel: [
      {
        TableName: 'Songs',
        KeyAttributes: { PartitionKey: key('Id'), SortKey: key('Metadata') },
        NonKeyAttributes: [key('Title'), key('DownloadMonth'), { AttributeName: 'Count', AttributeType: 'N' }],
        TableFacets: [song('SongDetails', ['Title']), song('Downloads', ['Count'])],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'ByMonth',
            KeyAttributes: { PartitionKey: key('DownloadMonth') },
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      },
    ],
  })

  test('makes one entity of facets that no key tells apart, and says so', () => {
    expect(description.entities.map(({ name }) => name)).toEqual(['SongDetails'])
    expect(notes).toEqual([expect.stringContaining('SongDetails, Downloads have keys of the same form')])
  })

  test('keeps an index whose keys no item shows', () => {
    const source = modelSource(description, notes)
    expect(source).toContain(".index('ByMonth', { pk: '{DownloadMonth}' })")
    expect(loadSource(source).description.tables[0]).toMatchObject({
      partitionKey: { name: 'Id', type: 'S' },
      indexes: [{ name: 'ByMonth', partitionKeys: [{ name: 'DownloadMonth', type: 'S' }] }],
    })
    expect(typeErrorsOf(source)).toBe('')
  })

  test('gives a part of a key a name that no attribute has', () => {
    const order = (n: string): object => ({ PK: { S: `ORDER#${n}x` }, orderId: { SS: [n] } })
    const imported = readNoSqlWorkbench({
      ModelName: 'Orders',
      DataModel: [
        {
          TableName: 'Orders',
          KeyAttributes: { PartitionKey: key('PK') },
          TableData: [order('1'), order('2')],
        },
      ],
    })
    expect(imported.description.entities[0]?.key.partition.text).toBe('ORDER#{orderId2}')
    expect(() => loadSource(modelSource(imported.description))).not.toThrow()
  })

  test.each([{}, [], null, 'x', { DataModel: [{}] }, { DataModel: [{ TableName: 'x' }] }])(
    'that is none is refused: %j',
    (document) => {
      expect(() => readNoSqlWorkbench(document)).toThrow('The file cannot be imported')
    },
  )
})
