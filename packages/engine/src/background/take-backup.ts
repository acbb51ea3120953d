import type { BackupDefinition } from '../backups/backup-definition.ts'
import { storedPages } from '../backups/stored-pages.ts'
import type { Engine } from '../engine.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import { keySpace, movedItemKey, spaceRange } from '../layout/key-space.ts'
import type { OpenSnapshot, Write } from '../store/store.ts'
import { breathe, type Stopping } from './background-work.ts'
import type { Lease } from './leases.ts'
import { deleteRange } from './purge.ts'

/** Copies a table's items from one snapshot while the table goes on being written, or is even dropped. Closes the
 *  snapshot. */
export async function takeBackup(
  engine: Engine,
  backup: BackupDefinition,
  snapshot: OpenSnapshot,
  lease: Lease,
): Promise<void> {
  try {
    let { itemCount, sizeBytes } = backup
    for await (const page of storedPages(snapshot, spaceRange(keySpace.item, backup.table.tableId))) {
      if (lease.aborted) return
      const copies = page.map(({ key, value }): Write => {
        sizeBytes += storedSizeBytes(value)
        return { kind: 'put', key: movedItemKey(keySpace.keptItem, backup.items.id, key), value }
      })
      itemCount += page.length
      await engine.backups.advance({ ...backup, itemCount, sizeBytes }, copies, lease)
      await breathe()
    }
    await engine.backups.put({ ...backup, itemCount, sizeBytes, status: 'AVAILABLE' }, lease)
  } finally {
    snapshot.close()
  }
}

/** Takes a backup anew that a stop of the process has interrupted. A snapshot does not outlive its process, so the backup
 *  then holds what the table holds now, under its old name and time; if the table has gone, there will be none. */
export async function takeBackupAnew(engine: Engine, backup: BackupDefinition, lease: Lease): Promise<void> {
  const { table, items } = backup
  await engine.refresh()
  if (engine.backups.find(table, table.tableName, backup.backupId)?.status !== 'CREATING') return
  if (engine.catalog.find(table, table.tableName)?.id !== table.tableId) {
    await engine.backups.remove(backup)
    engine.purge()
    throw new Error(
      `The backup ${backup.backupName} of ${table.tableName} was interrupted, and the table has been deleted since.`,
    )
  }
  await deleteRange(engine.store, spaceRange(keySpace.keptItem, items.id), lease, lease)
  if (lease.aborted) return
  const snapshot = await engine.store.openSnapshot()
  await takeBackup(engine, { ...backup, itemCount: 0, sizeBytes: 0 }, snapshot, lease)
}

/** Removes the backups of dropped tables that have been kept for long enough. */
export async function expireBackups(engine: Engine, stopping: Stopping): Promise<void> {
  const nowMs = engine.clock.now()
  for (const backup of engine.backups.all()) {
    if (stopping.aborted) return
    if (backup.expiresAtMs === undefined || backup.expiresAtMs > nowMs || engine.isRestoringFrom(backup)) continue
    await engine.backups.remove(backup)
    engine.purge()
  }
}
