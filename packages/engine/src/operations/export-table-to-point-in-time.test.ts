import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, testScope, type TestEngine } from '../testing/test-engine.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
  await db.run('CreateTable', createTableInput('music', { hash: 'pk' }))
})

afterEach(() => db.close())

const arnOf = (table: string, { region, accountId } = testScope): string =>
  `arn:aws:dynamodb:${region}:${accountId}:table/${table}`

describe('ExportTableToPointInTime refuses', () => {
  const invalid = 'One or more parameter values were invalid: '
  const elsewhere = arnOf('music', { ...testScope, region: 'us-east-1' })
  test.each([
    [arnOf('nobody'), 'TableNotFoundException', `Table not found: ${arnOf('nobody')}`],
    [elsewhere, 'TableNotFoundException', `Table not found: ${elsewhere}`],
    [arnOf('music', { ...testScope, accountId: '000000000000' }), 'AccessDeniedException', 'Access is denied'],
    ['music', 'ValidationException', `${invalid}tableArn is not a valid ARN`],
    [arnOf('music/index/by-year'), 'ValidationException', 'Invalid Request: Table ARN is invalid.'],
  ])('the table %s', async (TableArn, code, message) => {
    expect(await db.refusal('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket' })).toMatchObject({
      code,
      message,
    })
  })

  test.each([
    [
      { ExportType: 'INCREMENTAL_EXPORT' },
      'Incremental Export Specification expected when export type is set as Incremental Export',
    ],
    [
      { ExportType: 'INCREMENTAL_EXPORT', IncrementalExportSpecification: {} },
      'ExportFromTime must be provided in IncrementalExportSpecification',
    ],
    [
      { IncrementalExportSpecification: {} },
      'Export Type expected to be Incremental Export when incremental export specification is provided',
    ],
    [
      { ExportType: 'FULL_EXPORT', IncrementalExportSpecification: {} },
      'When Export Type is Full Export , Incremental Export Specification should not be provided',
    ],
    [{ S3SseKmsKeyId: 'key' }, 'KMS Key Id is not supported for this encryption type'],
  ])('%j', async (input, words) => {
    const all = { TableArn: arnOf('music'), S3Bucket: 'bucket', ...input }
    expect((await db.refusal('ExportTableToPointInTime', all)).message).toBe(`Invalid Request: ${words}`)
  })
})

test('DescribeExport does not find the exports of other regions, nor those there are not', async () => {
  const missing = `${arnOf('music')}/export/01658528578619-c4d4e311`
  expect(await db.refusal('DescribeExport', { ExportArn: missing })).toMatchObject({
    code: 'ExportNotFoundException',
    message: `Export not found: Export not found: ${missing}`,
  })
  const elsewhere = missing.replace(testScope.region, 'us-east-1')
  expect(await db.refusal('DescribeExport', { ExportArn: elsewhere })).toMatchObject({
    code: 'ExportNotFoundException',
    message: 'Export not found: Invalid export arn',
  })
})
