import { expect, test } from 'vitest'
import { OwnedEngine, type Plain } from '../backups/testing/owned-engine.ts'
import { StorageError } from '../store/storage-error.ts'
import { StoreAbove } from '../store/store-above.ts'
import type { Store } from '../store/store.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { createTableInput } from '../testing/test-engine.ts'
import { BusyTable } from './testing/busy-table.ts'

/** A store whose disk can be full. */
class FullStore extends StoreAbove {
  isFull = false
  /** Fills up after so many more transactions. */
  transactionsLeft = Infinity

  override transact: Store['transact'] = (keys, decide) => {
    if (--this.transactionsLeft < 0) this.isFull = true
    if (this.isFull) return Promise.reject(new StorageError('io', 'There is no room on the disk.'))
    return this.underneath.transact(keys, decide)
  }
}

test('a backup that failed when the disk was full goes on by itself, and is of its moment', async () => {
  const store = new FullStore(await openTestStore())
  const owned = await OwnedEngine.open({ memory: true }, { nowMs: Date.UTC(2026, 0, 2) }, { store, leaseMs: 300 })
  const run = (operation: string, input: object): Promise<Plain> => owned.run(operation, input)
  await run('CreateTable', createTableInput('busy', { hash: 'pk' }))
  const busy = new BusyTable('busy', [run], 1, 1_500)
  await busy.fill()
  const before = busy.mark()
  store.transactionsLeft = 4
  const { BackupArn } = await owned.ask('CreateBackup', { TableName: 'busy', BackupName: 'backup' })
  await owned.engine.background.idle()
  expect(store.isFull).toBe(true)
  expect(await owned.ask('DescribeBackup', { BackupArn })).toMatchObject({
    BackupDetails: { BackupStatus: 'CREATING' },
  })
  store.transactionsLeft = Infinity
  store.isFull = false
  busy.start()
  await busy.pass(50)
  await busy.stop()
  await expect
    .poll(() => owned.ask('DescribeBackup', { BackupArn }))
    .toMatchObject({ BackupDetails: { BackupStatus: 'AVAILABLE' } })
  await run('RestoreTableFromBackup', { BackupArn, TargetTableName: 'restored' })
  await expect
    .poll(() => owned.ask('DescribeTable', { TableName: 'restored' }))
    .toMatchObject({ TableStatus: 'ACTIVE' })
  expect(busy.whyNotOneMoment(await owned.scanAll('restored'), before, before)).toBeUndefined()
  await owned.engine.close()
})
