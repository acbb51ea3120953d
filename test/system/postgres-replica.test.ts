import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServerProcess } from './server-process.ts'

let primary: PostgresServer
let replica: PostgresServer
let server: ServerProcess

beforeAll(async () => {
  primary = await startPostgres()
  replica = await primary.startStandby()
  // The bound is so high that a replica which stands still is read all the same.
  const store = `${primary.url}?read_replicas=127.0.0.1:${replica.port}&max_replica_lag_ms=600000`
  server = await ServerProcess.start(['--no-workbench', '--shared', '--store', store])
}, 60_000)

afterAll(async () => {
  await server.kill()
  await Promise.all([primary.remove(), replica.remove()])
})

const TableName = 'shown'
const Key = { pk: { S: 'one' } }

test('reads that need not be consistent come from the replica, and all others from the primary', async () => {
  await server.call('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'kind', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-kind',
        KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  })
  const put = (state: string): Promise<unknown> =>
    server.call('PutItem', { TableName, Item: { ...Key, kind: { S: 'k' }, state: { S: state } } })
  await put('old')
  await expect
    .poll(() => server.call('GetItem', { TableName, Key }))
    .toMatchObject({ Item: { state: { S: 'old' } } })
  // The replica is read once it is known to be up to date.
  await expect
    .poll(async () => {
      await server.call('GetItem', { TableName, Key })
      return metric('hashrange_store_replica_reads_total')
    })
    .toBeGreaterThan(0)
  await replica.query('SELECT pg_wal_replay_pause()')
  await put('new')

  const byKind = {
    TableName,
    IndexName: 'by-kind',
    KeyConditionExpression: 'kind = :kind',
    ExpressionAttributeValues: { ':kind': { S: 'k' } },
  }
  const byKey = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'one' } },
  }
  const Statement = `SELECT * FROM "${TableName}" WHERE pk = 'one'`
  const state = async (operation: string, input: object): Promise<string | undefined> =>
    /"state":\{"S":"(\w+)"\}/.exec(JSON.stringify(await server.call(operation, input)))?.[1]

  expect(await state('GetItem', { TableName, Key })).toBe('old')
  expect(await state('Query', byKind)).toBe('old')
  expect(await state('Query', byKey)).toBe('old')
  expect(await state('Scan', { TableName })).toBe('old')
  expect(await state('BatchGetItem', { RequestItems: { [TableName]: { Keys: [Key] } } })).toBe('old')
  expect(await state('ExecuteStatement', { Statement })).toBe('old')
  expect(await state('BatchExecuteStatement', { Statements: [{ Statement }] })).toBe('old')

  const ConsistentRead = true
  expect(await state('GetItem', { TableName, Key, ConsistentRead })).toBe('new')
  expect(await state('Query', { ...byKey, ConsistentRead })).toBe('new')
  expect(await state('Scan', { TableName, ConsistentRead })).toBe('new')
  expect(await state('BatchGetItem', { RequestItems: { [TableName]: { Keys: [Key], ConsistentRead } } })).toBe(
    'new',
  )
  expect(await state('ExecuteStatement', { Statement, ConsistentRead })).toBe('new')
  expect(await state('BatchExecuteStatement', { Statements: [{ Statement, ConsistentRead }] })).toBe('new')
  expect(await state('TransactGetItems', { TransactItems: [{ Get: { TableName, Key } }] })).toBe('new')
  // A write decides by what is there now, and not by what a replica shows.
  await expect(
    server.call('PutItem', {
      TableName,
      Item: Key,
      ConditionExpression: '#state = :old',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':old': { S: 'old' } },
    }),
  ).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
  expect(await metric('hashrange_store_replica_lag_seconds')).toBeGreaterThan(0)
})

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.endpoint}/metrics`)).text()
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.+)$`, 'm').exec(text)?.[1])
}
