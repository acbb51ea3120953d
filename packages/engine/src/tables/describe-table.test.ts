import { describe, expect, test } from 'vitest'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { describeNewTable, describeTable, noCounts } from './describe-table.ts'

const createdAtMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const createdAt = createdAtMs / 1000

const provisioned: TableDefinition = {
  tableId: 1,
  tableUuid: '00000000-0000-4000-8000-000000000000',
  accountId: '123456789012',
  region: 'eu-west-1',
  tableName: 'music',
  status: 'ACTIVE',
  createdAtMs,
  attributeTypes: { pk: 'S', year: 'N' },
  keySchema: { hash: ['pk'], range: [] },
  localIndexes: [],
  globalIndexes: [],
  billing: {
    mode: 'PROVISIONED',
    throughput: { readUnits: 5, writeUnits: 6, decreasesToday: 2, lastDecreaseAtMs: createdAtMs },
    warmThroughput: { readUnitsPerSecond: 7, writeUnitsPerSecond: 8 },
  },
  deletionProtection: false,
  tags: {},
}

const rich: TableDefinition = {
  ...provisioned,
  globalIndexes: [
    {
      indexId: 2,
      indexName: 'of-year',
      kind: 'global',
      keySchema: { hash: ['year'], range: ['pk'] },
      projection: { kind: 'INCLUDE', nonKeyAttributes: ['title'] },
      status: 'ACTIVE',
      throughput: { readUnits: 0, writeUnits: 0, decreasesToday: 0 },
      warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 },
    },
  ],
  billing: {
    mode: 'PAY_PER_REQUEST',
    throughput: { readUnits: 0, writeUnits: 0, decreasesToday: 0 },
    warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 },
    onDemandLimits: { maxReadUnits: 9 },
    lastPayPerRequestAtMs: createdAtMs,
  },
  tableClass: 'STANDARD_INFREQUENT_ACCESS',
  encryption: { kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/a' },
  stream: { enabled: true, viewType: 'KEYS_ONLY', label: '2026-01-02T03:04:05.678' },
}

const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/music'

describe('a description', () => {
  test('of a plain provisioned table', () => {
    const counts = { table: { items: 3, bytes: 40 }, indexes: new Map() }
    expect(describeTable(provisioned, counts, createdAtMs + 1)).toEqual({
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'year', AttributeType: 'N' },
      ],
      CreationDateTime: createdAt,
      DeletionProtectionEnabled: false,
      ItemCount: 3,
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      ProvisionedThroughput: {
        LastDecreaseDateTime: createdAt,
        NumberOfDecreasesToday: 2,
        ReadCapacityUnits: 5,
        WriteCapacityUnits: 6,
      },
      TableArn: arn,
      TableId: provisioned.tableUuid,
      TableName: 'music',
      TableSizeBytes: 40,
      TableStatus: 'ACTIVE',
      WarmThroughput: { ReadUnitsPerSecond: 7, Status: 'ACTIVE', WriteUnitsPerSecond: 8 },
    })
  })

  test('has no member that is undefined', () => {
    expect(Object.values(describeTable(provisioned, noCounts, createdAtMs))).not.toContain(undefined)
  })

  test('counts decreases of the day it is given, not of the day before', () => {
    const description = describeTable(provisioned, noCounts, createdAtMs + 86_400_000)
    expect(description).toMatchObject({ ProvisionedThroughput: { NumberOfDecreasesToday: 0 } })
  })

  test('of a table with all there is', () => {
    const counts = { table: { items: 3, bytes: 40 }, indexes: new Map([[2, { items: 1, bytes: 20 }]]) }
    expect(describeTable(rich, counts, createdAtMs)).toMatchObject({
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: createdAt },
      GlobalSecondaryIndexes: [
        {
          IndexArn: `${arn}/index/of-year`,
          IndexName: 'of-year',
          IndexSizeBytes: 20,
          IndexStatus: 'ACTIVE',
          ItemCount: 1,
          KeySchema: [
            { AttributeName: 'year', KeyType: 'HASH' },
            { AttributeName: 'pk', KeyType: 'RANGE' },
          ],
          Projection: { NonKeyAttributes: ['title'], ProjectionType: 'INCLUDE' },
          ProvisionedThroughput: { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
          WarmThroughput: { ReadUnitsPerSecond: 12_000, Status: 'ACTIVE', WriteUnitsPerSecond: 4_000 },
        },
      ],
      LatestStreamArn: `${arn}/stream/2026-01-02T03:04:05.678`,
      LatestStreamLabel: '2026-01-02T03:04:05.678',
      OnDemandThroughput: { MaxReadRequestUnits: 9 },
      SSEDescription: {
        KMSMasterKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/a',
        SSEType: 'KMS',
        Status: 'ENABLED',
      },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
    })
  })

  test('of a disabled stream names only the stream there was', () => {
    const disabled = { ...rich, stream: { enabled: false, viewType: 'KEYS_ONLY', label: 'then' } } as const
    const description = describeTable(disabled, noCounts, createdAtMs)
    expect(description['LatestStreamLabel']).toBe('then')
    expect(description).not.toHaveProperty('StreamSpecification')
  })

  test('of a new table says that it is being created', () => {
    expect(describeNewTable(rich, false)).toMatchObject({
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING' }],
      TableStatus: 'CREATING',
    })
    expect(describeNewTable(rich, false)).not.toHaveProperty('WarmThroughput')
    expect(describeNewTable(rich, true)).toMatchObject({ WarmThroughput: { Status: 'UPDATING' } })
  })
})
