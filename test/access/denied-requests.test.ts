import { DynamoDB, type BatchExecuteStatementOutput, type CreateTableInput } from '@aws-sdk/client-dynamodb'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Whoever may do nothing learns nothing: not even whether a table exists. And nothing changes. */
const region = 'us-west-2'
const table: CreateTableInput = {
  TableName: 'Present',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
}
let db: Database
let nobody: DynamoDB

beforeAll(async () => {
  db = await open({
    region,
    auth: { identities: { users: { nobody: { accessKeys: [{ id: 'NOBODY', secret: 'a secret' }] } } } },
  })
  const { endpoint } = await db.listen()
  const credentials = { accessKeyId: 'NOBODY', secretAccessKey: 'a secret' }
  nobody = new DynamoDB({ endpoint, region, maxAttempts: 1, credentials })
  await db.client.createTable(table)
  await db.client.putItem({ TableName: 'Present', Item: { pk: { S: 'a' }, n: { N: '1' } } })
})

afterAll(() => db.close())

const Key = { pk: { S: 'a' } }
const arnOf = (TableName: string): string => `arn:aws:dynamodb:${region}:123456789012:table/${TableName}`
const update = { UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: '2' } } }

const requests: Readonly<Record<string, (TableName: string) => object>> = {
  batchExecuteStatement: (name) => ({ Statements: [{ Statement: `DELETE FROM ${name} WHERE pk = 'a'` }] }),
  batchGetItem: (name) => ({ RequestItems: { [name]: { Keys: [Key] } } }),
  batchWriteItem: (name) => ({ RequestItems: { [name]: [{ DeleteRequest: { Key } }] } }),
  createBackup: (TableName) => ({ TableName, BackupName: 'nightly' }),
  deleteItem: (TableName) => ({ TableName, Key }),
  deleteResourcePolicy: (name) => ({ ResourceArn: arnOf(name) }),
  deleteTable: (TableName) => ({ TableName }),
  describeContinuousBackups: (TableName) => ({ TableName }),
  describeContributorInsights: (TableName) => ({ TableName }),
  describeTable: (TableName) => ({ TableName }),
  describeTimeToLive: (TableName) => ({ TableName }),
  executeStatement: (name) => ({ Statement: `UPDATE ${name} SET n = 2 WHERE pk = 'a'` }),
  executeTransaction: (name) => ({ TransactStatements: [{ Statement: `DELETE FROM ${name} WHERE pk = 'a'` }] }),
  exportTableToPointInTime: (name) => ({ TableArn: arnOf(name), S3Bucket: 'bucket' }),
  getItem: (TableName) => ({ TableName, Key }),
  getResourcePolicy: (name) => ({ ResourceArn: arnOf(name) }),
  listTagsOfResource: (name) => ({ ResourceArn: arnOf(name) }),
  putItem: (TableName) => ({ TableName, Item: { pk: { S: 'b' } } }),
  putResourcePolicy: (name) => ({ ResourceArn: arnOf(name), Policy: '{}' }),
  query: (TableName) => ({
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'a' } },
  }),
  restoreTableToPointInTime: (SourceTableName) => ({
    SourceTableName,
    TargetTableName: 'Restored',
    UseLatestRestorableTime: true,
  }),
  scan: (TableName) => ({ TableName }),
  tagResource: (name) => ({ ResourceArn: arnOf(name), Tags: [{ Key: 'a', Value: 'b' }] }),
  transactGetItems: (TableName) => ({ TransactItems: [{ Get: { TableName, Key } }] }),
  transactWriteItems: (TableName) => ({ TransactItems: [{ Update: { TableName, Key, ...update } }] }),
  untagResource: (name) => ({ ResourceArn: arnOf(name), TagKeys: ['a'] }),
  updateContinuousBackups: (TableName) => ({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  }),
  updateContributorInsights: (TableName) => ({ TableName, ContributorInsightsAction: 'ENABLE' }),
  updateItem: (TableName) => ({ TableName, Key, ...update }),
  updateTable: (TableName) => ({ TableName, DeletionProtectionEnabled: true }),
  updateTimeToLive: (TableName) => ({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'n' } }),
}

test.each(Object.entries(requests))('%s', async (method, bodyOf) => {
  const present = await refusalOf(method, bodyOf('Present'))
  const missing = await refusalOf(method, bodyOf('Absent'))
  expect(present).toMatch(/^AccessDeniedException: User: .*user\/nobody is not authorized to perform: dynamodb:/)
  expect(missing).toBe(present.replaceAll('Present', 'Absent'))
})

test('the statements of a batch are denied one by one, and only the others run', async () => {
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['dynamodb:PartiQLUpdate', 'dynamodb:PartiQLInsert'],
        Resource: '*',
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['mine'] } },
      },
    ],
  })
  const identities = {
    users: {
      some: { accessKeys: [{ id: 'SOME', secret: 'a secret' }], policies: { some: PolicyDocument } },
    },
  }
  await using own = await open({ region, auth: { identities } })
  await own.client.createTable(table)
  for (const pk of ['mine', 'theirs']) await own.client.putItem({ TableName: 'Present', Item: { pk: { S: pk } } })
  const some = new DynamoDB({
    ...own.clientConfig,
    credentials: { accessKeyId: 'SOME', secretAccessKey: 'a secret' },
  })
  const { Responses } = await some.batchExecuteStatement({
    Statements: [
      { Statement: `UPDATE Present SET n = 1 WHERE pk = 'theirs'`, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
      { Statement: `UPDATE Present SET n = 1 WHERE pk = 'mine'` },
      { Statement: `UPDATE Present SETT n = 1 WHERE pk = 'mine'` },
      { Statement: `DELETE FROM Present WHERE pk = 'mine'` },
      { Statement: `INSERT INTO Present VALUE {'pk': 'theirs, too'}` },
      { Statement: `DELETE FROM Absent WHERE pk = 'mine'` },
    ],
  })
  const denied = expect.objectContaining({ Code: 'AccessDenied', Message: expect.stringContaining('user/some') })
  expect(Responses).toEqual([
    { Error: denied },
    { TableName: 'Present' },
    { Error: expect.objectContaining({ Code: 'ValidationError' }) },
    { Error: denied },
    { Error: denied },
    { Error: denied },
  ])
  expect((await own.client.scan({ TableName: 'Present' })).Items).toEqual(
    expect.arrayContaining([{ pk: { S: 'mine' }, n: { N: '1' } }, { pk: { S: 'theirs' } }]),
  )
  // All or nothing is for transactions.
  await expect(
    some.executeTransaction({
      TransactStatements: [
        { Statement: `UPDATE Present SET n = 2 WHERE pk = 'mine'` },
        { Statement: `UPDATE Present SET n = 2 WHERE pk = 'theirs'` },
      ],
    }),
  ).rejects.toMatchObject({ name: 'AccessDeniedException' })
  expect((await own.client.getItem({ TableName: 'Present', Key: { pk: { S: 'mine' } } })).Item).toEqual({
    pk: { S: 'mine' },
    n: { N: '1' },
  })
  some.destroy()
})

test('nothing has changed', async () => {
  expect((await db.client.listTables({})).TableNames).toEqual(['Present'])
  expect((await db.client.scan({ TableName: 'Present' })).Items).toEqual([{ pk: { S: 'a' }, n: { N: '1' } }])
  const { Table } = await db.client.describeTable({ TableName: 'Present' })
  expect(Table).toMatchObject({ DeletionProtectionEnabled: false, TableStatus: 'ACTIVE' })
  expect((await db.client.listTagsOfResource({ ResourceArn: arnOf('Present') })).Tags).toEqual([])
  expect((await db.client.listBackups({})).BackupSummaries).toEqual([])
  expect((await db.client.describeTimeToLive({ TableName: 'Present' })).TimeToLiveDescription).toEqual({
    TimeToLiveStatus: 'DISABLED',
  })
})

async function refusalOf(method: string, body: object): Promise<string> {
  const ask: unknown = Reflect.get(nobody, method)
  if (typeof ask !== 'function') throw new Error(`the SDK has no ${method}`)
  try {
    const { Responses: [first] = [] }: BatchExecuteStatementOutput = await Reflect.apply(ask, nobody, [body])
    return first?.Error?.Code === 'AccessDenied' ? `AccessDeniedException: ${first.Error.Message}` : 'allowed'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'no error'
  }
}
