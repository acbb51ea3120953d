import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestEngine, type TestEngine } from '../testing/test-engine.ts'

/** The service's rules for throughput and billing modes, over a day of an owned clock. */

let database: TestEngine

beforeEach(async () => {
  database = await openTestEngine()
})

afterEach(() => database.close())

interface Described {
  readonly Table: {
    readonly ProvisionedThroughput: Readonly<Record<string, number>>
    readonly BillingModeSummary?: Readonly<Record<string, unknown>>
    readonly WarmThroughput?: Readonly<Record<string, unknown>>
    readonly GlobalSecondaryIndexes?: readonly { readonly WarmThroughput?: Readonly<Record<string, unknown>> }[]
  }
}

const hourMs = 3_600_000
const units = (ReadCapacityUnits: number, WriteCapacityUnits: number): object => ({
  ReadCapacityUnits,
  WriteCapacityUnits,
})
const provisioned = (read: number, write: number): object => ({
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: units(read, write),
})
const update = (change: object): Promise<object> =>
  database.run<object>('UpdateTable', { TableName: 'Orders', ...change })
const refusal = (change: object): Promise<Error> =>
  database.refusal('UpdateTable', { TableName: 'Orders', ...change })
const described = async (): Promise<Described['Table']> => {
  const { Table } = await database.run<Described>('DescribeTable', { TableName: 'Orders' })
  return Table
}

async function create(billing: object): Promise<void> {
  await database.run('CreateTable', {
    TableName: 'Orders',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    ...billing,
  })
}

describe('decreases', () => {
  test('are 27 a day at most: four at any time, then one an hour', async () => {
    // The clock begins at 03:04:05 UTC; the day's end is what counts.
    database.advance(Date.UTC(2026, 0, 3) - Date.UTC(2026, 0, 2, 3, 4, 5))
    await create(provisioned(1_000, 10))
    let readUnits = 1_000
    let decreases = 0
    const decrease = async (): Promise<void> => {
      await update({ ProvisionedThroughput: units(--readUnits, 10) })
      decreases++
    }
    for (let first = 0; first < 4; first++) await decrease()
    expect(await refusal({ ProvisionedThroughput: units(readUnits - 1, 10) })).toMatchObject({
      code: 'LimitExceededException',
      message:
        'Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. Number of decreases today: 4. Last decrease at Saturday, January 3, 2026 at 12:00:00 AM Coordinated Universal Time. Next decrease can be made at Saturday, January 3, 2026 at 1:00:00 AM Coordinated Universal Time',
    })
    for (let hour = 1; hour < 24; hour++) {
      database.advance(hourMs)
      await decrease()
      await refusal({ ProvisionedThroughput: units(readUnits - 1, 10) })
    }
    expect(decreases).toBe(27)
    expect((await described()).ProvisionedThroughput).toMatchObject({ NumberOfDecreasesToday: 27 })
    database.advance(hourMs)
    expect((await described()).ProvisionedThroughput).toMatchObject({ NumberOfDecreasesToday: 0 })
    await decrease()
  })

  test('are told of with their time, as increases are', async () => {
    await create(provisioned(10, 10))
    database.advance(60_000)
    await update({ ProvisionedThroughput: units(20, 10) })
    const increasedAt = database.engine.clock.now() / 1000
    database.advance(60_000)
    await update({ ProvisionedThroughput: units(5, 10) })
    expect((await described()).ProvisionedThroughput).toEqual({
      LastIncreaseDateTime: increasedAt,
      LastDecreaseDateTime: increasedAt + 60,
      NumberOfDecreasesToday: 1,
      ReadCapacityUnits: 5,
      WriteCapacityUnits: 10,
    })
  })
})

describe('billing modes', () => {
  test('a table may be switched to on demand four times in 24 hours, and back at any time', async () => {
    await create(provisioned(10, 10))
    for (let time = 0; time < 4; time++) {
      await update({ BillingMode: 'PAY_PER_REQUEST' })
      await update(provisioned(10, 10))
      database.advance(hourMs)
    }
    expect(await refusal({ BillingMode: 'PAY_PER_REQUEST' })).toMatchObject({
      code: 'LimitExceededException',
      message: expect.stringContaining(
        'Update to PayPerRequest mode are limited to 4 times in 1 day(s). Last update at Friday, January 2, 2026 at 6:04:05 AM Coordinated Universal Time. Next update can be made at Saturday, January 3, 2026 at 3:04:05 AM',
      ) as string,
    })
    database.advance(20 * hourMs)
    await update({ BillingMode: 'PAY_PER_REQUEST' })
    expect((await described()).BillingModeSummary).toEqual({
      BillingMode: 'PAY_PER_REQUEST',
      LastUpdateToPayPerRequestDateTime: database.engine.clock.now() / 1000,
    })
  })
})

describe('warm throughput', () => {
  test('is UPDATING in the answer and ACTIVE at once after, with its indexes if wanted', async () => {
    await create({
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [
        {
          IndexName: 'all',
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    const warm = { ReadUnitsPerSecond: 12_345, WriteUnitsPerSecond: 4_567 }
    const warmIndex = { ReadUnitsPerSecond: 13_000, WriteUnitsPerSecond: 4_000 }
    expect(
      await update({
        WarmThroughput: warm,
        GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'all', WarmThroughput: warmIndex } }],
      }),
    ).toMatchObject({
      TableDescription: {
        WarmThroughput: { ...warm, Status: 'UPDATING' },
        GlobalSecondaryIndexes: [{ WarmThroughput: { ...warmIndex, Status: 'UPDATING' } }],
      },
    })
    expect(await described()).toMatchObject({
      WarmThroughput: { ...warm, Status: 'ACTIVE' },
      GlobalSecondaryIndexes: [{ WarmThroughput: { ...warmIndex, Status: 'ACTIVE' } }],
    })
  })

  test('of a table on demand grows with its traffic, and is not lowered below that', async () => {
    await create({ BillingMode: 'PAY_PER_REQUEST' })
    const item = { pk: { S: 'a' }, text: { S: 'x'.repeat(390_000) } }
    // 381 units each, and 3,048 in one second, which is more than half of 4,000. Several keys, since one key range takes 1,000.
    for (let n = 0; n < 8; n++) {
      await database.run('PutItem', { TableName: 'Orders', Item: { ...item, pk: { S: `${n}` } } })
    }
    database.advance(hourMs)
    await database.run('GetItem', { TableName: 'Orders', Key: { pk: { S: 'a' } } })
    const warm = (await described()).WarmThroughput
    expect(warm).toMatchObject({ ReadUnitsPerSecond: 12_000, Status: 'ACTIVE' })
    expect(warm?.['WriteUnitsPerSecond']).toBeGreaterThan(4_000)
    expect(await refusal({ WarmThroughput: { WriteUnitsPerSecond: 4_001 } })).toMatchObject({
      message: expect.stringContaining('decreasing WarmThroughput is not supported') as string,
    })
  })
})
