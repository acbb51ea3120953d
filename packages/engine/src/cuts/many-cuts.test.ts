import { afterEach, beforeEach, expect, test } from 'vitest'
import { OwnedEngine } from '../backups/testing/owned-engine.ts'
import { createTableInput } from '../testing/test-engine.ts'
import { MemoryBuckets } from '../transfers/testing/memory-buckets.ts'

/** Buckets that keep exports waiting, and what they have cut with them. */
class SlowBuckets extends MemoryBuckets {
  release: () => void = () => undefined
  readonly #released = new Promise<void>((resolve) => {
    this.release = resolve
  })

  override async write(...of: Parameters<MemoryBuckets['write']>): ReturnType<MemoryBuckets['write']> {
    if (of[1].includes('/data/')) await this.#released
    return super.write(...of)
  }
}

const TableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/busy'
const limit = 50

let owned: OwnedEngine
let buckets: SlowBuckets

beforeEach(async () => {
  buckets = new SlowBuckets()
  buckets.make('bucket')
  owned = await OwnedEngine.open({ memory: true }, { nowMs: Date.UTC(2026, 0, 2) }, { buckets, leaseMs: 2_000 })
  await owned.run('CreateTable', createTableInput('busy', { hash: 'pk' }))
  await owned.run('UpdateContinuousBackups', {
    TableName: 'busy',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  await owned.run('PutItem', { TableName: 'busy', Item: { pk: { S: 'a' } } })
  owned.clock.nowMs += 2_000
})

afterEach(async () => {
  buckets.release()
  await owned.engine.close()
  expect(owned.errors).toEqual([])
})

const cutCount = (): number =>
  [...owned.engine.catalog.all()].reduce((sum, { definition }) => sum + (definition.cuts?.length ?? 0), 0)

const exportTable = (): Promise<unknown> => owned.run('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket' })

const exportStatuses = async (): Promise<readonly unknown[]> => {
  const { ExportSummaries } = await owned.run('ListExports', { TableArn, MaxResults: 25 })
  return (ExportSummaries as readonly { readonly ExportStatus: string }[]).map(({ ExportStatus }) => ExportStatus)
}

test('exports that are asked for all at once take turns', async () => {
  const asked = await Promise.allSettled(Array.from({ length: limit + 25 }, exportTable))
  expect(asked.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(limit)
  await expect.poll(cutCount).toBe(limit)
  // Those that wait look again and again whether there is room.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(cutCount()).toBe(limit)
  buckets.release()
  await expect.poll(cutCount).toBe(0)
  await expect.poll(exportStatuses).not.toContain('IN_PROGRESS')
  expect(await exportStatuses()).not.toContain('FAILED')
})

test('what would have one moment more be read is refused, and writes go on', async () => {
  for (let count = 1; count <= limit; count++) {
    await exportTable()
    await expect.poll(cutCount).toBe(count)
  }
  const refused = { code: 'LimitExceededException' }
  await expect(exportTable()).rejects.toMatchObject(refused)
  await expect(owned.run('CreateBackup', { TableName: 'busy', BackupName: 'backup' })).rejects.toMatchObject(
    refused,
  )
  await expect(
    owned.run('RestoreTableToPointInTime', {
      SourceTableName: 'busy',
      TargetTableName: 'restored',
      UseLatestRestorableTime: true,
    }),
  ).rejects.toMatchObject(refused)
  await owned.run('PutItem', { TableName: 'busy', Item: { pk: { S: 'a' }, n: { N: '1' } } })
  buckets.release()
  await expect.poll(cutCount).toBe(0)
  await owned.run('CreateBackup', { TableName: 'busy', BackupName: 'backup' })
})
