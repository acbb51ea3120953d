import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keySpace } from '../layout/key-space.ts'
import { keptCount } from './testing/kept-count.ts'
import { backUp, expectExactly, fill, restore } from './testing/music-backups.ts'
import { OwnedEngine, scope, sorted, type Plain } from './testing/owned-engine.ts'

let owned: OwnedEngine

beforeEach(async () => {
  owned = await OwnedEngine.open()
})

afterEach(async () => {
  await owned.engine.close()
  expect(owned.errors).toEqual([])
})

describe('a backup', () => {
  test('holds what the table held when it was asked for, whatever is written since', async () => {
    await owned.createTable('music')
    await fill(owned, 1_000)
    const before = await owned.scanAll('music')
    const { TableSizeBytes } = await owned.ask('DescribeTable', { TableName: 'music' })
    const asked = owned.ask('CreateBackup', { TableName: 'music', BackupName: 'first' })
    const BackupArn = (await asked)['BackupArn'] as string
    expect(BackupArn).toMatch(
      /^arn:aws:dynamodb:eu-west-1:123456789012:table\/music\/backup\/01767312000000-[0-9a-f]{8}$/,
    )
    expect(await asked).toEqual({
      BackupArn,
      BackupCreationDateTime: 1_767_312_000,
      BackupName: 'first',
      BackupSizeBytes: 0,
      BackupStatus: 'CREATING',
      BackupType: 'USER',
    })
    await fill(owned, 1_200, 'second')
    await owned.run('DeleteItem', { TableName: 'music', Key: { pk: { S: 'p1' }, sk: { N: '1' } } })
    await owned.engine.background.idle()
    expect(await owned.ask('DescribeBackup', { BackupArn })).toMatchObject({
      BackupDetails: { BackupStatus: 'AVAILABLE', BackupSizeBytes: TableSizeBytes },
      SourceTableDetails: { TableName: 'music', ItemCount: 1_000, TableSizeBytes, BillingMode: 'PAY_PER_REQUEST' },
      SourceTableFeatureDetails: {
        GlobalSecondaryIndexes: [{ IndexName: 'by-team' }, { IndexName: 'teams' }],
        LocalSecondaryIndexes: [{ IndexName: 'by-rank' }],
      },
    })
    await restore(owned, BackupArn)
    await owned.engine.background.idle()
    await expectExactly(owned, 'again', before)
  })

  test('outlives its table', async () => {
    await owned.createTable('music')
    await fill(owned, 300)
    const before = await owned.scanAll('music')
    const arn = await backUp(owned)
    await owned.run('DeleteTable', { TableName: 'music' })
    await owned.engine.background.idle()
    await restore(owned, arn, { TargetTableName: 'music' })
    await owned.engine.background.idle()
    await expectExactly(owned, 'music', before)
  })

  test('of a table that has been switched to other features records them', async () => {
    await owned.createTable('music', {
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      Tags: [{ Key: 'a', Value: 'b' }],
      DeletionProtectionEnabled: true,
      TableClass: 'STANDARD_INFREQUENT_ACCESS',
      SSESpecification: { Enabled: true, SSEType: 'KMS' },
      OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 },
    })
    await owned.run('UpdateTimeToLive', {
      TableName: 'music',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiry' },
    })
    await owned.engine.background.idle()
    const arn = await backUp(owned)
    await owned.engine.background.idle()
    const { SourceTableFeatureDetails } = await owned.ask('DescribeBackup', { BackupArn: arn })
    expect(SourceTableFeatureDetails).toMatchObject({
      StreamDescription: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      TimeToLiveDescription: { AttributeName: 'expiry', TimeToLiveStatus: 'ENABLED' },
      SSEDescription: { SSEType: 'KMS', Status: 'ENABLED' },
    })
    await restore(owned, arn)
    await owned.engine.background.idle()
    const table = await owned.ask('DescribeTable', { TableName: 'again' })
    expect(table).toMatchObject({
      DeletionProtectionEnabled: false,
      OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 },
      SSEDescription: { SSEType: 'KMS', Status: 'ENABLED' },
    })
    for (const member of ['StreamSpecification', 'LatestStreamArn', 'TableClassSummary', 'RestoreSummary']) {
      expect(table).not.toHaveProperty(member)
    }
    expect(await owned.ask('DescribeTimeToLive', { TableName: 'again' })).toEqual({ TimeToLiveStatus: 'DISABLED' })
    expect(await owned.run('ListTagsOfResource', { ResourceArn: table['TableArn'] })).toMatchObject({ Tags: [] })
  })

  test('that is deleted is gone at once, and its items soon', async () => {
    await owned.createTable('music')
    await fill(owned, 300)
    const BackupArn = await backUp(owned)
    await owned.engine.background.idle()
    expect(await keptCount(owned.engine.store)).toBe(300)
    expect(await owned.ask('DeleteBackup', { BackupArn })).toMatchObject({
      BackupDetails: { BackupStatus: 'DELETED' },
    })
    await expect(owned.run('DescribeBackup', { BackupArn })).rejects.toMatchObject({
      code: 'BackupNotFoundException',
      message: `Backup not found: ${BackupArn}`,
    })
    await owned.engine.background.idle()
    expect(await keptCount(owned.engine.store)).toBe(0)
  })

  test.each([
    ['arn:aws:dynamodb:eu-west-1:123456789012:table/music-and-more', 'ValidationException', 'Invalid Backup ARN'],
    [
      'arn:aws:sqs:eu-west-1:123456789012:table/music/backup/1',
      'ValidationException',
      'Invalid Request: BackupArn is not valid',
    ],
    ['arn:aws:dynamodb:eu-west-1:999999999999:table/music/backup/1', 'AccessDeniedException', 'Access is denied'],
  ])('is not called %s', async (BackupArn, code, message) => {
    await expect(owned.run('DescribeBackup', { BackupArn })).rejects.toMatchObject({ code, message })
  })
})

describe('ListBackups', () => {
  const list = async (more: object = {}): Promise<unknown[]> => {
    const { BackupSummaries } = await owned.run('ListBackups', more)
    return (BackupSummaries as Plain[]).map(({ BackupName }) => BackupName)
  }

  beforeEach(async () => {
    await owned.createTable('music')
    await owned.createTable('other')
    for (const [name, table] of [
      ['one', 'music'],
      ['two', 'music'],
      ['three', 'other'],
      ['four', 'music'],
    ]) {
      await owned.run('CreateBackup', { TableName: table, BackupName: `${name}-backup` })
      owned.clock.nowMs += 1_000
    }
    await owned.engine.background.idle()
  })

  test('lists by table, time and kind', async () => {
    expect(await list()).toEqual(['one-backup', 'two-backup', 'three-backup', 'four-backup'])
    expect(await list({ TableName: 'music' })).toEqual(['one-backup', 'two-backup', 'four-backup'])
    expect(await list({ TableName: 'none' })).toEqual([])
    expect(await list({ BackupType: 'SYSTEM' })).toEqual([])
    const second = Date.UTC(2026, 0, 2) / 1000 + 1
    expect(await list({ TimeRangeLowerBound: second, TimeRangeUpperBound: second + 2 })).toEqual([
      'two-backup',
      'three-backup',
    ])
    await expect(list({ TimeRangeLowerBound: 2, TimeRangeUpperBound: 1 })).rejects.toThrow(
      'One or more parameter values were invalid: Time range lower bound must be less than or equal to upper bound',
    )
  })

  test('goes on after a page, even if its last backup has gone', async () => {
    const page = await owned.run('ListBackups', { Limit: 2 })
    const { LastEvaluatedBackupArn } = page
    await owned.run('DeleteBackup', { BackupArn: LastEvaluatedBackupArn })
    const next = await owned.run('ListBackups', { Limit: 2, ExclusiveStartBackupArn: LastEvaluatedBackupArn })
    expect((next['BackupSummaries'] as Plain[]).map(({ BackupName }) => BackupName)).toEqual([
      'three-backup',
      'four-backup',
    ])
    expect(next).not.toHaveProperty('LastEvaluatedBackupArn')
  })
})

describe('a table that is dropped while its past can be restored', () => {
  test('leaves a backup of its end, which goes by itself', async () => {
    await owned.createTable('music')
    await owned.run('UpdateContinuousBackups', {
      TableName: 'music',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    await fill(owned, 300)
    const before = await owned.scanAll('music')
    await owned.run('DeleteTable', { TableName: 'music' })
    await owned.engine.background.idle()
    const { BackupSummaries } = await owned.run('ListBackups', { TableName: 'music', BackupType: 'ALL' })
    const [summary = {}] = BackupSummaries as Plain[]
    expect(summary).toMatchObject({
      BackupName: 'music$DeletedTableBackup',
      BackupType: 'SYSTEM',
      BackupStatus: 'AVAILABLE',
      BackupExpiryDateTime: owned.clock.nowMs / 1000 + 35 * 86_400,
    })
    const BackupArn = summary['BackupArn'] as string
    await expect(owned.run('DeleteBackup', { BackupArn })).rejects.toThrow('User is not allowed to delete')
    await restore(owned, BackupArn)
    await owned.engine.background.idle()
    await expectExactly(owned, 'again', before)
    owned.clock.nowMs += 36 * 86_400_000
    await owned.engine.expireBackups()
    expect(await owned.run('ListBackups', { BackupType: 'ALL' })).toEqual({ BackupSummaries: [] })
    await owned.engine.background.idle()
    await expectExactly(owned, 'again', before)
    const tables = [...owned.engine.catalog.all()].map(({ id }) => id)
    const left = new Set<number>()
    await owned.engine.store.view((snapshot) =>
      snapshot.range({ from: Buffer.of(keySpace.item), to: Buffer.of(keySpace.item + 1) }, (key) => {
        left.add(Buffer.from(key).readUInt32BE(1))
        return true
      }),
    )
    expect([...left]).toEqual(tables)
  })
})

test('a backup of another region can be restored, if it is said how it is to be encrypted', async () => {
  await owned.createTable('music')
  await fill(owned, 10)
  const before = await owned.scanAll('music')
  const BackupArn = await backUp(owned)
  await owned.engine.background.idle()
  const elsewhere = { ...scope, region: 'us-east-1' }
  const input = { TargetTableName: 'again', BackupArn }
  await expect(owned.run('RestoreTableFromBackup', input, elsewhere)).rejects.toThrow(
    'Invalid Request: sseSpecificationOverride must be provided for cross-region restores',
  )
  await owned.run(
    'RestoreTableFromBackup',
    { ...input, SSESpecificationOverride: { Enabled: true, SSEType: 'KMS' } },
    elsewhere,
  )
  await owned.engine.background.idle()
  const { Items } = await owned.run('Scan', { TableName: 'again' }, elsewhere)
  expect(sorted(Items as Plain[])).toEqual(sorted(before))
})
