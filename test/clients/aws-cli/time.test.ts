import { beforeAll, describe, expect, test } from 'vitest'
import { needsAwsCli } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'
import { sessionsTable } from '../domains/sessions.ts'
import { awsCommand, type Answer } from './aws-command.ts'
import { typedItems } from './typed-items.ts'

const { TableName } = sessionsTable
const ofTable = { 'table-name': TableName }
const session = (id: string, more: object = {}): object => ({ id: { S: id }, kind: { S: 'web' }, ...more })

describeIf(needsAwsCli, 'Time through the AWS command line', () => {
  const { endpoint } = servedDatabase({ ttlSweepMs: 100 })
  const dynamodb = awsCommand(endpoint)
  const dynamodbstreams = awsCommand(endpoint, 'dynamodbstreams')

  const idsOf = async (name: string): Promise<string[]> => {
    const { Items } = await dynamodb('scan', { 'table-name': name })
    return typedItems(Items)
      .map(({ id }) => String(id?.S))
      .toSorted()
  }

  beforeAll(async () => {
    const specification = 'StreamEnabled=true,StreamViewType=NEW_IMAGE'
    await dynamodb('create-table', { 'cli-input-json': sessionsTable, 'stream-specification': specification })
    await dynamodb('wait table-exists', ofTable)
    await dynamodb('put-item', { ...ofTable, item: session('a') })
  })

  describe('a stream', () => {
    let arn: string
    let shards: readonly Record<string, string>[]

    const recordsFrom = async (shard: string, type: string, more: Record<string, string> = {}) => {
      const { ShardIterator } = await dynamodbstreams('get-shard-iterator', {
        'stream-arn': arn,
        'shard-id': shard,
        'shard-iterator-type': type,
        ...more,
      })
      const { Records } = await dynamodbstreams('get-records', { 'shard-iterator': String(ShardIterator) })
      return Records as Record<string, Answer>[]
    }

    beforeAll(async () => {
      const { Streams } = await dynamodbstreams('list-streams', ofTable)
      const [stream] = Streams as Record<string, string>[]
      arn = stream?.['StreamArn'] ?? ''
      const { StreamDescription } = await dynamodbstreams('describe-stream', { 'stream-arn': arn })
      expect(StreamDescription).toMatchObject({
        TableName,
        StreamStatus: 'ENABLED',
        StreamViewType: 'NEW_IMAGE',
        KeySchema: sessionsTable.KeySchema,
      })
      shards = (StreamDescription as { Shards: Record<string, string>[] }).Shards
    })

    test('is listed, described and read', async () => {
      const ids = shards.map((shard) => shard['ShardId'] ?? '')
      const pages = await Promise.all(ids.map((id) => recordsFrom(id, 'TRIM_HORIZON')))
      expect(pages.flat()).toMatchObject([{ eventName: 'INSERT', dynamodb: { NewImage: session('a') } }])
      const at = pages.findIndex((page) => page.length > 0)
      const [record] = pages[at] ?? []
      const number = { 'sequence-number': String(record?.['dynamodb']?.['SequenceNumber']) }
      const [from, after, latest] = await Promise.all([
        recordsFrom(ids[at] ?? '', 'AT_SEQUENCE_NUMBER', number),
        recordsFrom(ids[at] ?? '', 'AFTER_SEQUENCE_NUMBER', number),
        recordsFrom(ids[at] ?? '', 'LATEST'),
      ])
      expect(from).toEqual([record])
      expect([after, latest]).toEqual([[], []])
    })
  })

  test('a time to live deletes what is due', async () => {
    await dynamodb('update-time-to-live', {
      ...ofTable,
      'time-to-live-specification': 'Enabled=true,AttributeName=until',
    })
    expect(await dynamodb('describe-time-to-live', ofTable)).toEqual({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'until' },
    })
    const now = Math.floor(Date.now() / 1000)
    await dynamodb('put-item', { ...ofTable, item: session('due', { until: { N: `${now - 5}` } }) })
    await dynamodb('put-item', { ...ofTable, item: session('later', { until: { N: `${now + 3600}` } }) })
    await expect.poll(() => idsOf(TableName)).toEqual(['a', 'later'])
  })

  test('a backup is taken and restored', async () => {
    const { BackupDetails } = await dynamodb('create-backup', { ...ofTable, 'backup-name': 'nightly' })
    const arn = String((BackupDetails as Answer)['BackupArn'])
    const described = { BackupDetails: { BackupName: 'nightly', BackupStatus: 'AVAILABLE' } }
    await expect
      .poll(async () => (await dynamodb('describe-backup', { 'backup-arn': arn }))['BackupDescription'], {
        timeout: 60_000,
      })
      .toMatchObject({ ...described, SourceTableDetails: { TableName, ItemCount: 2 } })
    expect(await dynamodb('list-backups', ofTable)).toMatchObject({
      BackupSummaries: [{ BackupArn: arn, BackupStatus: 'AVAILABLE', BackupType: 'USER' }],
    })
    await dynamodb('restore-table-from-backup', { 'target-table-name': 'Restored', 'backup-arn': arn })
    await dynamodb('wait table-exists', { 'table-name': 'Restored' })
    expect(await idsOf('Restored')).toEqual(['a', 'later'])
    await dynamodb('delete-backup', { 'backup-arn': arn })
    expect(await dynamodb('list-backups', ofTable)).toEqual({ BackupSummaries: [] })
  })

  test('a table is restored to a moment of its past', async () => {
    await dynamodb('update-continuous-backups', {
      ...ofTable,
      'point-in-time-recovery-specification': 'PointInTimeRecoveryEnabled=true,RecoveryPeriodInDays=3',
    })
    // The earliest moment is shown in whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const moment = new Date().toISOString()
    await dynamodb('delete-item', { ...ofTable, key: { id: { S: 'a' } } })
    const described = await dynamodb('describe-continuous-backups', ofTable)
    expect(described).toMatchObject({
      ContinuousBackupsDescription: {
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED', RecoveryPeriodInDays: 3 },
      },
    })
    const restore = (name: string, when: Record<string, string | true>) =>
      dynamodb('restore-table-to-point-in-time', {
        'source-table-name': TableName,
        'target-table-name': name,
        ...when,
      })
    await restore('Then', { 'restore-date-time': moment })
    await restore('Now', { 'use-latest-restorable-time': true })
    for (const name of ['Then', 'Now']) await dynamodb('wait table-exists', { 'table-name': name })
    expect(await idsOf('Then')).toEqual(['a', 'later'])
    expect(await idsOf('Now')).toEqual(['later'])
    await expect(restore('Early', { 'restore-date-time': '2020-01-01T00:00:00Z' })).rejects.toThrow(
      '(InvalidRestoreTimeException)',
    )
  })
})
