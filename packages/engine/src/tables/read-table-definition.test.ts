import { describe, expect, test } from 'vitest'
import type { CreateTableInput, GlobalSecondaryIndexInput, KeySchemaElementInput } from '../api/table-inputs.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { readTableDefinition } from './read-table-definition.ts'

const context = {
  scope: { accountId: '123456789012', region: 'eu-west-1' },
  nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  uuid: () => '00000000-0000-4000-8000-000000000000',
}

const key = (hash: string, range?: string): KeySchemaElementInput[] => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' as const }]),
]

const strings = (...names: string[]): CreateTableInput['AttributeDefinitions'] =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }))

const music: CreateTableInput = {
  TableName: 'music',
  AttributeDefinitions: strings('pk', 'sk'),
  KeySchema: key('pk', 'sk'),
  BillingMode: 'PAY_PER_REQUEST',
}

const index = (IndexName: string, KeySchema: KeySchemaElementInput[]): GlobalSecondaryIndexInput => ({
  IndexName,
  KeySchema,
  Projection: { ProjectionType: 'ALL' },
})

function read(changes: Partial<CreateTableInput>): TableDefinition {
  let next = 7
  const indexIds = (count: number): number[] => Array.from({ length: count }, () => ++next)
  return readTableDefinition({ ...music, ...changes }, context).withIds({ tableId: 7, indexIds })
}

const provisioned = { ReadCapacityUnits: 5, WriteCapacityUnits: 6 }
const invalid = 'One or more parameter values were invalid: '

describe('a new table', () => {
  test('is active, with all that was asked for', () => {
    expect(
      read({
        AttributeDefinitions: strings('pk', 'sk', 'year'),
        LocalSecondaryIndexes: [index('by-year', key('pk', 'year'))],
        GlobalSecondaryIndexes: [
          {
            ...index('of-year', key('year')),
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] },
          },
        ],
        OnDemandThroughput: { MaxReadRequestUnits: 10 },
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
        Tags: [{ Key: 'team', Value: 'a' }],
      }),
    ).toEqual({
      tableId: 7,
      tableUuid: context.uuid(),
      accountId: '123456789012',
      region: 'eu-west-1',
      tableName: 'music',
      status: 'ACTIVE',
      createdAtMs: context.nowMs,
      attributeTypes: { pk: 'S', sk: 'S', year: 'S' },
      keySchema: { hash: ['pk'], range: ['sk'] },
      localIndexes: [
        {
          indexId: 8,
          indexName: 'by-year',
          kind: 'local',
          keySchema: { hash: ['pk'], range: ['year'] },
          projection: { kind: 'ALL' },
          status: 'ACTIVE',
        },
      ],
      globalIndexes: [
        {
          indexId: 9,
          indexName: 'of-year',
          kind: 'global',
          keySchema: { hash: ['year'], range: [] },
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
        onDemandLimits: { maxReadUnits: 10 },
        lastPayPerRequestAtMs: context.nowMs,
      },
      deletionProtection: false,
      tags: { team: 'a' },
      stream: { enabled: true, viewType: 'KEYS_ONLY', label: '2026-01-02T03:04:05.678' },
    })
  })

  test('is provisioned unless it says otherwise', () => {
    const { BillingMode: _, ...rest } = music
    const { billing } = readTableDefinition({ ...rest, ProvisionedThroughput: provisioned }, context).withIds({
      tableId: 1,
      indexIds: () => [],
    })
    expect(billing).toEqual({
      mode: 'PROVISIONED',
      throughput: { readUnits: 5, writeUnits: 6, decreasesToday: 0 },
      warmThroughput: { readUnitsPerSecond: 5, writeUnitsPerSecond: 6 },
    })
  })

  test('may be named by the ARN it will have', () => {
    expect(read({ TableName: 'arn:aws:dynamodb:eu-west-1:123456789012:table/music' }).tableName).toBe('music')
  })

  test('may have key attributes of any name', () => {
    const { attributeTypes } = read({ AttributeDefinitions: strings('__proto__'), KeySchema: key('__proto__') })
    expect(Object.entries(attributeTypes)).toEqual([['__proto__', 'S']])
  })

  test('may have global indexes with keys of four and four attributes', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const KeySchema = names.map(
      (AttributeName, at) => ({ AttributeName, KeyType: at < 4 ? 'HASH' : 'RANGE' }) as const,
    )
    const { globalIndexes } = read({
      AttributeDefinitions: strings('pk', 'sk', ...names),
      GlobalSecondaryIndexes: [index('wide', KeySchema)],
    })
    expect(globalIndexes[0]?.keySchema).toEqual({ hash: ['a', 'b', 'c', 'd'], range: ['e', 'f', 'g', 'h'] })
  })

  test('encrypted with a managed key has the ARN of one', () => {
    expect(read({ SSESpecification: { Enabled: true } }).encryption).toEqual({
      kmsKeyArn: `arn:aws:kms:eu-west-1:123456789012:key/${context.uuid()}`,
    })
    expect(read({ SSESpecification: { Enabled: false } }).encryption).toBeUndefined()
  })
})

describe('a new table is refused', () => {
  const cases: [what: string, changes: Partial<CreateTableInput>, message: string][] = [
    [
      'that is on demand and provisioned',
      { ProvisionedThroughput: provisioned },
      `${invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
    ],
    [
      'that is provisioned with nothing',
      { BillingMode: 'PROVISIONED' },
      `${invalid}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
    ],
    [
      'with more throughput than there can be',
      {
        BillingMode: 'PROVISIONED',
        ProvisionedThroughput: { ReadCapacityUnits: 40_001, WriteCapacityUnits: 1_000_000_000_001 },
      },
      'Given value 1000000000001 for WriteCapacityUnits is out of bounds',
    ],
    [
      'with more throughput than a table may have',
      { BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 40_001 } },
      'The requested WriteCapacityUnits, 40001, is above the per table maximum for the account in eu-west-1. Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
    ],
    [
      'with on-demand limits while provisioned',
      {
        BillingMode: 'PROVISIONED',
        ProvisionedThroughput: provisioned,
        OnDemandThroughput: { MaxReadRequestUnits: 1 },
      },
      `${invalid}MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.`,
    ],
    [
      'with an on-demand limit of -1',
      { OnDemandThroughput: { MaxWriteRequestUnits: -1 } },
      `${invalid}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`,
    ],
    [
      'that is to be less warm than any',
      { WarmThroughput: { ReadUnitsPerSecond: 1 } },
      `${invalid}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial`,
    ],
    [
      'that defines an attribute twice',
      { AttributeDefinitions: strings('pk', 'sk', 'pk') },
      'Attribute Name is duplicated: pk',
    ],
    [
      'with more key attributes than definitions',
      { AttributeDefinitions: strings('pk'), KeySchema: key('pk', 'pk') },
      'Invalid KeySchema: Some index key attribute have no definition',
    ],
    [
      'with an undefined key attribute',
      { KeySchema: key('q') },
      `${invalid}Some index key attributes are not defined in AttributeDefinitions. Keys: [q], AttributeDefinitions: [sk, pk]`,
    ],
    [
      'whose hash and range keys are the same',
      { KeySchema: key('pk', 'pk') },
      'Both the Hash Key and the Range Key element in the KeySchema have the same name',
    ],
    [
      'whose range key comes first',
      { KeySchema: key('pk', 'sk').toReversed() },
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    ],
    [
      'with two hash keys',
      { KeySchema: [...key('pk'), ...key('sk')] },
      'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
    ],
    [
      'with a definition that no key uses',
      { KeySchema: key('pk') },
      `${invalid}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`,
    ],
    [
      'with a definition that no key of many uses',
      {
        AttributeDefinitions: strings('pk', 'sk', 'a', 'b', 'c'),
        GlobalSecondaryIndexes: [index('gsi', key('a'))],
      },
      `${invalid}Some AttributeDefinitions are not used. AttributeDefinitions: [sk, a, b, pk, c], keys used: [a, sk, pk]`,
    ],
    ['with no local index', { LocalSecondaryIndexes: [] }, `${invalid}List of LocalSecondaryIndexes is empty`],
    ['with no global index', { GlobalSecondaryIndexes: [] }, `${invalid}List of GlobalSecondaryIndexes is empty`],
    [
      'with a local index but no range key',
      { KeySchema: key('pk'), LocalSecondaryIndexes: [index('lsi', key('pk', 'sk'))] },
      `${invalid}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`,
    ],
    [
      'with a local index of another hash key',
      { LocalSecondaryIndexes: [index('lsi', key('sk', 'pk'))] },
      `${invalid}Index KeySchema does not have the same leading hash key as table KeySchema for index: lsi. index hash key: sk, table hash key: pk`,
    ],
    [
      'with a local index without range key',
      { LocalSecondaryIndexes: [index('lsi', key('pk'))] },
      `${invalid}Index KeySchema does not have a range key for index: lsi`,
    ],
    [
      'with two indexes of one name',
      {
        LocalSecondaryIndexes: [index('same', key('pk', 'sk'))],
        GlobalSecondaryIndexes: [index('same', key('sk'))],
      },
      `${invalid}Duplicate index name: same`,
    ],
    [
      'with six local indexes',
      { LocalSecondaryIndexes: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => index(name, key('pk', 'sk'))) },
      `${invalid}Number of LocalSecondaryIndexes exceeds per-table limit of 5`,
    ],
    [
      'with 21 global indexes',
      { GlobalSecondaryIndexes: Array.from({ length: 21 }, (_, at) => index(`g${at}`, key('sk'))) },
      `${invalid}GlobalSecondaryIndex count exceeds the per-table limit of 20`,
    ],
    [
      'with a global index of five hash keys',
      {
        AttributeDefinitions: strings('pk', 'sk', 'a', 'b', 'c'),
        GlobalSecondaryIndexes: [
          index(
            'gsi',
            ['pk', 'sk', 'a', 'b', 'c'].flatMap((name) => key(name)),
          ),
        ],
      },
      `${invalid}The KeySchema exceeds the maximum allowed number of HASH key attributes`,
    ],
    [
      'with a global index whose hash keys come late',
      {
        AttributeDefinitions: strings('pk', 'sk', 'a'),
        GlobalSecondaryIndexes: [index('gsi', [...key('pk', 'sk'), ...key('a')])],
      },
      `${invalid}All HASH key attributes must precede RANGE key attributes in the KeySchema`,
    ],
    [
      'with a projection of nothing in particular',
      { GlobalSecondaryIndexes: [{ ...index('gsi', key('sk')), Projection: { ProjectionType: 'INCLUDE' } }] },
      `${invalid}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
    ],
    [
      'with a projection of everything and something',
      {
        GlobalSecondaryIndexes: [
          { ...index('gsi', key('sk')), Projection: { ProjectionType: 'ALL', NonKeyAttributes: ['a'] } },
        ],
      },
      `${invalid}ProjectionType is ALL, but NonKeyAttributes is specified`,
    ],
    [
      'with a projection of an unknown kind',
      { GlobalSecondaryIndexes: [{ ...index('gsi', key('sk')), Projection: {} }] },
      `${invalid}Unknown ProjectionType: null`,
    ],
    [
      'on demand whose index is provisioned',
      { GlobalSecondaryIndexes: [{ ...index('gsi', key('sk')), ProvisionedThroughput: provisioned }] },
      `${invalid}ProvisionedThroughput should not be specified for index: gsi when BillingMode is PAY_PER_REQUEST`,
    ],
    [
      'provisioned whose index is not',
      {
        BillingMode: 'PROVISIONED',
        ProvisionedThroughput: provisioned,
        GlobalSecondaryIndexes: [index('gsi', key('sk'))],
      },
      `${invalid}ProvisionedThroughput is not specified for index: gsi`,
    ],
    [
      'with a stream of no kind',
      { StreamSpecification: { StreamEnabled: true } },
      `${invalid}Table is being created with a stream enabled, UpdateViewType is required`,
    ],
    [
      'with a disabled stream of some kind',
      { StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } },
      `${invalid}Table is being created with a stream disabled, UpdateViewType should not be specified`,
    ],
    [
      'with a key but without encryption',
      { SSESpecification: { Enabled: true, KMSMasterKeyId: 'a' } },
      `${invalid}SSEType KMS is required if KMSMasterKeyId is specified`,
    ],
    [
      'with a tag twice',
      {
        Tags: [
          { Key: 'a', Value: '1' },
          { Key: 'a', Value: '2' },
        ],
      },
      'Duplicate Tag Keys provided as input: Duplicate Tag Key found a',
    ],
  ]
  test.each(cases)('%s', (_what, changes, message) => {
    expect(() => read(changes)).toThrow(expect.objectContaining({ message }))
  })
})
