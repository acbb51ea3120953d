import type { RecordSpaceName } from '../../layout/key-space.ts'
import { RecordSpace } from '../../records/record-space.ts'
import type { Store, Write } from '../../store/store.ts'
import { openTestStore } from '../../testing/open-test-store.ts'
import { openTestEngine, type TestEngine } from '../../testing/test-engine.ts'
import { verifyStore } from '../verify-store.ts'
import type { Finding } from '../finding.ts'
import type { VerifyOptions } from '../verification.ts'
import type { VerifyReport } from '../verify-store.ts'

/** An engine whose store has something in every space: tables with indexes of every kind, a stream and its past, time to live,
 *  backups, tokens, a dropped table, metrics, alarms and scaling. Metrics are stored when it is closed: it has been once. */
export async function openFilledEngine(): Promise<TestEngine> {
  const store = await openTestStore()
  const filled = await openTestEngine(undefined, { store: staysOpen(store) })
  await fill(filled)
  await filled.close()
  const db = await openTestEngine(undefined, { store })
  db.advance(120_000)
  for (let n = 110; n < 120; n++) await db.run('PutItem', { TableName: 'music', Item: song(n) })
  await db.engine.background.idle()
  return db
}

function staysOpen(store: Store): Store {
  return {
    ...(store.shared === true && { shared: true }),
    view: (read) => store.view(read),
    openSnapshot: () => store.openSnapshot(),
    transact: (keys, decide) => store.transact(keys, decide),
    close: () => Promise.resolve(),
  }
}

/** Puts something into every space. */
export async function fill(db: TestEngine): Promise<void> {
  await createMusic(db)
  for (let n = 0; n < 36; n++) await db.run('PutItem', { TableName: 'music', Item: song(n) })
  for (let n = 0; n < 36; n += 3) await change(db, n)
  for (let n = 0; n < 36; n += 10) await db.run('DeleteItem', { TableName: 'music', Key: keyOf(n) })
  for (let n = 0; n < 5; n++) await transact(db, n)
  await db.run('CreateBackup', { TableName: 'music', BackupName: 'first' })
  await addIndex(db)
  await dropOthers(db)
  await record(db)
  await db.engine.background.idle()
  db.advance(60_000)
  for (let n = 100; n < 110; n++) await db.run('PutItem', { TableName: 'music', Item: song(n) })
}

/** All that a run finds, and its report. */
export async function verified(
  db: Pick<TestEngine, 'store'>,
  options: Partial<VerifyOptions> = {},
): Promise<{ readonly findings: readonly Finding[]; readonly report: VerifyReport }> {
  const findings: Finding[] = []
  const report = await verifyStore({ store: db.store, onFinding: (finding) => findings.push(finding), ...options })
  return { findings, report }
}

function song(n: number): Record<string, object> {
  return {
    artist: { S: `artist ${n % 7}` },
    title: { S: `title ${n}` },
    year: { N: String(1960 + n) },
    ...(n % 4 !== 0 && { genre: { S: `genre ${n % 3}` } }),
    ...(n % 5 === 0 && { expires: { N: String(4_000_000_000 + n) } }),
    tags: { SS: [`b${n}`, `a${n}`] },
    details: { M: { length: { N: '3.5' }, '10': { L: [{ BOOL: true }, { NULL: true }, { B: 'AQID' }] } } },
  }
}

function keyOf(n: number): Record<string, object> {
  return { artist: { S: `artist ${n % 7}` }, title: { S: `title ${n}` } }
}

const attributes = [
  { AttributeName: 'artist', AttributeType: 'S' },
  { AttributeName: 'title', AttributeType: 'S' },
  { AttributeName: 'year', AttributeType: 'N' },
  { AttributeName: 'genre', AttributeType: 'S' },
]

const keys = (...names: readonly string[]): object[] =>
  names.map((AttributeName, position) => ({ AttributeName, KeyType: position === 0 ? 'HASH' : 'RANGE' }))

async function createMusic(db: TestEngine): Promise<void> {
  await db.run('CreateTable', {
    TableName: 'music',
    AttributeDefinitions: attributes,
    KeySchema: keys('artist', 'title'),
    LocalSecondaryIndexes: [
      { IndexName: 'by-year', KeySchema: keys('artist', 'year'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    ],
    GlobalSecondaryIndexes: [
      { IndexName: 'by-genre', KeySchema: keys('genre', 'year'), Projection: { ProjectionType: 'ALL' } },
      {
        IndexName: 'tags',
        KeySchema: keys('genre'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['tags'] },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  await db.run('UpdateTimeToLive', {
    TableName: 'music',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  })
  await db.run('UpdateContinuousBackups', {
    TableName: 'music',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  await db.engine.background.idle()
}

function change(db: TestEngine, n: number): Promise<unknown> {
  return db.run('UpdateItem', {
    TableName: 'music',
    Key: keyOf(n),
    UpdateExpression: 'SET #y = #y + :one, genre = :genre',
    ExpressionAttributeNames: { '#y': 'year' },
    ExpressionAttributeValues: { ':one': { N: '1' }, ':genre': { S: 'changed' } },
  })
}

function transact(db: TestEngine, n: number): Promise<unknown> {
  return db.run('TransactWriteItems', {
    ClientRequestToken: `token ${n}`,
    TransactItems: [
      { Put: { TableName: 'music', Item: song(200 + n) } },
      { Put: { TableName: 'music', Item: song(300 + n) } },
    ],
  })
}

async function addIndex(db: TestEngine): Promise<void> {
  await db.run('UpdateTable', {
    TableName: 'music',
    AttributeDefinitions: attributes,
    GlobalSecondaryIndexUpdates: [
      {
        Create: { IndexName: 'by-title', KeySchema: keys('title'), Projection: { ProjectionType: 'KEYS_ONLY' } },
      },
    ],
  })
  await db.engine.background.idle()
}

/** One table leaves its log and a backup behind, the other nothing; a third has been restored. */
async function dropOthers(db: TestEngine): Promise<void> {
  for (const TableName of ['streamed', 'plain']) {
    await db.run('CreateTable', {
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: keys('pk'),
      BillingMode: 'PAY_PER_REQUEST',
      ...(TableName === 'streamed' && {
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      }),
    })
    if (TableName === 'streamed') {
      await db.run('UpdateContinuousBackups', {
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      })
    }
    for (let n = 0; n < 10; n++) await db.run('PutItem', { TableName, Item: { pk: { S: `${n}` } } })
    await db.run('DeleteTable', { TableName })
  }
  db.advance(10_000)
  await db.run('RestoreTableToPointInTime', {
    SourceTableName: 'music',
    TargetTableName: 'restored',
    UseLatestRestorableTime: true,
  })
  await db.engine.background.idle()
}

/** What services above the engine remember. */
async function record(db: TestEngine): Promise<void> {
  const scope = { accountId: '123456789012', region: 'eu-west-1' }
  await db.run('CreateTable', {
    TableName: 'provisioned',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'B' }],
    KeySchema: keys('pk'),
    ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
  })
  for (let n = 0; n < 10; n++) {
    await db.run('PutItem', { TableName: 'provisioned', Item: { pk: { B: Buffer.of(n).toString('base64') } } })
  }
  const resourceId = 'table/provisioned'
  const dimension = 'dynamodb:table:ReadCapacityUnits'
  const { store } = db.engine
  const writes = [
    recordWrite(store, 'scalableTarget', [resourceId, dimension], { resourceId, dimension, id: '1' }),
    recordWrite(store, 'scalingPolicy', [resourceId, dimension, 'follow'], {
      resourceId,
      dimension,
      policyName: 'follow',
      id: '2',
    }),
    recordWrite(store, 'alarm', ['high'], { name: 'high' }),
    recordWrite(store, 'contributorInsights', ['music', 'by-year'], { tableName: 'music', indexName: 'by-year' }),
    recordWrite(store, 'identity', ['user', 'ann'], { kind: 'user', name: 'ann' }),
    recordWrite(store, 'lambdaFunction', ['on-order'], { name: 'on-order' }),
    recordWrite(store, 'lambdaCode', ['on-order', '00', '000000'], { name: 'on-order', bytes: '' }),
    recordWrite(store, 'eventSourceMapping', ['1'], { uuid: '1' }),
    recordWrite(store, 'shardProgress', ['1', 'shardId-0'], { mapping: '1', shardId: 'shardId-0' }),
  ]
  await store.transact([], () => ({ writes, answer: undefined }))

  function recordWrite(of: Store, space: RecordSpaceName, parts: readonly string[], value: object): Write {
    return new RecordSpace(of, space).put(scope, parts, value)
  }
}
