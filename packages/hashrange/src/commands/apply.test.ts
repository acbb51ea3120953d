import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runTransfer } from './run-transfer.ts'
import type { Database } from '../database.ts'
import { open } from '../open.ts'
import { testDatabase } from '../testing/test-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-apply-'))
const file = join(folder, 'template.json')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const attributes = (...names: string[]) => names.map((name) => ({ AttributeName: name, AttributeType: 'S' }))
const key = (...names: string[]) =>
  names.map((name, n) => ({ AttributeName: name, KeyType: n === 0 ? 'HASH' : 'RANGE' }))
const index = (name: string, ...names: string[]) => ({
  IndexName: name,
  KeySchema: key(...names),
  Projection: { ProjectionType: 'ALL' },
})

const orders = {
  TableName: 'orders',
  AttributeDefinitions: attributes('pk', 'sk', 'email'),
  KeySchema: key('pk', 'sk'),
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [index('byEmail', 'email')],
  StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
  TimeToLiveSpecification: { AttributeName: 'until', Enabled: true },
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  ContributorInsightsSpecification: { Enabled: true },
  Tags: [{ Key: 'team', Value: 'shop' }],
  ResourcePolicy: {
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { AWS: ['123456789012'] }, Action: ['dynamodb:GetItem'], Resource: ['*'] },
      ],
    },
  },
}

function declare(properties: object): string {
  const Resources = {
    Orders: { Type: 'AWS::DynamoDB::Table', Properties: properties },
    Queue: { Type: 'AWS::SQS::Queue' },
  }
  writeFileSync(file, JSON.stringify({ Resources }))
  return file
}

describe('db.apply', () => {
  let db: Database

  beforeEach(async () => {
    db = await open()
    await db.apply(declare(orders))
  })

  afterEach(() => db.close())

  const table = async () =>
    (await db.execute('DescribeTable', { TableName: 'orders' }))['Table'] as Record<string, unknown>

  test('makes the tables, and changes nothing the second time', async () => {
    const made = await table()
    expect(made).toMatchObject({
      TableStatus: 'ACTIVE',
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      GlobalSecondaryIndexes: [{ IndexName: 'byEmail', IndexStatus: 'ACTIVE' }],
    })
    expect(await db.execute('DescribeTimeToLive', { TableName: 'orders' })).toMatchObject({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'until' },
    })
    expect(await db.execute('DescribeContinuousBackups', { TableName: 'orders' })).toMatchObject({
      ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' } },
    })
    const requests = vi.spyOn(db, 'execute')
    await db.apply(file)
    const asked = requests.mock.calls.map(([operation]) => operation)
    expect(asked.filter((operation) => !/^(Describe|List|Get)/.test(operation))).toEqual([])
    expect(await table()).toEqual(made)
  })

  test('changes what is different, and keeps the items', async () => {
    await db.execute('PutItem', {
      TableName: 'orders',
      Item: { pk: { S: 'a' }, sk: { S: 'b' }, email: { S: 'c' } },
    })
    await db.apply(
      declare({
        ...orders,
        AttributeDefinitions: attributes('pk', 'sk', 'email', 'day'),
        BillingMode: 'PROVISIONED',
        ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 6 },
        GlobalSecondaryIndexes: [index('byDay', 'day', 'sk'), index('byEmail', 'email', 'sk')].map((one) => ({
          ...one,
          ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 2 },
        })),
        StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
        TimeToLiveSpecification: { AttributeName: 'until', Enabled: false },
        DeletionProtectionEnabled: true,
        TableClass: 'STANDARD_INFREQUENT_ACCESS',
        Tags: [{ Key: 'team', Value: 'sales' }],
      }),
    )
    const changed = await table()
    expect(changed).toMatchObject({
      ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 6 },
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
      DeletionProtectionEnabled: true,
      TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
    })
    const indexes = changed['GlobalSecondaryIndexes'] as { IndexName: string; KeySchema: object }[]
    expect(new Map(indexes.map(({ IndexName, KeySchema }) => [IndexName, KeySchema]))).toEqual(
      new Map([
        ['byDay', key('day', 'sk')],
        ['byEmail', key('email', 'sk')],
      ]),
    )
    expect((await db.execute('Scan', { TableName: 'orders', IndexName: 'byEmail' }))['Count']).toBe(1)
    const { Tags } = await db.execute('ListTagsOfResource', { ResourceArn: changed['TableArn'] })
    expect(Tags).toEqual([{ Key: 'team', Value: 'sales' }])
    await db.apply(file)
  })

  test('does not replace a table on its own', async () => {
    await expect(db.apply(declare({ ...orders, KeySchema: key('sk', 'pk') }))).rejects.toThrow(
      /The table orders must be replaced .* because its key is different\. Delete it first/,
    )
    expect(await table()).toMatchObject({ KeySchema: key('pk', 'sk') })
  })

  test('says what the service says about a table that cannot be', async () => {
    await expect(db.apply(declare({ ...orders, TableName: 'x' }))).rejects.toThrow(
      /at least 3|greater than or equal to 3/,
    )
    await expect(db.apply(join(folder, 'none.yaml'))).rejects.toThrow(/There is no file or folder/)
  })

  test('is an option of a test database', async () => {
    const { client, close } = await testDatabase(undefined, { apply: declare(orders) })
    expect((await client.listTables({})).TableNames).toEqual(['orders'])
    await close()
  })
})

describe('hashrange apply', () => {
  let told: string

  beforeEach(() => {
    told = ''
    vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
    vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
  })

  afterEach(() => vi.restoreAllMocks())

  const apply = (...words: string[]) => runTransfer('apply', [file, '--path', join(folder, 'data'), ...words])

  test('shows, makes, updates and replaces', async () => {
    declare(orders)
    expect(await apply('--diff')).toBe(0)
    expect(told).toContain('orders  would be created')
    expect(told).toContain('skipped, because they are not tables: AWS::SQS::Queue')
    expect(await apply()).toBe(0)
    expect(told).toContain('orders  created')
    declare({ ...orders, GlobalSecondaryIndexes: [], AttributeDefinitions: attributes('pk', 'sk') })
    expect(await apply()).toBe(0)
    expect(told).toContain('orders  updated: removes the index byEmail')
    expect(await apply()).toBe(0)
    expect(told).toContain('orders  unchanged')
    declare({ ...orders, KeySchema: key('pk'), AttributeDefinitions: attributes('pk', 'email') })
    expect(await apply()).toBe(1)
    expect(told).toContain('orders  must be replaced, because its key is different: its items would be lost')
    expect(await apply('--replace')).toBe(0)
    expect(told).toContain('orders  replaced, because its key is different')
  })

  test('says what is wrong with its words', async () => {
    expect(await runTransfer('apply', [])).toBe(2)
    expect(await runTransfer('apply', [file, '--parameter', 'x'])).toBe(2)
    expect(told).toContain('--parameter must be NAME=VALUE, not "x".')
  })
})
