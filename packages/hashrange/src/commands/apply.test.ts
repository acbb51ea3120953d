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
    expect(told).toContain('skipped, because hashrange does not support them: AWS::SQS::Queue')
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

  test('also makes streams, auto scaling, alarms and functions, and changes nothing the second time', async () => {
    const target = { ResourceId: 'table/orders', ScalableDimension: 'dynamodb:table:WriteCapacityUnits' }
    const { BillingMode: _, GlobalSecondaryIndexes: __, ...common } = orders
    const whole = (most: number, threshold: string) => ({
      Resources: {
        Orders: {
          Type: 'AWS::DynamoDB::Table',
          Properties: {
            ...common,
            AttributeDefinitions: attributes('pk', 'sk'),
            ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 2 },
            KinesisStreamSpecification: { StreamArn: { 'Fn::GetAtt': ['Changes', 'Arn'] } },
          },
        },
        Changes: { Type: 'AWS::Kinesis::Stream', Properties: { Name: 'changes', ShardCount: '1' } },
        Target: {
          Type: 'AWS::ApplicationAutoScaling::ScalableTarget',
          Properties: {
            ...target,
            ResourceId: { 'Fn::Sub': 'table/${Orders}' },
            ServiceNamespace: 'dynamodb',
            MinCapacity: 4,
            MaxCapacity: most,
            RoleARN: { 'Fn::GetAtt': ['Role', 'Arn'] },
          },
        },
        Policy: {
          Type: 'AWS::ApplicationAutoScaling::ScalingPolicy',
          Properties: {
            PolicyName: 'writes',
            PolicyType: 'TargetTrackingScaling',
            ScalingTargetId: { Ref: 'Target' },
            TargetTrackingScalingPolicyConfiguration: {
              TargetValue: '70',
              PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBWriteCapacityUtilization' },
            },
          },
        },
        Alarm: {
          Type: 'AWS::CloudWatch::Alarm',
          Properties: {
            AlarmName: 'throttled',
            Namespace: 'AWS/DynamoDB',
            MetricName: 'ThrottledRequests',
            Dimensions: [{ Name: 'TableName', Value: { Ref: 'Orders' } }],
            Statistic: 'Sum',
            Period: '60',
            EvaluationPeriods: 1,
            Threshold: threshold,
            ComparisonOperator: 'GreaterThanThreshold',
            AlarmActions: [{ Ref: 'Topic' }],
          },
        },
        OfAnApi: {
          Type: 'AWS::CloudWatch::Alarm',
          Properties: { Namespace: 'AWS/ApiGateway', Dimensions: [{ Name: 'Api', Value: { Ref: 'Api' } }] },
        },
        Function: {
          Type: 'AWS::Lambda::Function',
          Properties: { Runtime: 'nodejs20.x', Handler: 'index.handler', Code: { ZipFile: 'exports.handler = 1' } },
        },
        Elsewhere: {
          Type: 'AWS::Lambda::Function',
          Properties: { Runtime: 'nodejs20.x', Handler: 'index.handler', Code: { S3Bucket: 'b', S3Key: 'k' } },
        },
        Container: { Type: 'AWS::Lambda::Function', Properties: { PackageType: 'Image', Code: { ImageUri: 'i' } } },
        Role: { Type: 'AWS::IAM::Role' },
        Topic: { Type: 'AWS::SNS::Topic' },
      },
    })
    const place = join(folder, 'whole')
    const run = async (...words: string[]): Promise<string> => {
      told = ''
      expect(await runTransfer('apply', [file, '--path', place, ...words])).toBe(0)
      return told.replaceAll(/ {3,}/g, '  ')
    }
    writeFileSync(file, JSON.stringify(whole(40, '1')))
    const shown = await run('--diff')
    for (const name of ['Kinesis stream changes', 'orders', 'scaling policy writes', 'alarm throttled'])
      expect(shown).toContain(`  ${name}  would be created`)
    const made = await run()
    for (const name of ['Kinesis stream changes', 'orders', 'scaling policy writes', 'alarm throttled'])
      expect(made).toContain(`  ${name}  created`)
    expect(made).toContain('scaling of table/orders (WriteCapacityUnits)  created')
    expect(made).toContain('function Function  skipped: This database does not run uploaded code')
    expect(made).toContain('function Elsewhere  skipped: its code is not in a folder of this machine')
    expect(made).toContain('function Container  skipped: images are not run here')
    expect(made).toContain(
      'hashrange does not support them: AWS::CloudWatch::Alarm, AWS::IAM::Role, AWS::SNS::Topic',
    )
    // Auto scaling has raised the capacity to its minimum meanwhile; that stays.
    expect(await run()).not.toMatch(/created|updated/)
    writeFileSync(file, JSON.stringify(whole(50, '2')))
    const changed = await run()
    expect(changed).toContain('(WriteCapacityUnits)  updated: scales between 4 and 50 units')
    expect(changed).toContain('alarm throttled  updated: changes Threshold')
    expect(changed).toContain('orders  unchanged')
  })

  test('says what is wrong with its words', async () => {
    expect(await runTransfer('apply', [])).toBe(2)
    expect(await runTransfer('apply', [file, '--parameter', 'x'])).toBe(2)
    expect(told).toContain('--parameter must be NAME=VALUE, not "x".')
  })
})
