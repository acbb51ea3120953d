import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Whoever may do nothing learns nothing: not even whether a table exists. And nothing changes. */
const region = 'us-west-2'
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
  await db.client.createTable({
    TableName: 'Present',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  })
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
    await Reflect.apply(ask, nobody, [body])
    return 'allowed'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'no error'
  }
}
