import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keptCount } from '../backups/testing/kept-count.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { keyOf, TransferEngine, type Answer } from './testing/transfer-engine.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-transfers-'))
})

afterEach(() => rm(folder, { recursive: true }))

describe('a database that is closed during', () => {
  test('an export begins it anew when it is opened again', async () => {
    const first = await TransferEngine.open(await openTestStore({ path: folder }))
    first.buckets.make('bucket')
    await first.createTable('music')
    await first.put('music', { pk: { S: 'a' } })
    const TableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/music'
    const started = await first.run('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket' })
    await first.engine.close()

    const second = await TransferEngine.open(await openTestStore({ path: folder }), first.buckets)
    await second.engine.background.idle()
    const { ExportArn } = started['ExportDescription'] as Answer
    expect(await exportOf(second, ExportArn)).toMatchObject({ ExportStatus: 'COMPLETED', ItemCount: 1 })
    await second.engine.close()
  })

  test('an export of a past moment begins it anew, and keeps nothing aside afterwards', async () => {
    const first = await TransferEngine.open(await openTestStore({ path: folder }))
    first.buckets.make('bucket')
    await first.createTable('music')
    const names = Array.from({ length: 500 }, (_, at) => `p${at}`)
    for (const name of names) await first.put('music', { pk: { S: name } })
    const ExportTime = first.nowMs / 1000
    first.nowMs += 60_000
    for (const name of names) await first.run('DeleteItem', { TableName: 'music', Key: { pk: { S: name } } })
    const TableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/music'
    const started = await first.run('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket', ExportTime })
    const { ExportArn } = started['ExportDescription'] as Answer
    while (
      (await exportOf(first, ExportArn))['ExportStatus'] === 'IN_PROGRESS' &&
      (await keptCount(first.engine.store)) === 0
    ) {
      await new Promise(setImmediate)
    }
    await first.engine.close()

    const second = await TransferEngine.open(await openTestStore({ path: folder }), first.buckets)
    second.nowMs = first.nowMs
    await second.engine.background.idle()
    expect(await exportOf(second, ExportArn)).toMatchObject({ ExportStatus: 'COMPLETED', ItemCount: 500 })
    expect(await keptCount(second.engine.store)).toBe(0)
    await second.engine.close()
  })

  test('an import begins it anew, and counts nothing twice', async () => {
    const first = await TransferEngine.open(await openTestStore({ path: folder }))
    first.buckets.make('bucket')
    const rows = Array.from({ length: 3_000 }, (_, n) => `{"Item":{"pk":{"S":"${n}"}}}`)
    first.buckets.put('bucket', 'in', rows.join('\n'))
    const started = await first.run('ImportTable', {
      S3BucketSource: { S3Bucket: 'bucket' },
      InputFormat: 'DYNAMODB_JSON',
      TableCreationParameters: { TableName: 'music', ...keyOf('pk'), BillingMode: 'PAY_PER_REQUEST' },
    })
    const { ImportArn } = started['ImportTableDescription'] as Answer
    while ((await importOf(first, ImportArn))['ProcessedItemCount'] === 0) await new Promise(setImmediate)
    await first.engine.close()

    const second = await TransferEngine.open(await openTestStore({ path: folder }), first.buckets)
    expect(await importOf(second, ImportArn)).toMatchObject({ ImportStatus: 'IN_PROGRESS' })
    await second.engine.background.idle()
    expect(await importOf(second, ImportArn)).toMatchObject({ ImportStatus: 'COMPLETED', ImportedItemCount: 3_000 })
    expect(await second.run('DescribeTable', { TableName: 'music' })).toMatchObject({
      Table: { TableStatus: 'ACTIVE', ItemCount: 3_000 },
    })
    await second.engine.close()
  })
})

async function exportOf(db: TransferEngine, ExportArn: unknown): Promise<Answer> {
  return (await db.run('DescribeExport', { ExportArn }))['ExportDescription'] as Answer
}

async function importOf(db: TransferEngine, ImportArn: unknown): Promise<Answer> {
  return (await db.run('DescribeImport', { ImportArn }))['ImportTableDescription'] as Answer
}
