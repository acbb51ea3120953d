import { describe, expect, test } from 'vitest'
import type { CreateTableInput, UpdateTableInput } from '../api/table-inputs.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { changeTableDefinition, type TableChange } from './change-table-definition.ts'
import { checkTableChange } from './check-table-change.ts'
import { readTableDefinition } from './read-table-definition.ts'

const createdMs = Date.UTC(2026, 0, 2)
const nowMs = createdMs + 60_000
const scope = { accountId: '123456789012', region: 'eu-west-1' }
const uuid = (): string => '00000000-0000-4000-8000-000000000000'
const invalid = 'One or more parameter values were invalid: '

function table(changes: Partial<CreateTableInput> = {}): TableDefinition {
  let next = 1
  const input: CreateTableInput = {
    TableName: 'music',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    ...(changes.ProvisionedThroughput === undefined ? { BillingMode: 'PAY_PER_REQUEST' } : {}),
    ...changes,
  }
  const indexIds = (count: number): number[] => Array.from({ length: count }, () => ++next)
  return readTableDefinition(input, { scope, nowMs: createdMs, uuid }).withIds({ tableId: 1, indexIds })
}

function change(
  definition: TableDefinition,
  input: Omit<UpdateTableInput, 'TableName'>,
  atMs = nowMs,
): TableChange {
  const request = { TableName: 'music', ...input }
  checkTableChange(request)
  return changeTableDefinition(definition, request, {
    scope,
    nowMs: atMs,
    uuid,
    newIndexIds: { indexId: 99, cutId: 100 },
    otherTables: { readUnits: 0, writeUnits: 0 },
  })
}

const units = (read: number, write = read): { ReadCapacityUnits: number; WriteCapacityUnits: number } => ({
  ReadCapacityUnits: read,
  WriteCapacityUnits: write,
})

const indexed = (provisioned = false): TableDefinition =>
  table({
    ...(provisioned ? { ProvisionedThroughput: units(5) } : {}),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'gsi',
        KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ...(provisioned ? { ProvisionedThroughput: units(5) } : {}),
      },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'lsi',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  })

const updateIndex = (read: number): Omit<UpdateTableInput, 'TableName'> => ({
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'gsi', ProvisionedThroughput: units(read) } }],
})

const create = (IndexName: string, attribute = 'year'): Omit<UpdateTableInput, 'TableName'> => ({
  AttributeDefinitions: [{ AttributeName: attribute, AttributeType: 'N' }],
  GlobalSecondaryIndexUpdates: [
    {
      Create: {
        IndexName,
        KeySchema: [{ AttributeName: attribute, KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    },
  ],
})

describe('throughput', () => {
  test('grows, and the answer still shows what it was', () => {
    const { definition, shown } = change(table({ ProvisionedThroughput: units(5) }), {
      ProvisionedThroughput: units(10, 20),
    })
    expect(definition.billing).toEqual({
      mode: 'PROVISIONED',
      throughput: { readUnits: 10, writeUnits: 20, decreasesToday: 0, lastIncreaseAtMs: nowMs },
      warmThroughput: { readUnitsPerSecond: 10, writeUnitsPerSecond: 20 },
    })
    expect(definition.status).toBe('ACTIVE')
    expect(shown.status).toBe('UPDATING')
    expect(shown.billing.throughput).toMatchObject({ readUnits: 5, lastIncreaseAtMs: nowMs })
  })

  test('must change', () => {
    expect(() =>
      change(table({ ProvisionedThroughput: units(5, 6) }), { ProvisionedThroughput: units(5, 6) }),
    ).toThrow(
      'The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 6. Requested WriteCapacityUnits: 6. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
    )
  })

  test('shrinks four times a day, then once an hour, then four times the next day', () => {
    let definition = table({ ProvisionedThroughput: units(100) })
    for (let times = 1; times <= 4; times++) {
      definition = change(definition, { ProvisionedThroughput: units(100 - times) }).definition
    }
    expect(definition.billing.throughput.decreasesToday).toBe(4)
    const fifth = { ProvisionedThroughput: units(50) }
    expect(() => change(definition, fifth, nowMs + 3_599_999)).toThrow(
      'Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. Number of decreases today: 4. Last decrease at Friday, January 2, 2026 at 12:01:00 AM Coordinated Universal Time. Next decrease can be made at Friday, January 2, 2026 at 1:01:00 AM Coordinated Universal Time',
    )
    const late = Date.UTC(2026, 0, 2, 23, 30)
    const shrunkLate = change(definition, fifth, late).definition
    expect(() => change(shrunkLate, { ProvisionedThroughput: units(40) }, late + 1)).toThrow(
      'Next decrease can be made at Saturday, January 3, 2026 at 12:00:00 AM Coordinated Universal Time',
    )
    expect(change(definition, fifth, nowMs + 3_600_000).definition.billing.throughput.decreasesToday).toBe(5)
    expect(change(definition, fifth, nowMs + 86_400_000).definition.billing.throughput.decreasesToday).toBe(1)
  })
})

describe('billing', () => {
  test('switches to on demand, for indexes too', () => {
    const { definition, shown } = change(indexed(true), { BillingMode: 'PAY_PER_REQUEST' })
    expect(definition.billing).toEqual({
      mode: 'PAY_PER_REQUEST',
      throughput: { readUnits: 0, writeUnits: 0, decreasesToday: 0 },
      warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 },
      lastPayPerRequestAtMs: nowMs,
      payPerRequestSwitchesMs: [nowMs],
    })
    expect(definition.globalIndexes[0]?.throughput?.readUnits).toBe(0)
    expect(shown).toMatchObject({ status: 'UPDATING', billing: { mode: 'PAY_PER_REQUEST' } })
  })

  test('remembers on demand how throughput changed before', () => {
    const less = change(table({ ProvisionedThroughput: units(5) }), { ProvisionedThroughput: units(4) }).definition
    expect(change(less, { BillingMode: 'PAY_PER_REQUEST' }).definition.billing.throughput).toEqual({
      readUnits: 0,
      writeUnits: 0,
      decreasesToday: 1,
      lastDecreaseAtMs: nowMs,
    })
  })

  test('a switch to provisioned is no increase', () => {
    const request = { BillingMode: 'PROVISIONED', ProvisionedThroughput: units(5) } as const
    expect(change(table(), request).definition.billing.throughput).toEqual({
      readUnits: 5,
      writeUnits: 5,
      decreasesToday: 0,
    })
  })

  test('switches to provisioned if each index says how much, and forgets on-demand limits', () => {
    const onDemand = { ...indexed(), billing: { ...indexed().billing, onDemandLimits: { maxReadUnits: 7 } } }
    const request = { BillingMode: 'PROVISIONED', ProvisionedThroughput: units(5) } as const
    expect(() => change(onDemand, request)).toThrow(
      `${invalid}ProvisionedThroughput must be specified for index: gsi`,
    )
    const { definition } = change(onDemand, {
      ...request,
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'gsi', ProvisionedThroughput: units(3) } }],
    })
    expect(definition.billing).toMatchObject({ mode: 'PROVISIONED', lastPayPerRequestAtMs: createdMs })
    expect(definition.billing.onDemandLimits).toBeUndefined()
    expect(definition.globalIndexes[0]?.throughput).toMatchObject({ readUnits: 3, writeUnits: 3 })
  })

  test('stays on demand without complaint', () => {
    const { definition, shown } = change(table(), { BillingMode: 'PAY_PER_REQUEST' })
    expect(definition).toEqual(table())
    expect(shown.status).toBe('UPDATING')
  })

  test('on-demand limits are changed one by one and removed by -1', () => {
    const limited = change(table(), { OnDemandThroughput: { MaxReadRequestUnits: 20, MaxWriteRequestUnits: 15 } })
    expect(limited.shown.status).toBe('ACTIVE')
    const changed = change(limited.definition, { OnDemandThroughput: { MaxReadRequestUnits: 40 } }).definition
    expect(changed.billing.onDemandLimits).toEqual({ maxReadUnits: 40, maxWriteUnits: 15 })
    const removed = change(changed, { OnDemandThroughput: { MaxReadRequestUnits: -1 } })
    expect(removed.definition.billing.onDemandLimits).toEqual({ maxWriteUnits: 15 })
    expect(removed.shown.billing.onDemandLimits).toEqual({ maxReadUnits: -1, maxWriteUnits: 15 })
  })

  test('a table never becomes less warm', () => {
    const warm = change(table(), { WarmThroughput: { ReadUnitsPerSecond: 13_000 } }).definition
    expect(warm.billing.warmThroughput).toEqual({ readUnitsPerSecond: 13_000, writeUnitsPerSecond: 4_000 })
    expect(() => change(warm, { WarmThroughput: { ReadUnitsPerSecond: 12_000 } })).toThrow(
      `${invalid}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported`,
    )
    const colder = { Update: { IndexName: 'gsi', WarmThroughput: { WriteUnitsPerSecond: 1 } } }
    expect(() => change(indexed(), { GlobalSecondaryIndexUpdates: [colder] })).toThrow(
      `${invalid}Requested WriteUnitsPerSecond for WarmThroughput for index gsi is lower than current WarmThroughput, decreasing WarmThroughput is not supported`,
    )
  })
})

describe('indexes', () => {
  test('a new one has to be built, and brings its attributes', () => {
    const { definition, shown, createdIndex } = change(table(), create('of-year'))
    expect(createdIndex).toMatchObject({ indexId: 99, indexName: 'of-year', status: 'CREATING', backfilling: true })
    expect(definition.globalIndexes).toEqual([createdIndex])
    expect(definition.attributeTypes).toEqual({ pk: 'S', sk: 'S', year: 'N' })
    expect(shown).toMatchObject({ status: 'UPDATING', globalIndexes: [{ status: 'CREATING', backfilling: false }] })
  })

  test('a deleted one is gone at once, with its attributes, but shown as going', () => {
    const withIndex = change(table(), create('of-year')).definition
    const { definition, shown, deletedIndex } = change(withIndex, {
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'of-year' } }],
    })
    expect(deletedIndex?.indexId).toBe(99)
    expect(definition.globalIndexes).toEqual([])
    expect(definition.attributeTypes).toEqual({ pk: 'S', sk: 'S' })
    expect(shown.globalIndexes).toMatchObject([{ indexName: 'of-year', status: 'DELETING' }])
  })

  test('one at a time is created or deleted', () => {
    const message =
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table'
    const one = create('of-year')
    const two = create('of-genre', 'genre')
    const both = {
      AttributeDefinitions: [...(one.AttributeDefinitions ?? []), ...(two.AttributeDefinitions ?? [])],
      GlobalSecondaryIndexUpdates: [
        ...(one.GlobalSecondaryIndexUpdates ?? []),
        ...(two.GlobalSecondaryIndexUpdates ?? []),
      ],
    }
    expect(() => change(table(), both)).toThrow(message)
    expect(() => change(change(table(), one).definition, two)).toThrow(message)
  })

  const missing = { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'none' } }] }
  test('one that is not there is not found', () => {
    expect(() => change(table(), missing)).toThrow(
      expect.objectContaining({
        code: 'ResourceNotFoundException',
        message: 'Requested resource not found: Index none for table music',
      }),
    )
  })

  test("an index's throughput changes by itself", () => {
    const { definition, shown } = change(indexed(true), updateIndex(8))
    expect(shown).toMatchObject({
      status: 'ACTIVE',
      globalIndexes: [{ status: 'UPDATING', throughput: { readUnits: 5 } }],
    })
    expect(definition.globalIndexes[0]?.throughput).toMatchObject({ readUnits: 8, lastIncreaseAtMs: nowMs })
    expect(definition.billing.throughput.readUnits).toBe(5)
    expect(() => change(definition, updateIndex(8))).toThrow(
      'The provisioned throughput for the index gsi will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for index gsi: 8.',
    )
    expect(() => change(indexed(), updateIndex(8))).toThrow(
      `${invalid}The only Updates for index: gsi when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`,
    )
  })
})

describe('the rest', () => {
  test('a stream is enabled, kept, disabled and remembered', () => {
    const enable = { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } } as const
    const disable = { StreamSpecification: { StreamEnabled: false } }
    const enabled = change(table(), enable).definition
    expect(enabled.stream).toEqual({ enabled: true, viewType: 'NEW_IMAGE', label: '2026-01-02T00:01:00.000' })
    expect(() => change(enabled, enable)).toThrow('Table already has an enabled stream: TableName: music')
    const disabled = change(enabled, disable).definition
    expect(disabled.stream).toMatchObject({ enabled: false, label: '2026-01-02T00:01:00.000' })
    expect(() => change(disabled, disable)).toThrow('Table has no stream to disable: TableName: music')
  })

  test('deletion protection changes at once', () => {
    const { definition, shown } = change(table(), { DeletionProtectionEnabled: true })
    expect(definition.deletionProtection).toBe(true)
    expect(shown).toEqual(definition)
  })

  test('the class changes, and a class it has already is no change', () => {
    expect(change(table(), { TableClass: 'STANDARD_INFREQUENT_ACCESS' }).definition).toMatchObject({
      tableClass: 'STANDARD_INFREQUENT_ACCESS',
      tableClassChangedAtMs: nowMs,
    })
    expect(change(table(), { TableClass: 'STANDARD' }).definition).toEqual(table())
  })

  test('the key of the encryption is the same by its ARN alone', () => {
    const byAlias = { SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'alias/mine' } } as const
    const encrypted = change(table(), byAlias).definition
    expect(change(encrypted, byAlias).definition.encryption).toEqual(encrypted.encryption)
    const KMSMasterKeyId = encrypted.encryption?.kmsKeyArn ?? ''
    expect(() => change(encrypted, { SSESpecification: { ...byAlias.SSESpecification, KMSMasterKeyId } })).toThrow(
      `${invalid}Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key`,
    )
  })

  test('encryption is turned on and off', () => {
    const encrypted = change(table(), { SSESpecification: { Enabled: true } }).definition
    expect(encrypted.encryption?.kmsKeyArn).toContain(uuid())
    expect(change(encrypted, { SSESpecification: { Enabled: false } }).definition.encryption).toBeUndefined()
    expect(() => change(table(), { SSESpecification: { Enabled: false } })).toThrow(
      `${invalid}Table is already encrypted by default`,
    )
  })
})

describe('UpdateTable is refused', () => {
  const cases: [
    what: string,
    definition: TableDefinition,
    input: Omit<UpdateTableInput, 'TableName'>,
    message: string,
  ][] = [
    [
      'that asks for nothing',
      table(),
      { AttributeDefinitions: [], GlobalSecondaryIndexUpdates: [] },
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required',
    ],
    [
      'with an empty list of index updates besides',
      table(),
      { DeletionProtectionEnabled: true, GlobalSecondaryIndexUpdates: [] },
      `${invalid}List of GlobalSecondaryIndexUpdates is empty`,
    ],
    [
      'that changes encryption and more',
      table(),
      { SSESpecification: { Enabled: true }, DeletionProtectionEnabled: true },
      `${invalid}Server-Side Encryption modification must be the only operation in the request`,
    ],
    [
      'that warms a table and creates an index',
      table(),
      { ...create('of-year'), WarmThroughput: { ReadUnitsPerSecond: 13_000 } },
      `${invalid}Create global secondary index cannot be specified when updating WarmThroughput`,
    ],
    [
      'that warms a table and changes the stream',
      table(),
      { WarmThroughput: { ReadUnitsPerSecond: 13_000 }, StreamSpecification: { StreamEnabled: false } },
      `${invalid}WarmThroughput must be the only operation in the request`,
    ],
    [
      'that warms a table and changes its billing',
      table(),
      { WarmThroughput: { ReadUnitsPerSecond: 13_000 }, BillingMode: 'PAY_PER_REQUEST' },
      `${invalid}WarmThroughput must be the only operation in the request`,
    ],
    [
      'that warms a table and limits it',
      table(),
      { WarmThroughput: { ReadUnitsPerSecond: 13_000 }, OnDemandThroughput: { MaxReadRequestUnits: 1 } },
      `${invalid}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
    ],
    [
      'that warms an index to nothing, whatever else it asks for',
      table(),
      {
        TableClass: 'STANDARD',
        GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'gsi', WarmThroughput: {} } }],
      },
      `${invalid}WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: gsi`,
    ],
    [
      'that changes protection and more',
      table(),
      { BillingMode: 'PAY_PER_REQUEST', DeletionProtectionEnabled: true },
      `${invalid}DeletionProtection modification must be the only operation in the request`,
    ],
    [
      'that changes on-demand limits and an index',
      table(),
      { ...create('of-year'), OnDemandThroughput: { MaxReadRequestUnits: 1 } },
      `${invalid}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
    ],
    [
      'that changes throughput and the stream',
      table({ ProvisionedThroughput: units(5) }),
      { ProvisionedThroughput: units(6), StreamSpecification: { StreamEnabled: false } },
      `${invalid}You cannot modify stream status while updating table IOPS`,
    ],
    [
      'that changes throughput and creates an index',
      table({ ProvisionedThroughput: units(5) }),
      { ...create('of-year'), ProvisionedThroughput: units(6) },
      `${invalid}You cannot create or delete index while updating table IOPS`,
    ],
    [
      'that provisions nothing',
      table(),
      { BillingMode: 'PROVISIONED' },
      `${invalid}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`,
    ],
    [
      'that provisions a table on demand',
      table(),
      { ProvisionedThroughput: units(1) },
      `${invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
    ],
    [
      'that limits a provisioned table',
      table({ ProvisionedThroughput: units(5) }),
      { OnDemandThroughput: { MaxReadRequestUnits: 1 } },
      `${invalid}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`,
    ],
    [
      'that does nothing to an index',
      table(),
      { GlobalSecondaryIndexUpdates: [{}] },
      `${invalid}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null`,
    ],
    [
      'that does two things to one index',
      table(),
      { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'gsi' } }, { Update: { IndexName: 'gsi' } }] },
      `${invalid}Only one global secondary index update per index is allowed simultaneously. Index: gsi`,
    ],
    [
      'that creates an index there is',
      indexed(),
      create('gsi'),
      'Attempting to create an index which already exists',
    ],
    [
      'that creates an index of unknown attributes',
      table(),
      { GlobalSecondaryIndexUpdates: create('of-year').GlobalSecondaryIndexUpdates ?? [] },
      `${invalid}AttributeDefinitions is not specified for index: of-year`,
    ],
    [
      'that gives an attribute another type',
      table(),
      create('gsi', 'sk'),
      `${invalid}Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: Schema:[SchemaElement: key{sk:S:HASH}] New schema: Schema:[SchemaElement: key{sk:N:HASH}]`,
    ],
    [
      'that creates an index without throughput on a provisioned table',
      table({ ProvisionedThroughput: units(5) }),
      create('of-year'),
      `${invalid}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: of-year`,
    ],
    [
      'that deletes a local index',
      indexed(),
      { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'lsi' } }] },
      'Cannot delete an index that is not a GlobalSecondaryIndex: lsi',
    ],
    [
      'that enables a stream of no kind',
      table(),
      { StreamSpecification: { StreamEnabled: true } },
      `${invalid}If stream is being enabled then UpdateViewType is required`,
    ],
  ]
  test.each(cases)('%s', (_what, definition, input, message) => {
    expect(() => change(definition, input)).toThrow(expect.objectContaining({ message }))
  })
})
