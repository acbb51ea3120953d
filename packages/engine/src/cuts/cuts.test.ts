import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OwnedEngine, type Plain } from '../backups/testing/owned-engine.ts'
import { createTableInput } from '../testing/test-engine.ts'
import { BusyTable } from './testing/busy-table.ts'

const seed = Number(process.env['HASHRANGE_SEED'] ?? Math.floor(Math.random() * 1e6))

let owned: OwnedEngine
let busy: BusyTable

beforeEach(async () => {
  console.log(`HASHRANGE_SEED=${seed}`)
  owned = await OwnedEngine.open()
  await owned.run('CreateTable', createTableInput('busy', { hash: 'pk' }))
  const run = (operation: string, input: object): Promise<Plain> => owned.run(operation, input)
  busy = new BusyTable('busy', [run, run, run, run], seed, 400)
  await busy.fill()
})

afterEach(async () => {
  await busy.stop()
  await owned.engine.close()
  expect(owned.errors).toEqual([])
})

const restoreBackup = async (backup: Plain, TargetTableName: string): Promise<Plain[]> => {
  await owned.run('RestoreTableFromBackup', { BackupArn: backup['BackupArn'], TargetTableName })
  await owned.engine.background.idle()
  return owned.scanAll(TargetTableName)
}

describe('a table that goes on being written', () => {
  test('has backups of one moment each', { timeout: 120_000 }, async () => {
    busy.start()
    for (let round = 0; round < 5; round++) {
      await busy.pass(20)
      const before = busy.mark()
      const backup = await owned.ask('CreateBackup', { TableName: 'busy', BackupName: 'backup' })
      const after = busy.mark()
      await owned.engine.background.idle()
      const items = await restoreBackup(backup, `restored-${round}`)
      expect(busy.whyNotOneMoment(items, before, after)).toBeUndefined()
      expect(await owned.ask('DescribeBackup', { BackupArn: backup['BackupArn'] })).toMatchObject({
        BackupDetails: { BackupStatus: 'AVAILABLE' },
        SourceTableDetails: { ItemCount: items.length },
      })
    }
  })
})
