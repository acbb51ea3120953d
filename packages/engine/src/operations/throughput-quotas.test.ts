import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeDefinition, keyOfDefinition, parseDefinition } from '../catalog/stored-definition.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { partitionModelKey } from '../layout/metering-keys.ts'
import type { Store } from '../store/store.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'

let database: TestEngine
beforeEach(async () => {
  database = await openTestEngine()
})
afterEach(() => database.close())

const units = (read: number, write = read): object => ({ ReadCapacityUnits: read, WriteCapacityUnits: write })
const warm = (read: number, write = read): object => ({ ReadUnitsPerSecond: read, WriteUnitsPerSecond: write })
const onDemand = (read: number, write = read): object => ({
  MaxReadRequestUnits: read,
  MaxWriteRequestUnits: write,
})

const index = (more: object): object => ({
  IndexName: 'by-b',
  KeySchema: [{ AttributeName: 'b', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'ALL' },
  ...more,
})

/** A table on demand, unless `more` says otherwise; with an index, if that is given. */
const table = (TableName: string, more: object, indexMore?: object): object => ({
  TableName,
  KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
  AttributeDefinitions: ['a', ...(indexMore === undefined ? [] : ['b'])].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  ...(!('ProvisionedThroughput' in more) && { BillingMode: 'PAY_PER_REQUEST' }),
  ...more,
  ...(indexMore !== undefined && { GlobalSecondaryIndexes: [index(indexMore)] }),
})

const updateIndex = (more: object): object => ({
  TableName: 'music',
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'by-b', ...more } }],
})

const guide = 'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.'
const aboveWarm = (side: 'Read' | 'Write', subject: string): string =>
  `Subscriber limit exceeded: Requested ${side}UnitsPerSecond for WarmThroughput for ${subject} exceeds TableMax${side}CapacityUnits of the account in region eu-west-1`
const aboveOnDemand = (side: 'Read' | 'Write', subject: string): string =>
  `Subscriber limit exceeded: Requested Max${side}RequestUnits for OnDemandThroughput for ${subject} exceeds TableMax${side}CapacityUnits of the account in region eu-west-1`
const aboveIndex = (unit: string, value: number): string =>
  `The requested ${unit} for index by-b, ${value}, is above the per index maximum for the account in eu-west-1. Per index maximum: 40000. ${guide}`

const refused = async (operation: string, input: object, code: string, message: string): Promise<void> => {
  expect(await database.refusal(operation, input)).toMatchObject({ code, message })
}
const limited = (operation: string, input: object, message: string): Promise<void> =>
  refused(operation, input, 'LimitExceededException', message)

describe('a new table has no more than its account may', () => {
  test.each([
    ['warm reads', { WarmThroughput: warm(40_001, 40_000) }, aboveWarm('Read', 'table')],
    ['warm writes', { WarmThroughput: warm(40_000, 40_001) }, aboveWarm('Write', 'table')],
    ['warm as never before', { WarmThroughput: warm(1e15) }, aboveWarm('Read', 'table')],
    ['a maximum of reads', { OnDemandThroughput: onDemand(40_001, 1) }, aboveOnDemand('Read', 'table')],
    ['a maximum of writes', { OnDemandThroughput: onDemand(1, 1e18) }, aboveOnDemand('Write', 'table')],
  ])('%s', async (_, more, message) => {
    await limited('CreateTable', table('music', more), message)
  })

  test.each([
    ['warm reads', {}, { WarmThroughput: warm(40_001) }, aboveWarm('Read', 'index by-b')],
    ['a maximum of writes', {}, { OnDemandThroughput: onDemand(1, 1e8) }, aboveOnDemand('Write', 'index : by-b')],
    [
      'provisioned reads',
      { ProvisionedThroughput: units(1) },
      { ProvisionedThroughput: units(40_001, 1) },
      aboveIndex('ReadCapacityUnits', 40_001),
    ],
  ])('nor has its index: %s', async (_, more, indexMore, message) => {
    await limited('CreateTable', table('music', more, indexMore), message)
  })

  test('beyond any account, an index is told so in other words', async () => {
    await refused(
      'CreateTable',
      table('music', { ProvisionedThroughput: units(1) }, { ProvisionedThroughput: units(1, 1e15) }),
      'ValidationException',
      'Given value 1000000000000000 for WriteCapacityUnits is out of bounds for index by-b',
    )
  })

  test('quotas come after all that is wrong with the table', async () => {
    const input = {
      ...table('music', { ProvisionedThroughput: units(50_000) }),
      KeySchema: [{ AttributeName: 'a', KeyType: 'RANGE' }],
    }
    await refused(
      'CreateTable',
      input,
      'ValidationException',
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    )
  })

  test('as much as there may be is taken', async () => {
    await database.run(
      'CreateTable',
      table('music', { WarmThroughput: warm(40_000) }, { WarmThroughput: warm(40_000) }),
    )
    await database.run('PutItem', { TableName: 'music', Item: { a: { S: 'x' }, b: { S: 'y' } } })
  })
})

describe('a table that is changed', () => {
  beforeEach(() => database.run('CreateTable', table('music', {}, {})))

  test.each([
    [{ TableName: 'music', WarmThroughput: warm(1e8) }, aboveWarm('Read', 'table')],
    [{ TableName: 'music', OnDemandThroughput: onDemand(40_001) }, aboveOnDemand('Read', 'table')],
    [updateIndex({ WarmThroughput: warm(1e8) }), aboveWarm('Read', 'index by-b')],
    [updateIndex({ OnDemandThroughput: onDemand(1, 40_001) }), aboveOnDemand('Write', 'index : by-b')],
  ])('has no more either: %j', async (input, message) => {
    await limited('UpdateTable', input, message)
    await database.run('PutItem', { TableName: 'music', Item: { a: { S: 'x' }, b: { S: 'y' } } })
  })
})

describe('the tables of an account', () => {
  const accountLimit = (reserved: number, requested: number): string =>
    `This request would have caused the ReadCapacityUnits limit to be exceeded for the account in eu-west-1. Current ReadCapacityUnits reserved by the account: ${reserved}. Limit: 80000. Requested: ${requested}. ${guide}`

  beforeEach(async () => {
    await database.run('CreateTable', table('one', { ProvisionedThroughput: units(40_000, 1) }))
    await database.run(
      'CreateTable',
      table('two', { ProvisionedThroughput: units(20_000, 1) }, { ProvisionedThroughput: units(19_000, 1) }),
    )
  })

  test('have 80,000 units together, indexes included', async () => {
    await limited(
      'CreateTable',
      table('three', { ProvisionedThroughput: units(1_001, 1) }),
      accountLimit(79_000, 1_001),
    )
    await database.run('CreateTable', table('three', { ProvisionedThroughput: units(1_000, 1) }))
    await limited(
      'UpdateTable',
      { TableName: 'two', ProvisionedThroughput: units(20_001, 1) },
      accountLimit(80_000, 1),
    )
    await database.run('UpdateTable', { TableName: 'two', ProvisionedThroughput: units(19_999, 1) })
    await database.run('CreateTable', table('on-demand', {}))
  })

  test('of another region do not count', async () => {
    const elsewhere = { ...testScope, region: 'us-east-1' }
    const input = table('one', { ProvisionedThroughput: units(40_000) })
    await database.engine.execute(elsewhere, 'DynamoDB_20120810', 'CreateTable', input)
  })
})

/** What an earlier version stored when it was asked for 1e15, and what became of infinity. */
describe('a store that holds what no table can have', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hashrange-quotas-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const poison = async (store: Store, definition: TableDefinition): Promise<void> => {
    const huge = { readUnitsPerSecond: 1e15, writeUnitsPerSecond: null }
    const poisoned = {
      ...definition,
      billing: { ...definition.billing, warmThroughput: huge, onDemandLimits: { maxReadUnits: 1e18 } },
      globalIndexes: definition.globalIndexes.map((one) => ({ ...one, warmThroughput: huge })),
    }
    const boundaries = Array.from({ length: 50_000 }, (_, at) => (at * 80_000).toString(16).padStart(8, '0'))
    await store.transact([], () => ({
      writes: [
        { kind: 'put', key: keyOfDefinition(definition), value: Buffer.from(JSON.stringify(poisoned)) },
        {
          kind: 'put',
          key: partitionModelKey(definition.tableId),
          value: Buffer.from(JSON.stringify({ boundaries, read: {}, write: { previousPeak: 1e300 }, atMs: 0 })),
        },
      ],
      answer: undefined,
    }))
  }

  test('opens, serves, tells what there can be at most, and is healed by the next change', async () => {
    const path = join(folder, 'data')
    const before = await openTestEngine(path)
    await before.run('CreateTable', table('music', {}, {}))
    const definition = before.engine.catalog.find(testScope, 'music')?.definition
    await before.close()
    if (definition === undefined) throw new Error('the table is not there')
    const store = await openTestStore({ path })
    await poison(store, definition)
    await store.close()

    const after = await openTestEngine(path, { throttling: 'enforce' })
    try {
      await after.run('PutItem', { TableName: 'music', Item: { a: { S: 'x' }, b: { S: 'y' } } })
      expect(await after.run('DescribeTable', { TableName: 'music' })).toMatchObject({
        Table: {
          WarmThroughput: warm(40_000),
          OnDemandThroughput: { MaxReadRequestUnits: 40_000 },
          GlobalSecondaryIndexes: [{ WarmThroughput: warm(40_000) }],
        },
      })
      const [heat] = after.engine.metrics.heat(testScope, 'music')
      expect(heat?.partitions.length).toBeLessThanOrEqual(1_024)
      await after.run('UpdateTable', { TableName: 'music', DeletionProtectionEnabled: true })
      const stored = await after.store.view((snapshot) => snapshot.get(keyOfDefinition(definition)))
      expect(stored && encodeDefinition(parseDefinition(stored)).equals(stored)).toBe(true)
    } finally {
      await after.close()
    }
  })
})
