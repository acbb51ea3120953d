import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keptCount } from '../backups/testing/kept-count.ts'
import { TransferEngine, type Answer } from './testing/transfer-engine.ts'

let db: TransferEngine

beforeEach(async () => {
  db = await TransferEngine.open()
  db.buckets.make('bucket')
  await db.createTable('music')
})

afterEach(() => db.engine.close())

const secondsAgo = (ms: number): number => (db.nowMs - ms) / 1000

describe('ExportTableToPointInTime', () => {
  test('writes the items, and manifests that list and sum up its files', async () => {
    await db.put('music', { pk: { S: 'a' }, year: { N: '1973' } })
    await db.put('music', { pk: { S: 'b' } })
    const done = await db.export('music', { S3Prefix: 'daily' })
    const id = String(done['ExportArn']).split('/').at(-1)
    const folder = `daily/AWSDynamoDB/${id}/`
    expect(id).toMatch(/^\d{14}-[0-9a-f]{8}$/)
    expect(done).toMatchObject({
      ExportStatus: 'COMPLETED',
      ExportManifest: `${folder}manifest-summary.json`,
      ItemCount: 2,
      BilledSizeBytes: 13,
      ExportType: 'FULL_EXPORT',
      ExportFormat: 'DYNAMODB_JSON',
      S3SseAlgorithm: 'AES256',
    })
    const files = jsonLines(`${folder}manifest-files.json`)
    const dataKeys = files.map((file) => String(file['dataFileS3Key']))
    expect(db.buckets.keys('bucket')).toEqual(
      [
        ...[
          '_started',
          'manifest-files.json',
          'manifest-files.md5',
          'manifest-summary.json',
          'manifest-summary.md5',
        ].map((name) => folder + name),
        ...dataKeys,
      ].toSorted(),
    )
    for (const file of files) {
      const bytes = db.buckets.get('bucket', String(file['dataFileS3Key']))
      expect(file['md5Checksum']).toBe(createHash('md5').update(bytes).digest('base64'))
      expect(file['itemCount']).toBe(linesOf(String(file['dataFileS3Key'])).length)
    }
    expect(dataKeys.flatMap(linesOf).toSorted()).toEqual([
      '{"Item":{"pk":{"S":"a"},"year":{"N":"1973"}}}',
      '{"Item":{"pk":{"S":"b"}}}',
    ])
    const summary = db.buckets.get('bucket', `${folder}manifest-summary.json`)
    expect(JSON.parse(summary.toString())).toEqual({
      version: '2020-06-30',
      exportArn: done['ExportArn'],
      startTime: '2026-11-01T00:00:00.000Z',
      endTime: '2026-11-01T00:00:00.001Z',
      tableArn: done['TableArn'],
      tableId: done['TableId'],
      exportTime: '2026-11-01T00:00:00.000Z',
      s3Bucket: 'bucket',
      s3Prefix: 'daily',
      s3SseAlgorithm: 'AES256',
      s3SseKmsKeyId: null,
      manifestFilesS3Key: `${folder}manifest-files.json`,
      billedSizeBytes: 13,
      itemCount: 2,
      outputFormat: 'DYNAMODB_JSON',
    })
    expect(db.buckets.get('bucket', `${folder}manifest-summary.md5`).toString()).toBe(
      createHash('md5').update(summary).digest('base64'),
    )
  })

  test('shows the table as it was at a time: changes since are undone, removed items are back', async () => {
    await db.put('music', { pk: { S: 'changed' }, n: { N: '1' } })
    await db.put('music', { pk: { S: 'removed' } })
    await db.put('music', { pk: { S: 'same' } })
    const ExportTime = db.nowMs / 1000
    db.nowMs += 60_000
    await db.put('music', { pk: { S: 'changed' }, n: { N: '2' } })
    await db.put('music', { pk: { S: 'changed' }, n: { N: '3' } })
    await db.put('music', { pk: { S: 'new' } })
    await db.run('DeleteItem', { TableName: 'music', Key: { pk: { S: 'removed' } } })
    expect(dataOf(await db.export('music', { ExportTime }))).toEqual([
      '{"Item":{"pk":{"S":"changed"},"n":{"N":"1"}}}',
      '{"Item":{"pk":{"S":"removed"}}}',
      '{"Item":{"pk":{"S":"same"}}}',
    ])
    expect(dataOf(await db.export('music'))).toEqual([
      '{"Item":{"pk":{"S":"changed"},"n":{"N":"3"}}}',
      '{"Item":{"pk":{"S":"new"}}}',
      '{"Item":{"pk":{"S":"same"}}}',
    ])
  })

  test('undoes hundreds of changes since, and keeps nothing aside afterwards', async () => {
    const names = Array.from({ length: 600 }, (_, at) => `p${at}`)
    for (const name of names) await db.put('music', { pk: { S: name } })
    const before = await db.export('music')
    const ExportTime = db.nowMs / 1000
    db.nowMs += 60_000
    for (const name of names) {
      if (name.endsWith('0')) continue
      if (name.endsWith('1')) await db.put('music', { pk: { S: name }, n: { N: '1' } })
      else await db.run('DeleteItem', { TableName: 'music', Key: { pk: { S: name } } })
      await db.put('music', { pk: { S: `new ${name}` } })
    }
    const after = await db.export('music', { ExportTime })
    expect(dataOf(after)).toEqual(names.map((name) => `{"Item":{"pk":{"S":"${name}"}}}`).toSorted())
    expect(after).toMatchObject({ ItemCount: before['ItemCount'], BilledSizeBytes: before['BilledSizeBytes'] })
    expect(await keptCount(db.engine.store)).toBe(0)
  })

  test('goes back to the second in which recovery was turned on, beside a stream of keys', async () => {
    await db.createTable('streamed', { recovery: false })
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }
    await db.run('UpdateTable', { TableName: 'streamed', StreamSpecification })
    const ExportTime = db.nowMs / 1000
    await db.put('streamed', { pk: { S: 'a' } })
    db.nowMs += 100
    await db.put('streamed', { pk: { S: 'a' }, n: { N: '1' } })
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
    await db.run('UpdateContinuousBackups', { TableName: 'streamed', PointInTimeRecoverySpecification })
    db.nowMs += 100
    await db.put('streamed', { pk: { S: 'a' }, n: { N: '2' } })
    expect(dataOf(await db.export('streamed', { ExportTime }))).toEqual(['{"Item":{"pk":{"S":"a"},"n":{"N":"1"}}}'])
  })

  test('writes what was changed within a time, one line for each item', async () => {
    await db.put('music', { pk: { S: 'changed' }, n: { N: '1' } })
    await db.put('music', { pk: { S: 'removed' } })
    db.nowMs += 60_000
    const fromMs = db.nowMs
    await db.put('music', { pk: { S: 'changed' }, n: { N: '2' } })
    await db.put('music', { pk: { S: 'changed' }, n: { N: '3' } })
    await db.run('DeleteItem', { TableName: 'music', Key: { pk: { S: 'removed' } } })
    await db.put('music', { pk: { S: 'brief' } })
    await db.run('DeleteItem', { TableName: 'music', Key: { pk: { S: 'brief' } } })
    await db.put('music', { pk: { S: 'new' } })
    db.nowMs += 20 * 60_000
    const toMs = db.nowMs
    await db.put('music', { pk: { S: 'later' } })
    db.nowMs += 1_000
    const IncrementalExportSpecification = { ExportFromTime: fromMs / 1000, ExportToTime: toMs / 1000 }
    const both = await db.export('music', { ExportType: 'INCREMENTAL_EXPORT', IncrementalExportSpecification })
    const metadata = `"Metadata":{"WriteTimestampMicros":{"N":"${fromMs}000"}}`
    expect(both).toMatchObject({ ItemCount: 3, ExportType: 'INCREMENTAL_EXPORT' })
    expect(dataOf(both)).toEqual([
      `{${metadata},"Keys":{"pk":{"S":"changed"}},"OldImage":{"pk":{"S":"changed"},"n":{"N":"1"}},"NewImage":{"pk":{"S":"changed"},"n":{"N":"3"}}}`,
      `{${metadata},"Keys":{"pk":{"S":"new"}},"NewImage":{"pk":{"S":"new"}}}`,
      `{${metadata},"Keys":{"pk":{"S":"removed"}},"OldImage":{"pk":{"S":"removed"}}}`,
    ])
    const onlyNew = await db.export('music', {
      ExportType: 'INCREMENTAL_EXPORT',
      ExportFormat: 'ION',
      IncrementalExportSpecification: { ...IncrementalExportSpecification, ExportViewType: 'NEW_IMAGE' },
    })
    const ion = (keys: string, image = ''): string =>
      `$ion_1_0 {Record:{Keys:{pk:"${keys}"},Metadata:{WriteTimestampMicros:${fromMs}000.}${image}}}`
    expect(dataOf(onlyNew)).toEqual([
      ion('changed', ',NewImage:{pk:"changed",n:3.}'),
      ion('new', ',NewImage:{pk:"new"}'),
      ion('removed'),
    ])
    const summary = jsonLines(String(onlyNew['ExportManifest']))[0]
    expect(summary).toMatchObject({
      version: '2023-08-01',
      exportFromTime: new Date(fromMs).toISOString(),
      exportToTime: new Date(toMs).toISOString(),
      outputView: 'NEW_IMAGE',
      exportType: 'INCREMENTAL_EXPORT',
    })
    expect(db.buckets.keys('bucket').filter((key) => key.endsWith('.gz'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^AWSDynamoDB\/data\/\w+\.ion\.gz$/)]),
    )
  })

  test('needs point-in-time recovery, and a time that it reaches back to', async () => {
    await db.createTable('plain', { recovery: false })
    await expect(db.export('plain')).rejects.toMatchObject({ code: 'PointInTimeRecoveryUnavailableException' })
    const invalid = { code: 'InvalidExportTimeException', message: 'Export Time is invalid' }
    await expect(db.export('music', { ExportTime: secondsAgo(3_600_000) })).rejects.toMatchObject(invalid)
    await expect(db.export('music', { ExportTime: secondsAgo(-3_600_000) })).rejects.toMatchObject(invalid)
    const IncrementalExportSpecification = { ExportFromTime: secondsAgo(2_000), ExportToTime: secondsAgo(0) }
    await expect(
      db.export('music', { ExportType: 'INCREMENTAL_EXPORT', IncrementalExportSpecification }),
    ).rejects.toThrow('Difference between export period')
    await expect(db.export('nobody')).rejects.toMatchObject({ code: 'TableNotFoundException' })
    await expect(db.export('music', { S3Prefix: '' })).rejects.toThrow("'s3Prefix'")
  })

  test('happens once for one client token', async () => {
    const first = await db.export('music', { ClientToken: 'token' })
    expect((await db.export('music', { ClientToken: 'token' }))['ExportArn']).toBe(first['ExportArn'])
    await expect(db.export('music', { ClientToken: 'token', ExportFormat: 'ION' })).rejects.toMatchObject({
      code: 'ExportConflictException',
      message: 'Duplicate request detected',
    })
    db.nowMs += 9 * 3_600_000
    expect((await db.export('music', { ClientToken: 'token' }))['ExportArn']).not.toBe(first['ExportArn'])
  })

  test('fails without its bucket, and says why', async () => {
    expect(await db.export('music', { S3Bucket: 'missing' })).toMatchObject({
      ExportStatus: 'FAILED',
      FailureCode: 'S3NoSuchBucket',
      FailureMessage: 'The specified bucket does not exist',
    })
  })
})

describe('ListExports', () => {
  test('has the newest first, in pages, of one table or of all', async () => {
    await db.createTable('other')
    const arns: unknown[] = []
    for (let count = 0; count < 3; count++) {
      db.nowMs += 1_000
      arns.unshift((await db.export('music'))['ExportArn'])
    }
    await db.export('other')
    const TableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/music'
    const listed: unknown[] = []
    let NextToken: unknown
    do {
      const page = await db.run('ListExports', { TableArn, MaxResults: 2, ...(NextToken ? { NextToken } : {}) })
      listed.push(...(page['ExportSummaries'] as Answer[]).map((summary) => summary['ExportArn']))
      NextToken = page['NextToken']
    } while (NextToken !== undefined)
    expect(listed).toEqual(arns)
    expect((await db.run('ListExports', {}))['ExportSummaries']).toHaveLength(4)
  })
})

describe('DescribeExport', () => {
  test('tells a wrong ARN from one that is somebody else’s', async () => {
    const describeArn = (ExportArn: string): Promise<Answer> => db.run('DescribeExport', { ExportArn })
    const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/music'
    await expect(describeArn(arn)).rejects.toThrow('Invalid Export ARN')
    await expect(describeArn(arn.replace('123456789012', '210987654321'))).rejects.toThrow('Access is denied')
    await expect(describeArn(`${arn}/export/01234567890123-abcdef01`)).rejects.toMatchObject({
      code: 'ExportNotFoundException',
    })
  })
})

function dataOf(done: Answer): readonly string[] {
  const [summary] = jsonLines(String(done['ExportManifest']))
  const files = jsonLines(String(summary?.['manifestFilesS3Key']))
  return files.flatMap((file) => linesOf(String(file['dataFileS3Key']))).toSorted()
}

function jsonLines(key: string): readonly Answer[] {
  const text = db.buckets.get('bucket', key).toString()
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Answer]))
}

function linesOf(key: string): readonly string[] {
  return gunzipSync(db.buckets.get('bucket', key))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
}
