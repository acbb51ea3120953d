import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DynamoDB,
  type AttributeValue,
  type ExportDescription,
  type ImportTableDescription,
} from '@aws-sdk/client-dynamodb'
import { copyTables, openEndpoint, Progress, type DatabasePort } from '@hashrange/transfer'
import { open, type Database } from 'hashrange'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string
let db: Database
let client: DynamoDB
const opened: { close(): Promise<unknown> }[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-transfer-'))
  await mkdir(join(folder, 'buckets', 'exports'), { recursive: true })
  db = await open({ buckets: join(folder, 'buckets') })
  client = await clientOf(db)
})

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  client.destroy()
  await db.close()
  await rm(folder, { recursive: true })
})

const key = {
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
}

const varied: Record<string, AttributeValue> = {
  pk: { S: 'varied' },
  empty: { S: '' },
  binary: { B: Uint8Array.of(0, 255, 10) },
  noBytes: { B: new Uint8Array() },
  large: { N: '12345678901234567890123456789012345678' },
  small: { N: '-0.00000000000000000000000000000000000001' },
  strings: { SS: ['a', 'ü', ''] },
  numbers: { NS: ['1', '-2.5', '600'] },
  binaries: { BS: [Uint8Array.of(1), Uint8Array.of(2, 3)] },
  nested: { M: { list: { L: [{ NULL: true }, { BOOL: false }, { M: {} }, { L: [] }] } } },
  "it's a name": { S: 'with "quotes",\nlines and \u0000' },
}

describe('an export over HTTP', () => {
  test.each(['DYNAMODB_JSON', 'ION'] as const)('is imported as the same table, as %s', async (ExportFormat) => {
    await createTable('music', true)
    await client.putItem({ TableName: 'music', Item: varied })
    for (let n = 0; n < 60; n++)
      await client.putItem({ TableName: 'music', Item: { pk: { S: `${n}` }, n: { N: `${n}` } } })
    const { Table } = await client.describeTable({ TableName: 'music' })
    const { ExportDescription: started } = await client.exportTableToPointInTime({
      TableArn: Table?.TableArn,
      S3Bucket: 'exports',
      S3Prefix: 'daily',
      ExportFormat,
    })
    const done = await exported(started?.ExportArn)
    expect(done).toMatchObject({ ExportStatus: 'COMPLETED', ItemCount: 61 })
    const exportFolder = join(folder, 'buckets', 'exports', done.ExportManifest ?? '', '..')
    expect((await readdir(exportFolder)).toSorted()).toEqual([
      '_started',
      'data',
      'manifest-files.json',
      'manifest-files.md5',
      'manifest-summary.json',
      'manifest-summary.md5',
    ])

    const { ImportTableDescription: importing } = await client.importTable({
      S3BucketSource: {
        S3Bucket: 'exports',
        S3KeyPrefix: `${done.ExportManifest?.replace('manifest-summary.json', 'data/')}`,
      },
      InputFormat: ExportFormat,
      InputCompressionType: 'GZIP',
      TableCreationParameters: { TableName: 'again', ...key },
    })
    expect(await imported(importing?.ImportArn)).toMatchObject({ ImportStatus: 'COMPLETED', ImportedItemCount: 61 })
    expect(await itemsOf(client, 'again')).toEqual(await itemsOf(client, 'music'))
  })
})

test('an import says which rows were bad, and keeps the good ones', async () => {
  const rows = ['pk,year', 'a,1973', 'too,many,columns', ',1974', 'b,1975']
  await writeFile(join(folder, 'buckets', 'exports', 'songs.csv'), rows.join('\n'))
  const { ImportTableDescription: importing } = await client.importTable({
    S3BucketSource: { S3Bucket: 'exports', S3KeyPrefix: 'songs' },
    InputFormat: 'CSV',
    TableCreationParameters: { TableName: 'songs', ...key },
  })
  const done = await imported(importing?.ImportArn)
  expect(done).toMatchObject({
    ImportStatus: 'FAILED',
    FailureCode: 'ItemValidationError',
    ErrorCount: 2,
    ProcessedItemCount: 4,
    ImportedItemCount: 2,
  })
  expect(await itemsOf(client, 'songs')).toEqual([
    { pk: { S: 'a' }, year: { S: '1973' } },
    { pk: { S: 'b' }, year: { S: '1975' } },
  ])
  const log = join(
    folder,
    'buckets',
    'exports',
    'hashrange-imports',
    done.ImportArn?.split('/').at(-1) ?? '',
    'error.txt',
  )
  expect((await readFile(log, 'utf8')).split('\n')).toEqual([
    'songs.csv, line 3: The row has 3 columns, its header 2',
    'songs.csv, line 4: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    '',
  ])
})

test('a copy that was stopped goes on where it was, and makes the same table', async () => {
  await createTable('music', false)
  await client.updateTimeToLive({
    TableName: 'music',
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  })
  const padding = { S: 'x'.repeat(10_000) }
  for (let n = 0; n < 800; n++) await client.putItem({ TableName: 'music', Item: { pk: { S: `${n}` }, padding } })
  await client.putItem({ TableName: 'music', Item: varied })
  const target = await open()
  opened.push(target)
  const from = watched(await portOf(db))
  const to = await portOf(target)
  opened.push(from, to)
  const statePath = join(folder, 'copy.json')
  const copy = (signal: AbortSignal): ReturnType<typeof copyTables> =>
    copyTables({ from, to, statePath, segments: 4, signal, progress: new Progress({ write: () => undefined }) })

  const stop = new AbortController()
  from.onScan = () => stop.abort()
  const first = await copy(stop.signal)
  expect(first.isComplete).toBe(false)
  expect(first.items).toBeGreaterThan(0)
  expect(JSON.parse(await readFile(statePath, 'utf8'))).toMatchObject({ tables: { music: { length: 4 } } })

  from.onScan = () => undefined
  // Had it begun anew, it would have counted some items twice.
  expect(await copy(new AbortController().signal)).toEqual({ isComplete: true, tables: 1, items: 801 })
  expect(await readdir(folder)).not.toContain('copy.json')
  const targetClient = await clientOf(target)
  expect(await itemsOf(targetClient, 'music')).toEqual(await itemsOf(client, 'music'))
  expect(await targetClient.describeTimeToLive({ TableName: 'music' })).toMatchObject({
    TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' },
  })
  targetClient.destroy()
})

interface WatchedPort extends DatabasePort {
  onScan: () => void
}

function watched(port: DatabasePort): WatchedPort {
  const result: WatchedPort = {
    onScan: () => undefined,
    name: port.name,
    close: () => port.close(),
    request: (operation, input) => {
      if (operation === 'Scan') result.onScan()
      return port.request(operation, input)
    },
  }
  return result
}

async function portOf(database: Database): Promise<DatabasePort> {
  return openEndpoint({ endpoint: (await database.listen()).endpoint, region: 'us-east-1' })
}

async function clientOf(database: Database): Promise<DynamoDB> {
  const { endpoint } = await database.listen()
  return new DynamoDB({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
}

async function createTable(TableName: string, recovery: boolean): Promise<void> {
  await client.createTable({ TableName, ...key })
  if (!recovery) return
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
  await client.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification })
}

async function itemsOf(from: DynamoDB, TableName: string): Promise<readonly Record<string, AttributeValue>[]> {
  const items: Record<string, AttributeValue>[] = []
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined
  do {
    const page = await from.scan({ TableName, ExclusiveStartKey })
    items.push(...(page.Items ?? []))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  return items.toSorted((a, b) => ((a['pk']?.S ?? '') < (b['pk']?.S ?? '') ? -1 : 1))
}

async function exported(ExportArn: string | undefined): Promise<ExportDescription> {
  for (;;) {
    const { ExportDescription: found } = await client.describeExport({ ExportArn })
    if (found !== undefined && found.ExportStatus !== 'IN_PROGRESS') return found
    await pause()
  }
}

async function imported(ImportArn: string | undefined): Promise<ImportTableDescription> {
  for (;;) {
    const { ImportTableDescription: found } = await client.describeImport({ ImportArn })
    if (found !== undefined && found.ImportStatus !== 'IN_PROGRESS') return found
    await pause()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
