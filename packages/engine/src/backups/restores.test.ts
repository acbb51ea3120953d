import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { backUp, expectExactly, fill, item, restore } from './testing/music-backups.ts'
import { OwnedEngine, type Plain } from './testing/owned-engine.ts'

let owned: OwnedEngine

beforeEach(async () => {
  owned = await OwnedEngine.open()
})

afterEach(async () => {
  await owned.engine.close()
  expect(owned.errors).toEqual([])
})

describe('a table that is being restored', () => {
  test('can be described, and nothing else', async () => {
    await owned.createTable('music')
    await fill(owned, 4_000)
    const arn = await backUp(owned)
    await owned.engine.background.idle()
    const description = await restore(owned, arn)
    expect(description).toMatchObject({
      TableStatus: 'CREATING',
      ItemCount: 0,
      RestoreSummary: {
        RestoreDateTime: owned.clock.nowMs / 1000,
        RestoreInProgress: true,
        SourceBackupArn: arn,
        SourceTableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/music',
      },
    })
    const refused = async (operation: string, input: object, code: string, message: string): Promise<void> => {
      await expect(owned.run(operation, { TableName: 'again', ...input })).rejects.toMatchObject({ code, message })
    }
    const notFound = 'Requested resource not found'
    await refused('PutItem', { Item: item(1) }, 'ResourceNotFoundException', notFound)
    await refused('Scan', {}, 'ResourceNotFoundException', notFound)
    await refused(
      'UpdateTable',
      { DeletionProtectionEnabled: true },
      'ResourceNotFoundException',
      `${notFound}: Table: again not found`,
    )
    await refused('CreateBackup', { BackupName: 'abc' }, 'TableNotFoundException', 'Table not found: again')
    await refused(
      'DeleteTable',
      {},
      'ResourceInUseException',
      'Attempt to change a resource which is still in use: Table is being created: again',
    )
    await expect(restore(owned, arn)).rejects.toMatchObject({
      code: 'TableInUseException',
      message: `Table: again is already being restored from backup: ${arn}`,
    })
    await expect(restore(owned, arn, { TargetTableName: 'another' })).rejects.toMatchObject({
      code: 'BackupInUseException',
      message: `Backup is being used to restore another table: ${arn}`,
    })
    await expect(owned.run('DeleteBackup', { BackupArn: arn })).rejects.toMatchObject({
      code: 'BackupInUseException',
    })
    const counts = new Set<unknown>()
    for (let status: unknown = 'CREATING'; status === 'CREATING';) {
      const { TableStatus, ItemCount } = await owned.ask('DescribeTable', { TableName: 'again' })
      counts.add(ItemCount)
      status = TableStatus
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(counts.size).toBeGreaterThan(1)
    expect(counts.has(4_000)).toBe(true)
  })

  test('has the billing and the indexes that are asked for', async () => {
    await owned.createTable('music')
    await fill(owned, 100)
    const arn = await backUp(owned)
    await owned.engine.background.idle()
    await restore(owned, arn, {
      BillingModeOverride: 'PROVISIONED',
      ProvisionedThroughputOverride: { ReadCapacityUnits: 7, WriteCapacityUnits: 8 },
      LocalSecondaryIndexOverride: [],
      GlobalSecondaryIndexOverride: [
        {
          IndexName: 'renamed',
          KeySchema: [{ AttributeName: 'team', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
          ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 },
        },
      ],
    })
    await owned.engine.background.idle()
    const table = await owned.ask('DescribeTable', { TableName: 'again' })
    expect(table).toMatchObject({
      ItemCount: 100,
      ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 8 },
      GlobalSecondaryIndexes: [{ IndexName: 'renamed', IndexStatus: 'ACTIVE', ItemCount: 50 }],
    })
    expect(table).not.toHaveProperty('LocalSecondaryIndexes')
    expect((table['AttributeDefinitions'] as Plain[]).map(({ AttributeName }) => AttributeName)).toEqual([
      'pk',
      'sk',
      'team',
    ])
  })

  const units = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
  const teams = {
    IndexName: 'teams',
    KeySchema: [{ AttributeName: 'team', KeyType: 'HASH' }],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  }
  test.each([
    [
      { ProvisionedThroughputOverride: units },
      'Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED',
    ],
    [
      { ProvisionedThroughputOverride: units, BillingModeOverride: 'PAY_PER_REQUEST' },
      'Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST',
    ],
    [
      { BillingModeOverride: 'PROVISIONED' },
      'Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED',
    ],
    [
      { BillingModeOverride: 'PROVISIONED', ProvisionedThroughputOverride: units },
      'Must specify provisioned throughput for index by-team',
    ],
    [
      { OnDemandThroughputOverride: { MaxReadRequestUnits: 0 } },
      'Requested MaxReadRequestUnits for OnDemandThroughput is outside of valid range',
    ],
    [
      { GlobalSecondaryIndexOverride: [{ ...teams, Projection: { ProjectionType: 'ALL' } }] },
      'Index teams does not match a secondary index that existed in the source table and cannot be created during the restore operation',
    ],
  ])('cannot be had with %j', async (more, message) => {
    await owned.createTable('music')
    const arn = await backUp(owned)
    await owned.engine.background.idle()
    await expect(restore(owned, arn, more)).rejects.toMatchObject({
      code: 'ValidationException',
      message: `Invalid Request: ${message}`,
    })
    await expect(owned.run('DescribeTable', { TableName: 'again' })).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    })
  })

  test('is not put in place of another', async () => {
    await owned.createTable('music')
    const arn = await backUp(owned)
    await owned.engine.background.idle()
    await expect(restore(owned, arn, { TargetTableName: 'music' })).rejects.toMatchObject({
      code: 'TableAlreadyExistsException',
      message: 'Table already exists: music',
    })
  })
})

describe('a stop in the middle', () => {
  let path: string

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'hashrange-test-'))
  })

  afterEach(() => rm(path, { recursive: true }))

  const reopen = async (): Promise<void> => {
    const { clock } = owned
    await owned.engine.close()
    owned = await OwnedEngine.open({ path }, clock)
  }

  test('has a backup taken anew, and a restore begun anew', async () => {
    await reopen()
    await owned.createTable('music')
    await fill(owned, 1_000)
    const before = await owned.scanAll('music')
    const arn = await backUp(owned)
    await reopen()
    expect(await owned.ask('DescribeBackup', { BackupArn: arn })).toMatchObject({
      BackupDetails: { BackupStatus: 'CREATING' },
    })
    await owned.engine.background.idle()
    expect(await owned.ask('DescribeBackup', { BackupArn: arn })).toMatchObject({
      BackupDetails: { BackupStatus: 'AVAILABLE' },
      SourceTableDetails: { ItemCount: 1_000 },
    })
    await restore(owned, arn)
    while ((await owned.ask('DescribeTable', { TableName: 'again' }))['ItemCount'] === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await reopen()
    expect(await owned.ask('DescribeTable', { TableName: 'again' })).toMatchObject({ TableStatus: 'CREATING' })
    await owned.engine.background.idle()
    await expectExactly(owned, 'again', before)
    await reopen()
    await expectExactly(owned, 'again', before)
  })
})
