import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keptCount } from '../backups/testing/kept-count.ts'
import { OwnedEngine, sorted, type Plain } from '../backups/testing/owned-engine.ts'
import type { Store } from '../store/store.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { createTableInput } from '../testing/test-engine.ts'
import { MemoryBuckets } from '../transfers/testing/memory-buckets.ts'
import type { Finding } from '../verify/finding.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { BusyTable, type Mark } from './testing/busy-table.ts'
import { exportedItems } from './testing/exported-items.ts'

const seed = Number(process.env['HASHRANGE_SEED'])
const isLong = process.env['HASHRANGE_ROUNDS'] === 'all'
const TableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/busy'

let owned: OwnedEngine
let busy: BusyTable
let buckets: MemoryBuckets
let store: Store

/** No work may need one that it would have to hold. */
const withoutSnapshots = (within: Store): Store => ({
  ...(within.shared === true && { shared: true }),
  view: (read) => within.view(read),
  openSnapshot: () => {
    throw new Error('a snapshot is opened')
  },
  transact: (keys, decide) => within.transact(keys, decide),
  close: () => within.close(),
})

beforeEach(async () => {
  buckets = new MemoryBuckets()
  buckets.make('bucket')
  store = await openTestStore()
  const options = { store: withoutSnapshots(store), buckets }
  owned = await OwnedEngine.open({ memory: true }, { nowMs: Date.UTC(2026, 0, 2) }, options)
  await owned.run('CreateTable', createTableInput('busy', { hash: 'pk' }))
  const run = (operation: string, input: object): Promise<Plain> => owned.run(operation, input)
  busy = new BusyTable('busy', [run, run, run, run], seed, 400, 2)
  await busy.fill()
})

afterEach(async () => {
  await busy.stop()
  await owned.engine.background.idle()
  expect(await findings()).toEqual([])
  expect([...owned.engine.catalog.all()].flatMap(({ definition }) => definition.cuts ?? [])).toEqual([])
  await owned.engine.close()
  expect(owned.errors).toEqual([])
})

const findings = async (): Promise<readonly Finding[]> => {
  const found: Finding[] = []
  await verifyStore({ store, onFinding: (finding) => found.push(finding) })
  return found
}

const recover = (): Promise<Plain> =>
  owned.run('UpdateContinuousBackups', {
    TableName: 'busy',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })

/** A second that is over, and what may and must have been written in it. */
const endSecond = async (): Promise<{ second: number; before: Mark; after: Mark }> => {
  await busy.pass(20)
  const before = busy.mark()
  const second = owned.clock.nowMs / 1000
  owned.clock.nowMs += 1000
  const after = busy.mark()
  await busy.pass(20)
  return { second, before, after }
}

const exported = ({ ExportArn }: Plain): readonly Plain[] => exportedItems(buckets, ExportArn)

/** Of strings in plain characters. */
const sizeOf = (item: Plain): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + (value as { S: string }).S.length, 0)

describe('a table that goes on being written', () => {
  test('has backups of one moment each', async () => {
    busy.start()
    for (let round = 0; round < (isLong ? 5 : 2); round++) {
      await busy.pass(20)
      const before = busy.mark()
      const { BackupArn } = await owned.ask('CreateBackup', { TableName: 'busy', BackupName: 'backup' })
      const after = busy.mark()
      await owned.engine.background.idle()
      await owned.run('RestoreTableFromBackup', { BackupArn, TargetTableName: `restored-${round}` })
      await owned.engine.background.idle()
      const items = await owned.scanAll(`restored-${round}`)
      expect(busy.whyNotOneMoment(items, before, after)).toBeUndefined()
      expect(await owned.ask('DescribeBackup', { BackupArn })).toMatchObject({
        BackupDetails: { BackupStatus: 'AVAILABLE' },
        SourceTableDetails: { ItemCount: items.length },
      })
    }
  })

  test('is proved while it is read, and what is kept with it', async () => {
    await recover()
    busy.start()
    const { second } = await endSecond()
    for (let round = 0; round < (isLong ? 3 : 2); round++) {
      await owned.run('CreateBackup', { TableName: 'busy', BackupName: 'backup' })
      await owned.run('RestoreTableToPointInTime', {
        SourceTableName: 'busy',
        TargetTableName: `restored-${round}`,
        RestoreDateTime: second,
      })
      await owned.run('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket', ExportTime: second })
      expect(await findings()).toEqual([])
    }
  })

  test('has several backups at once, each of its own moment', async () => {
    busy.start()
    const backups = await Promise.all(
      Array.from({ length: 4 }, async (_, n) => {
        await busy.pass(10 * n + 1)
        const before = busy.mark()
        const { BackupArn } = await owned.ask('CreateBackup', { TableName: 'busy', BackupName: 'backup' })
        return { BackupArn, before, after: busy.mark() }
      }),
    )
    await owned.engine.background.idle()
    for (const [n, { BackupArn, before, after }] of backups.entries()) {
      await owned.run('RestoreTableFromBackup', { BackupArn, TargetTableName: `restored-${n}` })
      await owned.engine.background.idle()
      const items = await owned.scanAll(`restored-${n}`)
      expect(busy.whyNotOneMoment(items, before, after)).toBeUndefined()
    }
  })

  test('is restored to any second of its past', async () => {
    await recover()
    busy.start()
    for (let round = 0; round < (isLong ? 3 : 2); round++) {
      const { second, before, after } = await endSecond()
      await owned.run('RestoreTableToPointInTime', {
        SourceTableName: 'busy',
        TargetTableName: `restored-${round}`,
        RestoreDateTime: second,
      })
      await owned.engine.background.idle()
      const items = await owned.scanAll(`restored-${round}`)
      expect(busy.whyNotOneMoment(items, before, after)).toBeUndefined()
    }
    expect(await keptCount(owned.engine.store)).toBe(0)
  })

  test('has indexes that are filled and counted exactly', async () => {
    busy.start()
    const addIndex = (IndexName: string, ProjectionType: string): Promise<Plain> =>
      owned.run('UpdateTable', {
        TableName: 'busy',
        AttributeDefinitions: [{ AttributeName: 'team', AttributeType: 'S' }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName,
              KeySchema: [{ AttributeName: 'team', KeyType: 'HASH' }],
              Projection: { ProjectionType },
            },
          },
        ],
      })
    for (const projection of ['ALL', 'KEYS_ONLY']) {
      await busy.pass(20)
      await addIndex(projection, projection)
      await owned.engine.background.idle()
    }
    await busy.stop()
    const inTeam = (await owned.scanAll('busy')).filter(({ team }) => team !== undefined)
    const { Table } = await owned.run('DescribeTable', { TableName: 'busy' })
    const indexes = (Table as Plain)['GlobalSecondaryIndexes'] as Plain[]
    expect(sorted(await owned.scanAll('busy', 'ALL'))).toEqual(sorted(inTeam))
    expect(sorted(await owned.scanAll('busy', 'KEYS_ONLY'))).toEqual(
      sorted(inTeam.map(({ pk, team }) => ({ pk, team }))),
    )
    for (const { IndexName, IndexStatus, ItemCount, IndexSizeBytes } of indexes) {
      let bytes = 0
      for (const item of await owned.scanAll('busy', IndexName as string)) bytes += sizeOf(item)
      expect([IndexStatus, ItemCount, IndexSizeBytes]).toEqual(['ACTIVE', inTeam.length, bytes])
    }
    expect(await keptCount(owned.engine.store)).toBe(0)
  })

  test('is exported as it was at a second of its past, and as it is', async () => {
    await recover()
    busy.start()
    const { second, before, after } = await endSecond()
    const past = await owned.ask('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket', ExportTime: second })
    await owned.engine.background.idle()
    expect(busy.whyNotOneMoment(exported(past), before, after)).toBeUndefined()
    const sooner = busy.mark()
    const present = await owned.ask('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket' })
    owned.clock.nowMs += 1000
    const later = busy.mark()
    await owned.engine.background.idle()
    expect(busy.whyNotOneMoment(exported(present), sooner, later)).toBeUndefined()
    const { ExportArn } = present
    expect(await owned.ask('DescribeExport', { ExportArn })).toMatchObject({
      ExportStatus: 'COMPLETED',
      ItemCount: exported(present).length,
    })
    expect(await keptCount(owned.engine.store)).toBe(0)
  })
})
