import { describe, expect, test } from 'vitest'
import {
  createdMs,
  nowMs,
  invalid,
  table,
  change,
  units,
  indexed,
  updateIndex,
  create,
  uuid,
} from './testing/table-change.ts'

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
