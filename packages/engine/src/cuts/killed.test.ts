import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Plain } from '../backups/testing/owned-engine.ts'
import { DyingStore } from '../testing/dying-store.ts'
import { createTableInput, testScope } from '../testing/test-engine.ts'
import { TestServers, type TestServer } from '../testing/test-servers.ts'
import { BusyTable, type Mark } from './testing/busy-table.ts'

const seed = Number(process.env['HASHRANGE_SEED'] ?? Math.floor(Math.random() * 1e6))
const leaseMs = 200

let servers: TestServers
let survivor: TestServer
let busy: BusyTable

beforeEach(async () => {
  console.log(`HASHRANGE_SEED=${seed}`)
  servers = await TestServers.begin()
  survivor = await servers.open({ leaseMs })
  await survivor.run('CreateTable', createTableInput('busy', { hash: 'pk' }))
  busy = new BusyTable('busy', [survivor.run, survivor.run], seed, 900)
  await busy.fill()
  busy.start()
})

afterEach(async () => {
  await busy.stop()
  await servers.close()
  expect(survivor.backgroundErrors).toEqual([])
})

/** Has a server begin something and killed at each of the transactions that follow, as long as there are any. */
async function killAtEveryStep(
  begin: (server: TestServer, round: number) => Promise<unknown>,
  check: (round: number, before: Mark, after: Mark) => Promise<void>,
): Promise<number> {
  for (let round = 0; ; round++) {
    const store = new DyingStore(await servers.openStore())
    const server = await servers.open({ store, leaseMs })
    // Some keep their last word, some do not.
    store.dieAfter(Math.floor(round / 2), round % 2 === 0)
    const before = busy.mark()
    await begin(server, round).catch(() => undefined)
    const after = busy.mark()
    await server.engine.background.idle()
    await check(round, before, after)
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

describe('a server that is killed', () => {
  test(
    'while it takes a backup leaves one that another completes, as of its moment',
    { timeout: 300_000 },
    async () => {
      const backupOf = async (round: number): Promise<Plain | undefined> => {
        const { BackupSummaries } = await survivor.run<{ BackupSummaries: Plain[] }>('ListBackups', {})
        return BackupSummaries.find(({ BackupName }) => BackupName === `backup-${round}`)
      }
      const rounds = await killAtEveryStep(
        (server, round) => server.run('CreateBackup', { TableName: 'busy', BackupName: `backup-${round}` }),
        async (round, before, after) => {
          const backup = await backupOf(round)
          if (backup === undefined) return
          await expect.poll(() => backupOf(round), { timeout: 20_000 }).toMatchObject({ BackupStatus: 'AVAILABLE' })
          const BackupArn = backup['BackupArn']
          await survivor.run('RestoreTableFromBackup', { BackupArn, TargetTableName: `restored-${round}` })
          await survivor.engine.background.idle()
          const items = await scanAll(`restored-${round}`)
          expect(busy.whyNotOneMoment(items, before, after)).toBeUndefined()
          await survivor.run('DeleteTable', { TableName: `restored-${round}` })
          await survivor.run('DeleteBackup', { BackupArn })
        },
      )
      expect(rounds).toBeGreaterThan(8)
      expect(survivor.engine.catalog.find(testScope, 'busy')?.definition.cuts).toBeUndefined()
    },
  )
})
