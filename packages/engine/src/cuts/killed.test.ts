import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Plain } from '../backups/testing/owned-engine.ts'
import { DyingStore } from '../testing/dying-store.ts'
import { createTableInput, testScope } from '../testing/test-engine.ts'
import { TestServers, type TestServer } from '../testing/test-servers.ts'
import { MemoryBuckets } from '../transfers/testing/memory-buckets.ts'
import type { Finding } from '../verify/finding.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { BusyTable, type Mark } from './testing/busy-table.ts'
import { exportedItems } from './testing/exported-items.ts'

const seed = Number(process.env['HASHRANGE_SEED'])
const leaseMs = 400

let servers: TestServers
let survivor: TestServer
let busy: BusyTable
let buckets: MemoryBuckets

beforeEach(async () => {
  buckets = new MemoryBuckets()
  buckets.make('bucket')
  servers = await TestServers.begin()
  survivor = await servers.open({ leaseMs, buckets })
  await survivor.run('CreateTable', createTableInput('busy', { hash: 'pk' }))
  busy = new BusyTable('busy', [survivor.run, survivor.run], seed, 900, 10)
  await busy.fill()
  busy.start()
})

afterEach(async () => {
  await busy.stop()
  expect(survivor.engine.catalog.find(testScope, 'busy')?.definition.cuts).toBeUndefined()
  const findings: Finding[] = []
  await verifyStore({ store: survivor.engine.store, onFinding: (finding) => findings.push(finding) })
  expect(findings).toEqual([])
  await servers.close()
  expect(survivor.backgroundErrors).toEqual([])
})

/** The transaction that a round ends at: early ones each, later ones ever fewer of. HASHRANGE_KILLS=all tries about five times
 *  as many. */
function stepOf(round: number): number {
  if (process.env['HASHRANGE_KILLS'] !== 'all') return round <= 2 ? round : Math.floor(2 * 1.9 ** (round - 2))
  const step = Math.floor(round / 2)
  return step <= 6 ? step : Math.floor(6 * 1.4 ** (step - 6))
}

/** Has a server begin something and killed at each of the transactions that follow, as long as there are any; where there are
 *  many, at some of them. */
async function killAtEveryStep(
  begin: (server: TestServer, round: number) => Promise<unknown>,
  check: (round: number, before: Mark, after: Mark) => Promise<void>,
): Promise<number> {
  for (let round = 0; ; round++) {
    const store = new DyingStore(await servers.openStore())
    const server = await servers.open({ store, leaseMs, buckets })
    // Some keep their last word, some do not.
    store.dieAfter(stepOf(round), round % 2 === 0)
    const before = busy.mark()
    await begin(server, round).catch(() => undefined)
    const after = busy.mark()
    await server.engine.background.idle()
    await check(round, before, after)
    // It can do nothing any more, and need not go on trying.
    await servers.end(server)
    if (!store.isDead) return round
  }
}

async function scanAll(TableName: string): Promise<Plain[]> {
  const items: Plain[] = []
  let ExclusiveStartKey: unknown
  do {
    const page: Plain = await survivor.run('Scan', {
      TableName,
      ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
    })
    items.push(...(page['Items'] as Plain[]))
    ExclusiveStartKey = page['LastEvaluatedKey']
  } while (ExclusiveStartKey !== undefined)
  return items
}

/** On a busy machine a server may lose its lease, and then waits for it. */
async function untilActive(TableName: string): Promise<void> {
  await expect
    .poll(() => survivor.run('DescribeTable', { TableName }))
    .toMatchObject({ Table: { TableStatus: 'ACTIVE' } })
}

async function untilAvailable(BackupArn: unknown): Promise<void> {
  await expect
    .poll(() => survivor.run('DescribeBackup', { BackupArn }))
    .toMatchObject({ BackupDescription: { BackupDetails: { BackupStatus: 'AVAILABLE' } } })
}

/** Looks at a restored table, if its server came so far, and drops it. */
async function expectMoment(TableName: string, before: Mark, after: Mark): Promise<void> {
  const { TableNames } = await survivor.run<{ TableNames: string[] }>('ListTables', {})
  if (!TableNames.includes(TableName)) return
  await untilActive(TableName)
  const items = await scanAll(TableName)
  expect(busy.whyNotOneMoment(items, before, after)).toBeUndefined()
  expect(await survivor.run('DescribeTable', { TableName })).toMatchObject({ Table: { ItemCount: items.length } })
  await survivor.run('DeleteTable', { TableName })
}

/** The second that begins next, once it has begun: by the clock that stamps the writes, which counts between its readings of the
 *  machine's, and may be some milliseconds behind it. */
async function nextSecond(): Promise<number> {
  const { clock } = survivor.engine
  const second = Math.ceil(clock.now() / 1000)
  while (clock.now() <= second * 1000) await new Promise((resolve) => setTimeout(resolve, 2))
  return second
}

/** A second that is over, and can be restored. */
async function pastSecond(): Promise<{ readonly second: number; readonly before: Mark; readonly after: Mark }> {
  await survivor.run('UpdateContinuousBackups', {
    TableName: 'busy',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  await nextSecond()
  await busy.pass(20)
  const before = busy.mark()
  const second = await nextSecond()
  const after = busy.mark()
  await busy.pass(20)
  return { second, before, after }
}

describe('a server that is killed', { timeout: 300_000 }, () => {
  test('while it takes a backup leaves one that another completes, as of its moment', async () => {
    const backupOf = async (round: number): Promise<Plain | undefined> => {
      const { BackupSummaries } = await survivor.run<{ BackupSummaries: Plain[] }>('ListBackups', {})
      return BackupSummaries.find(({ BackupName }) => BackupName === `backup-${round}`)
    }
    const rounds = await killAtEveryStep(
      (server, round) => server.run('CreateBackup', { TableName: 'busy', BackupName: `backup-${round}` }),
      async (round, before, after) => {
        const backup = await backupOf(round)
        if (backup === undefined) return
        const { BackupArn } = backup
        await untilAvailable(BackupArn)
        await survivor.run('RestoreTableFromBackup', { BackupArn, TargetTableName: `restored-${round}` })
        await expectMoment(`restored-${round}`, before, after)
        await survivor.run('DeleteBackup', { BackupArn })
      },
    )
    expect(rounds).toBeGreaterThan(4)
  })

  test('while it restores a backup leaves a table that another completes', async () => {
    const before = busy.mark()
    const { BackupDetails } = await survivor.run<{ BackupDetails: Plain }>('CreateBackup', {
      TableName: 'busy',
      BackupName: 'backup',
    })
    const after = busy.mark()
    const { BackupArn } = BackupDetails
    await untilAvailable(BackupArn)
    const rounds = await killAtEveryStep(
      (server, round) => server.run('RestoreTableFromBackup', { BackupArn, TargetTableName: `restored-${round}` }),
      (round) => expectMoment(`restored-${round}`, before, after),
    )
    expect(rounds).toBeGreaterThan(4)
  })

  test('while it restores the past leaves a table that another completes', async () => {
    const { second: RestoreDateTime, before, after } = await pastSecond()
    const rounds = await killAtEveryStep(
      (server, round) =>
        server.run('RestoreTableToPointInTime', {
          SourceTableName: 'busy',
          TargetTableName: `restored-${round}`,
          RestoreDateTime,
        }),
      (round) => expectMoment(`restored-${round}`, before, after),
    )
    expect(rounds).toBeGreaterThan(4)
  })

  test('while it fills an index leaves one that another completes and counts exactly', async () => {
    const rounds = await killAtEveryStep(
      (server, round) =>
        server.run('UpdateTable', {
          TableName: 'busy',
          AttributeDefinitions: [{ AttributeName: 'team', AttributeType: 'S' }],
          GlobalSecondaryIndexUpdates: [
            {
              Create: {
                IndexName: `index-${round}`,
                KeySchema: [{ AttributeName: 'team', KeyType: 'HASH' }],
                Projection: { ProjectionType: 'KEYS_ONLY' },
              },
            },
          ],
        }),
      async (round) => {
        const IndexName = `index-${round}`
        const index = async (): Promise<Plain | undefined> => {
          const { Table } = await survivor.run<{ Table: Plain }>('DescribeTable', { TableName: 'busy' })
          return ((Table['GlobalSecondaryIndexes'] ?? []) as Plain[]).find((one) => one['IndexName'] === IndexName)
        }
        if ((await index()) === undefined) return
        await expect.poll(index).toMatchObject({ IndexStatus: 'ACTIVE' })
        await busy.stop()
        const inTeam = (await scanAll('busy')).filter(({ team }) => team !== undefined)
        expect(await index()).toMatchObject({ ItemCount: inTeam.length })
        const { Count } = await survivor.run<{ Count: number }>('Scan', { TableName: 'busy', IndexName })
        expect(Count).toBe(inTeam.length)
        await survivor.run('UpdateTable', {
          TableName: 'busy',
          GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }],
        })
        busy.start()
      },
    )
    expect(rounds).toBeGreaterThan(4)
  })

  test('while it exports the past leaves an export that another completes', async () => {
    const { second: ExportTime, before, after } = await pastSecond()
    const TableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/busy'
    const seen = new Set<unknown>()
    const rounds = await killAtEveryStep(
      (server) => server.run('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket', ExportTime }),
      async () => {
        const { ExportSummaries } = await survivor.run<{ ExportSummaries: Plain[] }>('ListExports', {})
        for (const { ExportArn } of ExportSummaries) {
          if (seen.has(ExportArn)) continue
          seen.add(ExportArn)
          const description = (): Promise<Plain> => survivor.run('DescribeExport', { ExportArn })
          await expect.poll(description).toMatchObject({ ExportDescription: { ExportStatus: 'COMPLETED' } })
          const items = exportedItems(buckets, ExportArn)
          expect(busy.whyNotOneMoment(items, before, after)).toBeUndefined()
          expect(await description()).toMatchObject({ ExportDescription: { ItemCount: items.length } })
        }
      },
    )
    expect(rounds).toBeGreaterThan(4)
  })
})
